/** Whether two answers say the same, of which one was translated into the words of the other. */
import { readMediaType } from '../../../vocabularies/src/document.ts';
import { asObject } from '../../../vocabularies/src/words.ts';
import { type Answer, readBody } from '../kit/canonical.ts';
import { compareSentences, compareValues, type Difference } from '../kit/compare.ts';
import { MARK, readCsv, translateCsv } from '../kit/csv.ts';
import { readFileName, readForm, readLinks, readUtf8, VOLATILE } from '../kit/headers.ts';
import { guessLanguage, Sentence } from '../kit/sentences.ts';
import { locate } from '../kit/translate.ts';
import { pairWords, type Relation } from '../kit/words.ts';
import type { TreesOptions } from './trees.ts';

/** The answer of the first tree as it came and in the words of the second, and that of the second. */
export interface Answers {
  readonly original: Answer;
  readonly translated: Answer;
  readonly actual: Answer;
}

/** What is known of both trees; the language is that of the second one's sentences, and empty if it is not known. */
interface Sides extends Pick<TreesOptions, 'bases' | 'dictionaries'> {
  readonly language: string;
  /** Whether it is a catalogue of ours, which translates all that it says. */
  readonly isCatalogue: boolean;
}

/** What an answer is about. */
interface Context {
  readonly isError: boolean;
  readonly isWrite: boolean;
  readonly code: string;
}

/** Members that are sentences for people. */
const SENTENCES =
  /^(?:title|detail|details|message|msg|description|error_description|reason|hint|remedy|error|summary)$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Milliseconds between what two trees do one after the other. */
const MOMENT = 60_000;

/** What has its own names inside, is a page for people, or has no end: it is not compared, which a run tells. */
const UNREAD =
  /^(?:application\/(?!(?:.*[+.-])?(?:(?:nd)?json.*|xml|yaml)$)|(?:image|audio|video|font|multipart)\/|text\/(?:html|event-stream))/;

/** A number as it is written, if a double cannot hold it: `12.10`, `1e400`. */
class WrittenNumber extends String {}

/** @returns a JSON value whose numbers are as they were written @throws SyntaxError if a text is no JSON */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new WrittenNumber(context.source)
      : value,
  );
}

/** @returns the body of an answer, in which numbers are as they were written; the values of NDJSON as a list */
export function readExactBody(text: string, type = ''): unknown {
  if (!type.startsWith('application/x-ndjson')) return readBody(text, type, parseExactly);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => readBody(line, 'application/json', parseExactly));
}

/** @returns an address below a base without what is the base's own */
export function relate(base: string, address: string): string {
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/$/, '');
  const local = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return path !== '' && local.startsWith(`${path}/`) ? local.slice(path.length) : local;
}

/** @returns what is compared of a header; `undefined` if its text may have words */
function readHeader(name: string, value: string, base: string): unknown {
  if (name === 'location' || name === 'content-location') return relate(base, value);
  if (name !== 'link') return readForm(name, value);
  const links = readLinks(value);
  return links.map(({ url, parameters }) => `${parameters.replaceAll(/[\s"]/g, '')} ${relate(base, url)}`).sort();
}

export class Comparer {
  /** Media types of answers that were not compared. */
  readonly unread = new Set<string>();
  readonly #words: Relation;
  readonly #sides: Sides;
  /** What sentences of the second tree are about that are in its own language. */
  readonly #translatedTopics = new Set<string>();
  /** Titles of the second tree by codes of the first, and the reverse. */
  readonly #titles = new Map<string, string>();

  constructor(words: Relation, sides: Sides) {
    this.#words = words;
    this.#sides = sides;
  }

