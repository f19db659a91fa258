/** What two sentences of different languages must have in common, and in which language one is. */
import { type Dictionary, rootPath } from './dictionary.ts';
import { locate } from './translate.ts';
import { everyWord, type Pair, pairWords } from './words.ts';

/** In quotation marks of any language. */
const QUOTED = /[“„«‹「]\s*([^“”„«»‹›「」]*?)\s*[”“»›」]|"([^"]*)"|`([^`]*)`|'([^'\s]*)'/gu;

/** @returns a template of a URL (RFC 6570), or a URL */
export const translateTemplate = (template: string, pair: Pair): string =>
  locate(template, pair).url.replaceAll(/\{([^{}]+)\}/g, (_, word: string) => `{${pair.any(word)}}`);

/** @returns what a text probably is in the other language, if it is a word, a path or a part of a query */
function translateQuote(text: string, pair: Pair): string {
  if (text.startsWith(`${rootPath(pair.from)}/`)) return translateTemplate(text, pair);
  if (!text.includes('=') && !text.includes(',')) return pair.any(text);
  const collections = Object.keys(pair.from.collections);
  const asQuery = collections.map((collection) => pair.query(collection, text));
  // A word may be that of fields of two collections.
  const asList = collections.map((collection) =>
    text
      .split(',')
      .map((part) => pair.any(part, [collection]))
      .join(','),
  );
  return [...asQuery, ...asList].find((each) => each !== text) ?? text;
}

/** What stands in quotation marks, or may be a word: as it is, and what it probably is in the other language. */
export class Quote {
  readonly text: string;
  readonly word: string;

  constructor(text: string, pair: Pair) {
    this.text = text;
    this.word = translateQuote(text, pair);
  }

  toJSON(): string {
    return this.word;
  }
}

/** How some languages write what others call percent-encoding. */
const NOTATION = '%XX';

/** A number with separators of thousands, or with decimals, whose signs differ from language to language; not that of UTF-16 or U+0000. */
const NUMBER = /(?<![\p{L}\p{N}]|\p{L}[-+])\d+(?:[.,\u00A0\u202F ]\d+)*/gu;

/** @returns what every language quotes, in which `<key>` and `<clave>` are the same; its numbers without separators of thousands; and the rest */
export function readSentence(text: string) {
  const quoted: string[] = [];
  const plain = text.replaceAll(QUOTED, (_, ...pieces: (string | undefined)[]) => {
    const piece = pieces.slice(0, 4).find((each) => each !== undefined) ?? '';
    if (piece !== NOTATION) quoted.push(piece.replaceAll(/<[^<>]*>/g, '<>'));
    return ' ';
  });
  return { quoted, plain, numbers: (plain.match(NUMBER) ?? []).map((each) => each.replaceAll(/\D/g, '')).sort() };
}

/** @returns those of each list that have no counterpart in the other, whatever their order */
export function findUnmatched<T>(one: readonly T[], other: readonly T[], isSame: (a: T, b: T) => boolean) {
  const rest = [...other];
  const lost = one.filter((each) => {
    const index = rest.findIndex((candidate) => isSame(each, candidate));
    if (index !== -1) rest.splice(index, 1);
    return index === -1;
  });
  return [lost, rest] as const;
}

/** @returns a sentence without what is its language's own */
export function quoteSentence(text: string, pair: Pair) {
  const { quoted, numbers } = readSentence(text);
  return { quoted: quoted.map((piece) => new Quote(piece, pair)), numbers };
}

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

/** Some words without which few sentences are written, by the tag of their language. */
const COMMON: Readonly<Record<string, string>> = {
  en: 'the of and is are be to must not no with without from an or this that for by it in only which there expected invalid missing required unknown whole number',
  es: 'el la los las de del es son ser debe no con sin un una este esta para por en solo se que hay falta válido válida esperaba desconocido entero número al su',
  pt: 'os uma das dos é são ser deve não com sem um uma ou este esta para por em só que há falta válido inválido esperado número ao seu',
  ca: 'el la els les de del és són ha no amb sense un una o aquest per en només que hi falta vàlid nombre al seu',
  fr: 'le la les de du et est sont être doit ne pas avec sans un une ou ce cette pour par en que il manque valide nombre au son',
  de: 'der die das und ist sind sein muss nicht kein mit ohne ein eine oder dieser für von in nur dass es fehlt ungültig zahl',
  it: 'il lo la gli le di del è sono essere deve non con senza un una questo per da in solo che ci manca valido numero al suo',
};

const common = Object.entries(COMMON).map(([tag, words]) => [tag, new Set(words.split(' '))] as const);

/** @returns the tag of the language that most of a text's common words have, if none has as many */
export function guessLanguage(text: string): string | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = common.map(([tag, own]) => [tag, words.filter((word) => own.has(word)).length] as const);
  const [[tag, most], [, second]] = counts.toSorted(([, one], [, other]) => other - one) as [
    [string, number],
    [string, number],
  ];
  return most > second ? tag : undefined;
}
