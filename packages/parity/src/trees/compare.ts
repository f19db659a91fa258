/** Whether two answers say the same, of which one was translated into the words of the other. */
import { isDeepStrictEqual } from 'node:util';
import { asArray } from '../../../vocabularies/src/document.ts';
import { asObject, isObject } from '../../../vocabularies/src/words.ts';
import type { Answer } from '../kit/canonical.ts';
import { readCsv } from '../kit/csv.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import { readFileName, readLinks, readUtf8 } from '../kit/headers.ts';
import type { Relation } from '../kit/relation.ts';
import type { Difference } from '../kit/same.ts';
import { findUnmatched, guessLanguage, readSentence } from '../kit/sentences.ts';

/** The answer of the first tree as it came and in the words of the second, and that of the second. */
export interface Answers {
  readonly original: Answer;
  readonly translated: Answer;
  readonly actual: Answer;
}

/** What is known of both trees. */
export interface Sides {
  readonly bases: readonly [string, string];
  /** Language of the sentences of the second tree; empty if it is not known. */
  readonly language: string;
  /** Whether it is a catalogue of ours, which translates all that it says. */
  readonly isCatalogue: boolean;
  /** How a catalogue writes its CSV files in both languages. */
  readonly csv: readonly [CsvForm, CsvForm] | undefined;
  /** The columns of the second tree that have decimals. */
  readonly decimals: ReadonlySet<string>;
}

/** Headers that no two answers share, or that belong to a connection, a proxy or a cache. */
export const VOLATILE =
  /^(?:date|x-request-id|request-id|content-length|connection|keep-alive|transfer-encoding|age|via|server|server-timing|x-response-time|x-powered-by|content-language|accept-ranges|(?:x-)?ratelimit.*|alt-svc|traceparent)$/;
/** Members that are sentences for people. */
const SENTENCES =
  /^(?:title|detail|details|message|msg|description|error_description|reason|hint|remedy|error|summary|instance)$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Milliseconds between what two trees do one after the other. */
const MOMENT = 60_000;

/** A number as it is written, if a double cannot hold it: `12.10`, `1e400`. */
class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** @returns a JSON value whose numbers are as they were written @throws SyntaxError if a text is no JSON */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new WrittenNumber(context.source)
      : value,
  );
}

const isWritten = (value: unknown): value is WrittenNumber => value instanceof WrittenNumber;

/** @returns an address below a base without what is the base's own */
export function relate(base: string, address: string): string {
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/$/, '');
  const local = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return path !== '' && local.startsWith(`${path}/`) ? local.slice(path.length) : local;
}

const sortList = (value: string): readonly string[] =>
  value
    .split(/\s*,\s*/)
    .filter((each) => each !== '')
    .sort();

const sortLinks = (header: string, base: string): readonly string[] =>
  readLinks(header)
    .map(({ url, parameters }) => `${parameters.replaceAll(/[\s"]/g, '')} ${relate(base, url)}`)
    .sort();

