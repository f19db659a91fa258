/** What two sentences of different languages must have in common. */
import { type Dictionary, rootPath } from './dictionary.ts';
import { locate, translateQuery } from './translate.ts';
import { everyWord, type Pair, pairWords } from './words.ts';

/** What stands for a word that may mean several things: one of these, the likeliest first. */
export interface Choice {
  readonly oneOf: readonly string[];
}

/** In quotation marks of any language. */
const QUOTED = /[“„«‹「]\s*([^“”„«»‹›「」]*?)\s*[”“»›」]|"([^"]*)"/gu;

/** @returns a template of a URL (RFC 6570), or a URL */
export const translateTemplate = (template: string, pair: Pair): string =>
  locate(template, pair).url.replaceAll(/\{([^{}]+)\}/g, (_, word: string) => `{${pair.any(word)[0] ?? word}}`);

/** @returns what a text may be in the other language, if it is a word, a path or a part of a query */
export const choices = (text: string, pair: Pair): Choice => {
  const words = pair.any(text);
  if (text.startsWith(`${rootPath(pair.from)}/`)) {
    // A key that is shown decoded may have slashes of its own.
    const segments = text.split('/').map((each) => pair.any(each)[0]);
    return { oneOf: [...new Set([translateTemplate(text, pair), segments.join('/'), text])] };
  }
  if (!text.includes('=') && !text.includes(',')) return { oneOf: words };
  const collections = Object.keys(pair.from.collections);
  const asQuery = collections.map((collection) => translateQuery(text, pair, collection));
  // A word may be that of fields of two collections.
  const asList = collections.map((collection) =>
    text
      .split(',')
      .map((part) => pair.any(part, [collection])[0])
      .join(','),
  );
  return { oneOf: [...new Set([...asQuery.filter((each) => each !== text), ...asList, ...words])] };
};

/** How some languages write what others call percent-encoding. */
const NOTATION = '%XX';

/** A number with separators of thousands, or with decimals, whose signs differ from language to language; not that of UTF-16 or U+0000. */
const NUMBER = /(?<![\p{L}\p{N}]|\p{L}[-+])\d+(?:[.,\u00A0\u202F ]\d+)*/gu;

/**
 * @returns a sentence without what is its language's own: what stands in quotation marks, and numbers without separators of
 *   thousands
 */
export const translateSentence = (text: string, pair: Pair) => {
  const quoted: Choice[] = [];
  const rest = text.replaceAll(QUOTED, (_, inner: string | undefined, plain: string | undefined) => {
    const piece = inner ?? plain ?? '';
    if (piece !== NOTATION) quoted.push(choices(piece, pair));
    return ' ';
  });
  return { quoted, numbers: (rest.match(NUMBER) ?? []).map((each) => each.replaceAll(/\D/g, '')).sort() };
};

/** Everything that a dictionary says in words of its language. */
const collectProse = ({ collections, parameters, problems, prose = '' }: Dictionary): string => {
  const fields = Object.values(collections).flatMap((each) => Object.values(each.fields));
  const described = [...Object.values(collections), ...Object.values(parameters), ...fields];
  return [
    prose,
    ...described.map((each) => each.description),
    ...fields.map(({ label }) => label),
    ...Object.values(problems),
  ].join('\n');
};

const matchAny = (words: readonly string[]): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}_-])(?:${words.map(escaped).join('|') || '(?!)'})(?![\\p{L}\\p{M}\\p{N}_-])`,
    'giu',
  );

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const foreignPatterns = new WeakMap<Pair, RegExp>();

/** Finds the words that only the other language has, and that this one has in none of its texts. */
const foreignTo = (own: Dictionary, other: Dictionary): RegExp => {
  const pair = pairWords(own, other);
  const known = foreignPatterns.get(pair);
  if (known) return known;
  const ours = new Set(everyWord(own).map((word) => word.toLowerCase()));
  const words = everyWord(other).filter((word) => !ours.has(word.toLowerCase()));
  const homonyms = new Set(
    collectProse(own)
      .match(matchAny(words))
      ?.map((word) => word.toLowerCase()),
  );
  const foreign = matchAny([...new Set(words)].filter((word) => !homonyms.has(word.toLowerCase())));
  foreignPatterns.set(pair, foreign);
  return foreign;
};

/** @returns the words of another language that stand in a sentence outside quotation marks */
export const foreignWords = (text: string, own: Dictionary, other: Dictionary): readonly string[] =>
  text.replaceAll(QUOTED, ' ').match(foreignTo(own, other)) ?? [];
