/** What two sentences of different languages must have in common, and in which language one is. */
import { type Dictionary, rootPath } from './dictionary.ts';
import { locate } from './translate.ts';
import { listWords, oncePer, type Pair, pairWords } from './words.ts';

/** In quotation marks of any language. */
const QUOTED = /[“„«‹「]\s*([^“”„«»‹›「」]*?)\s*[”“»›」]|"([^"]*)"|`([^`]*)`|'([^'\s]*)'/gu;

/** @returns a template of a URL (RFC 6570), or a URL, in the other language */
export function translateTemplate(template: string, pair: Pair): string {
  return locate(template, pair).url.replaceAll(/\{([^{}]+)\}/g, (_, word: string) => `{${pair.any(word)}}`);
}

/** @returns what a text probably is in the other language, if it is a word, a path or a part of a query */
function translateQuote(text: string, pair: Pair): string {
  if (text.startsWith(`${rootPath(pair.from)}/`)) return translateTemplate(text, pair);
  if (!text.includes('=') && !text.includes(',')) return pair.any(text);
  const collections = Object.keys(pair.from.collections);
  const queries = collections.map((collection) => pair.query(collection, text));
  // A word may be that of fields of two collections.
  const lists = collections.map((collection) => {
    const words = text.split(',').map((part) => pair.any(part, [collection]));
    return words.join(',');
  });
  return [...queries, ...lists].find((translated) => translated !== text) ?? text;
}

/** What stands in quotation marks, or may be a word: as it is, and what it probably is in the other language. */
export class Quote {
  readonly text: string;
  readonly word: string;

  constructor(text: string, pair?: Pair) {
    this.text = text;
    this.word = pair ? translateQuote(text, pair) : text;
  }

  toJSON(): string {
    return this.word;
  }
}

/** How some languages write what others call percent-encoding. */
const NOTATION = '%XX';

/** A number with separators of thousands, or with decimals, whose signs differ from language to language; not that of UTF-16 or U+0000. */
const NUMBER = /(?<![\p{L}\p{N}]|\p{L}[-+])\d+(?:[.,\u00A0\u202F ]\d+)*/gu;

/** A sentence without what is its language's own. */
export class Sentence {
  readonly text: string;
  /** What every language quotes; `<key>` and `<clave>` are the same. */
  readonly quoted: readonly Quote[];
  /** Its numbers without separators of thousands. */
  readonly numbers: readonly string[];
  /** What is not quoted. */
  readonly plain: string;

  constructor(text: string, pair?: Pair) {
    this.text = text;
    const quoted: Quote[] = [];
    this.plain = text.replaceAll(QUOTED, (_, ...pieces: (string | undefined)[]) => {
      const piece = pieces.slice(0, 4).find((part) => part !== undefined) ?? '';
      if (piece !== NOTATION) quoted.push(new Quote(piece.replaceAll(/<[^<>]*>/g, '<>'), pair));
      return ' ';
    });
    this.quoted = quoted;
    this.numbers = (this.plain.match(NUMBER) ?? []).map((number) => number.replaceAll(/\D/g, '')).sort();
  }

  toJSON() {
    const { quoted, numbers } = this;
    return { quoted, numbers };
  }
}

/** @returns everything that a dictionary says in sentences of its language */
function collectProse({ collections, parameters, problems, prose = '' }: Dictionary): string {
  const fields = Object.values(collections).flatMap((collection) => Object.values(collection.fields));
  const described = [...Object.values(collections), ...Object.values(parameters), ...fields];
  const texts = [...described.map(({ description }) => description), ...fields.map(({ label }) => label)];
  return [prose, ...texts, ...Object.values(problems)].join('\n');
}

/** @returns a pattern that finds a text */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function matchAny(words: readonly string[]): RegExp {
  const pattern = words.map(escapePattern).join('|') || '(?!)';
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_-])(?:${pattern})(?![\\p{L}\\p{M}\\p{N}_-])`, 'giu');
}

/** Finds the words that only the second language has, and that the first one has in none of its texts. */
const foreignPattern = oncePer(({ from, to }: Pair): RegExp => {
  const own = new Set(listWords(from).map((word) => word.toLowerCase()));
  const words = listWords(to).filter((word) => !own.has(word.toLowerCase()));
  const homonyms = new Set(collectProse(from).toLowerCase().match(matchAny(words)));
  return matchAny([...new Set(words)].filter((word) => !homonyms.has(word.toLowerCase())));
});

/** @returns the words of another language that stand in a sentence outside quotation marks */
export function findForeignWords(text: string, own: Dictionary, other: Dictionary): readonly string[] {
  return new Sentence(text).plain.match(foreignPattern(pairWords(own, other))) ?? [];
}

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
  const counts = common.map(([tag, own]) => ({ tag, count: words.filter((word) => own.has(word)).length }));
  const [first, second] = counts.toSorted((one, other) => other.count - one.count);
  return first && second && first.count > second.count ? first.tag : undefined;
}