/** What is compared of headers whose values are written in several ways, or are each tree's own; others are words or sentences. */
const FORMS: readonly (readonly [names: RegExp, form: (value: string, base: string) => unknown])[] = [
  [/^(?:retry-after|set-cookie|last-modified|expires|x-change)$/, () => 'present'],
  [/^etag$/, (value) => (value.startsWith('W/') ? 'weak' : 'strong')],
  [/^vary$/, (value) => sortList(value.toLowerCase()).filter((name) => !/^accept-(?:language|encoding)$/.test(name))],
  [/^(?:allow|accept-patch|accept-post|access-control-(?:allow|expose)-(?:methods|headers))$/, sortList],
  [/^content-type$/, (value) => value.toLowerCase().replaceAll(/[\s"]/g, '')],
  [/^link$/, sortLinks],
  [/^(?:content-)?location$/, (value, base) => relate(base, value)],
  [/^www-authenticate$/, (value) => value.split(/[\s,]/)[0]],
];

export class Comparer {
  readonly #words: Relation;
  readonly #sides: Sides;
  /** Sentences of the second tree that are in its own language, by what they are about. */
  readonly #own = new Set<string>();
  /** Titles of the second tree by those of the first, and the reverse. */
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
    const names = new Set([...Object.keys(translated.headers), ...Object.keys(actual.headers)]);
    const compared = [...names].flatMap((name) => {
      if (VOLATILE.test(name)) return [];
      const [one, other] = [translated, actual].map(
        ({ headers }) => headers[name] ?? (name === 'vary' ? '' : undefined),
      );
      if (one === undefined || other === undefined) return [{ at: `headers/${name}`, one, other }];
      return this.#compareHeader(name, one, other, original.headers[name] ?? '');
    });
    return [...compared, ...this.#compareLanguage(original, translated, actual)];
  }

  /** What is translated says so; an error may say that its sentences are in the language of the first tree. */
  #compareLanguage(original: Answer, translated: Answer, actual: Answer): readonly Difference[] {
    const { language } = this.#sides;
    const [own, one, other] = [original, translated, actual].map(({ headers }) => headers['content-language']);
    if (other === one || other === language) return [];
    const isHonest = other === own && actual.status >= 400 && !this.#sides.isCatalogue;
    return isHonest || language === '' ? [] : [{ at: 'headers/content-language', one, other }];
  }

  #compareHeader(name: string, one: string, other: string, original: string): readonly Difference[] {
    const at = `headers/${name}`;
    if (/^(?:content-disposition|x-.*)$/.test(name) && this.#isLeftOver(one, other, original))
      return [{ at: `${at} (of the other language)`, one, other }];
    // The languages of a catalogue are representations of their own.
    if (name === 'etag' && this.#sides.csv && other === original) return [{ at, one: original, other }];
    const form = FORMS.find(([names]) => names.test(name))?.[1];
    if (form) {
      const [first, second] = [form(one, this.#sides.bases[0]), form(other, this.#sides.bases[1])];
      return isDeepStrictEqual(first, second) ? [] : [{ at, one: first, other: second }];
    }
    const isFile = name === 'content-disposition';
    if (!isFile && one.includes(' '))
      return this.#compareSentences(at, readUtf8(one), readUtf8(other), { original: readUtf8(original), topic: name });
    const [first, second] = isFile ? [readFileName(one), readFileName(other)] : [one, other];
    return this.#words.isTranslation(first, second) ? [] : [{ at, one: first, other: second }];
  }

  /** A catalogue translates all that has a word. @returns whether a header has names of the first tree, and not its own words */
  #isLeftOver(one: string, other: string, original: string): boolean {
    const names = other.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const isUntranslated = other === original && names.some((name) => this.#words.isNameOnly(name));
    return isUntranslated && (this.#sides.isCatalogue || one !== original);
  }

  #relate(address: string, side: 0 | 1): string {
    return relate(this.#sides.bases[side], address);
  }

  #compareBodies({ original, translated, actual }: Answers, isWrite: boolean): readonly Difference[] {
    const type = actual.headers['content-type'] ?? '';
    if (typeof translated.body === 'string' && typeof actual.body === 'string') {
      // A file that is no text has its own names inside.
      if (/^(?:application\/(?!.*(?:json|[+/]xml|yaml))|image\/)/.test(type)) return [];
      const [lines, others] = [translated.body, actual.body].map((text) => readLines(text, type));
      if (!lines || !others) return this.#compareTexts(translated.body, actual.body, type);
      return this.#compareValues('body', lines, others, undefined, { isError: false, isWrite, code: '' });
    }
    const isError = actual.status >= 400 || type.startsWith('application/problem+json');
    const code = isObject(original.body) ? String(original.body.code ?? original.body.type ?? '') : '';
    const context = { isError, isWrite, code };
    return [
      ...this.#compareValues('body', translated.body, actual.body, original.body, context),
      ...this.#findForeignMembers('body', original.body, actual.body),
    ];
  }

  /** Compares files line by line, and CSV files, which have their own separator in each language, cell by cell. */
  #compareTexts(one: string, other: string, type: string): readonly Difference[] {
    if (one === other) return [];
    const isCsv = type.startsWith('text/csv');
    const { csv } = this.#sides;
    const forms = [one, other].map((text, at) => csv?.[at] ?? guessForm(text)) as [CsvForm, CsvForm];
    const isMarked = other.startsWith(MARK);
    if (isCsv && isMarked !== forms[1].byteOrderMark)
      return [{ at: 'body/mark', one: forms[1].byteOrderMark, other: isMarked }];
    const [first, second] = [one, other].map((text, at) => {
      const plain = text.replace(MARK, '');
      return isCsv ? readCsv(plain, forms[at]?.delimiter ?? ',') : plain.split(/\r?\n/).map((line) => [line]);
    }) as [readonly (readonly string[])[], readonly (readonly string[])[]];
    if (first.length !== second.length) return [{ at: 'body/lines', one: first.length, other: second.length }];
    const isSame = (cell: string, there: string, column = ''): boolean => {
      if (this.#sides.decimals.has(column))
        return there === cell.replace('.', forms[1].decimals ?? '.') || there === column;
      return cell === there || (isCsv && (this.#words.isTranslation(cell, there) || cell === there.replace(',', '.')));
    };
    for (const [at, cells] of first.entries()) {
      const others = second[at] ?? [];
      const cell = cells.findIndex((each, index) => !isSame(each, others[index] ?? '', second[0]?.[index]));
      if (cell !== -1 || cells.length !== others.length) {
        return [{ at: `body/${at}/${cell}`, one: cells[cell] ?? cells.length, other: others[cell] ?? others.length }];
      }
    }
    return [];
  }

  /** Finds words of the second tree in an answer of the first, which a translation leaves as they are. */
  #findForeignMembers(at: string, original: unknown, actual: unknown): readonly Difference[] {
    if (Array.isArray(original))
      return original
        .slice(0, 3)
        .flatMap((each, index) => this.#findForeignMembers(`${at}/${index}`, each, asArray(actual)[index]));
    if (!isObject(original)) return [];
    return Object.entries(original).flatMap(([name, value]) => {
      const isForeign = this.#words.isWordOnly(name) && isObject(actual) && name in actual;
      const own = isForeign ? [{ at: `${at}/${name}`, one: name, other: name }] : [];
      return [...own, ...this.#findForeignMembers(`${at}/${name}`, value, undefined)];
    });
  }

  #compareValues(at: string, one: unknown, other: unknown, original: unknown, context: Context): readonly Difference[] {
    if (Object.is(one, other) || (isWritten(one) && isWritten(other) && one.text === other.text)) return [];
    if (typeof one === 'string' && typeof other === 'string')
      return this.#compareStrings(at, one, other, original, context);
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length) return [{ at: `${at}/length`, one: one.length, other: other.length }];
      const originals = asArray(original);
      return one.flatMap((value, index) =>
        this.#compareValues(`${at}/${index}`, value, other[index], originals[index], context),
      );
    }
    if (!isObject(one) || !isObject(other) || isWritten(one) || isWritten(other)) return [{ at, one, other }];
    const [names, others] = [Object.keys(one), Object.keys(other)];
    // A translation keeps the order of members, so that each is found in what was translated.
    const originals = Object.values(asObject(original));
    const within = [...new Set([...names, ...others])].flatMap((name) => {
      if (name === 'requestId' || name === 'request_id' || this.#words.skipped.has(name)) return [];
      return this.#compareValues(`${at}/${name}`, one[name], other[name], originals[names.indexOf(name)], context);
    });
    if (within.length > 0 || names.join('\0') === others.join('\0')) return within;
    return [{ at, one: names, other: others }];
  }

  #compareStrings(at: string, one: string, other: string, original: unknown, context: Context): readonly Difference[] {
    const [first, second] = [this.#relate(one, 0), this.#relate(other, 1)];
    // A document need not say that a text is an address of its API.
    const isAddress = first.startsWith('/') && this.#words.isTranslation(first, second);
    if (first === second || isAddress) return [];
    if (context.isWrite && DATE_TIME.test(one) && DATE_TIME.test(other)) {
      if (Math.abs(Date.parse(one) - Date.parse(other)) < MOMENT) return [];
    }
    const member = at.slice(at.lastIndexOf('/') + 1);
    const text = typeof original === 'string' ? original : '';
    const isOfError = /\/(?:suggestion|value|parameter|name|pointer|instance)$/.test(at);
    if (!context.isError) return [{ at, one, other }];
    if (this.#words.isTranslation(one, other)) return [];
    if (isOfError) return [{ at, one, other }];
    if (!SENTENCES.test(member) && ![one, other].every((each) => /\s\S+\s/.test(each))) return [{ at, one, other }];
    const topic = `${context.code} ${member}`;
    const title = member === 'title' ? this.#compareTitles(at, context.code || text, other) : [];
    return [...title, ...this.#compareSentences(at, one, other, { original: text, topic })];
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

  #compareSentences(at: string, one: string, other: string, { original, topic }: Topic): readonly Difference[] {
    const left = other === original && one !== original;
    const language = guessLanguage(other);
    if (language === this.#sides.language && other !== original) this.#own.add(topic);
    const isForeign = language !== undefined && language !== this.#sides.language && this.#own.has(topic);
    if (left || isForeign) return [{ at: `${at} (of the other language)`, one, other }];
    const [first, second] = [readSentence(one), readSentence(other)];
    const differ = (what: string, left: readonly string[], right: readonly string[]) =>
      left.join() === right.join() ? [] : [{ at: `${at}${what}`, one: left, other: right }];
    const [lost, rest] = findUnmatched(first.quoted, second.quoted, (piece, there) =>
      this.#words.isTranslation(piece, there),
    );
    // Languages of a library differ in what they quote; those of a catalogue do not.
    const isPlain = (piece: string, text: string): boolean => !this.#sides.isCatalogue && text.includes(piece);
    const own = lost.filter((piece) => !isPlain(piece, second.plain));
    const theirs = rest.filter((piece) => !isPlain(piece, first.plain));
    const names = second.plain.match(/[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+/gu) ?? [];
    const foreign = names.filter((word) => this.#words.isNameOnly(word));
    return [
      ...differ('/numbers', first.numbers, second.numbers),
      ...(own.length + theirs.length > 0 ? [{ at: `${at}/quoted`, one: own, other: theirs }] : []),
      ...(foreign.length > 0 ? [{ at: `${at} (words of the other language)`, one, other: foreign }] : []),
    ];
  }
}

/** A sentence as the first tree has it, and what it is about. */
interface Topic {
  readonly original: string;
  readonly topic: string;
}

interface Context {
  readonly isError: boolean;
  readonly isWrite: boolean;
  readonly code: string;
}

/** @returns the values of NDJSON; nothing for what is none */
function readLines(text: string, type: string): unknown[] | undefined {
  if (!type.startsWith('application/x-ndjson')) return undefined;
  try {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseExactly(line)]));
  } catch {
    return undefined;
  }
}

const MARK = '\uFEFF';

type CsvForm = Dictionary['csv'];

/** @returns how a file is written: whoever separates cells by semicolons writes decimals with a comma */
function guessForm(text: string): CsvForm {
  const [header = ''] = text.split('\n', 1);
  const hasSemicolons = header.includes(';');
  return {
    delimiter: hasSemicolons ? ';' : ',',
    byteOrderMark: text.startsWith(MARK),
    decimals: hasSemicolons ? ',' : '.',
  };
}