  /** @param isWrite whether each answer is about an item of its own, made a moment ago */
  compare(answers: Answers, isWrite = false): readonly Difference[] {
    const { translated, actual, original } = answers;
    const haveFailed = original.status >= 500 && actual.status >= 500;
    if (haveFailed || translated.status !== actual.status)
      return [{ at: 'status', one: original.status, other: actual.status }];
    return [...this.#compareHeaders(answers), ...this.#compareBodies(answers, isWrite)];
  }

  #compareHeaders({ original, translated, actual }: Answers): readonly Difference[] {
    return Object.keys({ ...translated.headers, ...actual.headers }).flatMap((name) => {
      const none = name === 'vary' ? '' : undefined;
      const [own, one = none, other = none] = [original, translated, actual].map(({ headers }) => headers[name]);
      const isLanguage = name === 'content-language';
      if (VOLATILE.test(name) || (isLanguage && this.#isRightLanguage(other, one, own, actual.status))) return [];
      if (isLanguage || one === undefined || other === undefined) return [{ at: `headers/${name}`, one, other }];
      return this.#compareHeader(name, one, other, own ?? '');
    });
  }

  /** What is translated says so; an error may say that its sentences are in the language of the first tree. */
  #isRightLanguage(tag: string | undefined, one: string | undefined, own: string | undefined, status: number): boolean {
    const { language, isCatalogue } = this.#sides;
    const isHonest = tag === own && status >= 400 && !isCatalogue;
    return tag === one || tag === language || language === '' || isHonest;
  }

  #compareHeader(name: string, one: string, other: string, original: string): readonly Difference[] {
    const at = `headers/${name}`;
    if (/^(?:content-disposition|x-.*)$/.test(name) && this.#isLeftOver(one, other, original))
      return [{ at: `${at} (of the other language)`, one, other }];
    // The languages of a catalogue are representations of their own.
    if (name === 'etag' && this.#sides.dictionaries && other === original) return [{ at, one: original, other }];
    const [base, otherBase] = this.#sides.bases;
    const form = readHeader(name, one, base);
    if (form !== undefined) {
      const otherForm = readHeader(name, other, otherBase);
      return compareValues(at, form, otherForm, () => [{ at, one: form, other: otherForm }]);
    }
    const isFile = name === 'content-disposition';
    if (!isFile && one.includes(' '))
      return this.#compareSentences(at, readUtf8(one), readUtf8(other), readUtf8(original), name);
    const [first, second] = isFile ? [readFileName(one), readFileName(other)] : [one, other];
    return this.#words.isTranslation(first, second) ? [] : [{ at, one: first, other: second }];
  }

  /** A catalogue translates all that has a word. @returns whether a header has names of the first tree, and not its own words */
  #isLeftOver(one: string, other: string, original: string): boolean {
    const names = other.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const isUntranslated = other === original && names.some((name) => this.#words.isNameOnly(name));
    return isUntranslated && (this.#sides.isCatalogue || one !== original);
  }

  #compareBodies({ original, translated, actual }: Answers, isWrite: boolean): readonly Difference[] {
    const [one, other] = [translated.body, actual.body];
    const type = readMediaType(actual.headers['content-type'] ?? '');
    if (typeof one === 'string' && typeof other === 'string')
      return this.#compareTexts(this.#translateCsv(original, type) ?? one, other, type);
    const isError = actual.status >= 400 || type === 'application/problem+json';
    const { code, type: problem } = asObject(original.body);
    const context = { isError, isWrite, code: String(code ?? problem ?? '') };
    const compareLeaves = (at: string, first: unknown, second: unknown, name: unknown): readonly Difference[] =>
      this.#compareLeaves(at, first, second, name, context);
    return [
      ...compareValues('body', one, other, compareLeaves, original.body),
      ...this.#findForeignMembers(original.body, other),
    ];
  }

  /** @returns a file of a catalogue as its other language writes it, decimals and marks included */
  #translateCsv({ url, body }: Answer, type: string): string | undefined {
    const pair = this.#sides.dictionaries && pairWords(...this.#sides.dictionaries);
    // The answer to HEAD has none.
    const collection = pair && type === 'text/csv' && body !== '' ? locate(url, pair).collection : undefined;
    return pair && collection !== undefined ? translateCsv(String(body), pair, collection) : undefined;
  }

  /** Compares CSV, which has its own separator in each language, cell by cell, and other texts line by line, whose words may be translated. */
  #compareTexts(one: string, other: string, type: string): readonly Difference[] {
    if (UNREAD.test(type)) this.unread.add(type);
    if (one === other || UNREAD.test(type)) return [];
    const isCsv = type === 'text/csv';
    const isOfCatalogue = this.#sides.dictionaries !== undefined;
    const [mark, otherMark] = [one, other].map((text) => text.startsWith(MARK));
    if (isCsv && isOfCatalogue && mark !== otherMark) return [{ at: 'body/mark', one: mark, other: otherMark }];
    const read = (text: string, header: string): readonly (readonly string[])[] => {
      const delimiter = header.split('\n', 1)[0]?.includes(';') ? ';' : ',';
      const plain = text.replace(MARK, '');
      return isCsv ? readCsv(plain, delimiter) : plain.split(/\r?\n/).map((line) => [line]);
    };
    return compareValues('body', read(one, one), read(other, isOfCatalogue ? one : other), (at, cell, there) => {
      const [text, otherText] = [String(cell), String(there)];
      // A file with semicolons between its cells has commas in its decimals.
      const isSame = this.#words.isTranslation(text, otherText) || (isCsv && text === otherText.replace(',', '.'));
      return isSame ? [] : [{ at, one: cell, other: there }];
    });
  }

  /** @returns words of the second tree in an answer of the first, which a translation leaves as they are */
  #findForeignMembers(original: unknown, actual: unknown): readonly Difference[] {
    const others = [actual].flat();
    return [original]
      .flat()
      .slice(0, 3)
      .flatMap((item, at) => {
        const words = Object.keys(asObject(item)).filter((name) => this.#words.isWordOnly(name));
        const left = words.filter((word) => word in asObject(others[at]));
        return left.map((word) => ({ at: `body/${word}`, one: word, other: word }));
      });
  }

  #compareLeaves(at: string, one: unknown, other: unknown, original: unknown, context: Context): readonly Difference[] {
    const isSkipped = (name: string): boolean => /^request_?id$/i.test(name) || this.#words.skipped.has(name);
    if (at.split('/').some(isSkipped)) return [];
    const difference = [{ at, one, other }];
    if (one instanceof WrittenNumber && other instanceof WrittenNumber && `${one}` === `${other}`) return [];
    if (typeof one !== 'string' || typeof other !== 'string') return difference;
    const [first, second] = [relate(this.#sides.bases[0], one), relate(this.#sides.bases[1], other)];
    // A document need not say that a text is an address of its API.
    const isAddress = first.startsWith('/') && this.#words.isTranslation(first, second);
    if (first === second || isAddress) return [];
    const areTimes = context.isWrite && DATE_TIME.test(one) && DATE_TIME.test(other);
    if (areTimes && Math.abs(Date.parse(one) - Date.parse(other)) < MOMENT) return [];
    if (!context.isError) return difference;
    if (this.#words.isTranslation(one, other)) return [];
    const member = at.slice(at.lastIndexOf('/') + 1);
    const isWord = /^(?:suggestion|value|parameter|name|pointer|instance)$/.test(member);
    const isSentence = SENTENCES.test(member) || [one, other].every((text) => /\s\S+\s/.test(text));
    if (isWord || !isSentence) return difference;
    const text = typeof original === 'string' ? original : '';
    return [
      ...(member === 'title' ? this.#compareTitles(at, context.code || text, other) : []),
      ...this.#compareSentences(at, one, other, text, `${context.code} ${member}`),
    ];
  }

  /** The title of a code is one, and no other code has it. */
  #compareTitles(at: string, code: string, title: string): readonly Difference[] {
    const [known, holder] = [this.#titles.get(`code ${code}`), this.#titles.get(`title ${title}`)];
    if (known === undefined && holder === undefined) {
      this.#titles.set(`code ${code}`, title);
      this.#titles.set(`title ${title}`, code);
    }
    if ((known ?? title) === title && (holder ?? code) === code) return [];
    return [{ at, one: known ?? `the title of ${holder}`, other: title }];
  }

  /** @param original the first sentence before its translation @param topic what it is about */
  #compareSentences(at: string, one: string, other: string, original: string, topic: string): readonly Difference[] {
    const { isCatalogue, language: own } = this.#sides;
    const language = guessLanguage(other);
    if (language === own && other !== original) this.#translatedTopics.add(topic);
    const isForeign = language !== undefined && language !== own && this.#translatedTopics.has(topic);
    if ((other === original && one !== original) || isForeign)
      return [{ at: `${at} (of the other language)`, one, other }];
    const [first, second] = [new Sentence(one), new Sentence(other)];
    const names = second.plain.match(/[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+/gu) ?? [];
    const foreign = names.filter((word) => this.#words.isNameOnly(word));
    return [
      ...compareSentences(
        at,
        first,
        second,
        (quote, there) => this.#words.isTranslation(quote.text, there.text),
        // Languages of a library differ in what they quote; those of a catalogue do not.
        (quote, text) => !isCatalogue && text.includes(quote.text),
      ),
      ...(foreign.length > 0 ? [{ at: `${at} (words of the other language)`, one, other: foreign }] : []),
    ];
  }
}
