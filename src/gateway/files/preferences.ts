import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import { PREFER_HEADER } from '../http/respond.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { OnDuplicate } from '../model/import.ts';
import { pointerTo } from '../read/body/members.ts';
import { type NamedValue, type Preference, preferencesIn, preferenceText, textOfHeader } from '../read/prefer.ts';
import { type Sentence, sentence, unknownSentence } from '../texts/phrase.ts';
import { headerProblem, Problem, type RequestError } from '../texts/problem.ts';
import type { ColumnChoice, ReadingOptions } from './reader.ts';

/** Which columns of a table are which fields, where their headers do not say it. */

/** What the header of a column says, and a text that follows it: `POTENCIA=cilindrada`. */
export type HeaderPair = readonly [header: string, text: string];

/** @returns the two parts of a pair; `undefined` where it is none */
export const headerPair = (sent: string): HeaderPair | undefined => {
  const at = sent.lastIndexOf('=');
  const header = sent.slice(0, Math.max(at, 0)).trim();
  return header === '' ? undefined : [header, sent.slice(at + 1).trim()];
};

/** @returns pairs that semicolons separate; `undefined` where one is none */
export const headerPairs = (sent: string): readonly HeaderPair[] | undefined => {
  const parts = sent.split(';').filter((part) => part.trim() !== '');
  const pairs = parts.map(headerPair).filter((pair) => pair !== undefined);
  return pairs.length === parts.length && pairs.length > 0 ? pairs : undefined;
};

/**
 * @param pairs each with the word of a field, or none for a column that is not read
 * @returns the choices, and what is wrong with them
 */
export const columnChoices = (language: Language, collection: Collection, pairs: readonly HeaderPair[]) => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  const fieldOf = (word: string): string | undefined =>
    vocabulary.name(word) ?? vocabulary.names.find((name) => name === word);
  const seen = new Map<string, string>();
  const faults = pairs.flatMap(([header, word]): readonly { detail: Sentence; suggestion?: string | undefined }[] => {
    const before = seen.get(header);
    seen.set(header, word);
    if (before !== undefined && before !== word) {
      return [{ detail: sentence('preference-repeated', { name: header, value: before, other: word }) }];
    }
    if (word === '' || fieldOf(word) !== undefined) return [];
    const suggestion = vocabulary.suggest(word);
    return [{ detail: unknownSentence('field', { word, of, known: vocabulary.known }, suggestion), suggestion }];
  });
  const choices = [...seen].map(([header, word]): ColumnChoice => [header, fieldOf(word)]);
  return { choices, faults };
};

/**
 * A client's preferences for an import. RFC 7240 §2 lets a service ignore what it does not know; here that could store what was
 * to be checked only, so that all must be understood but those that are registered for other requests.
 */

type Handling = 'strict' | 'lenient' | 'check';

/** Names and values belong to the protocol, as methods do: they are the same in every language. */
export interface ImportPreferences {
  readonly handling: Handling;
  /** Rows that may be rejected where it is lenient; any number if `undefined`. */
  readonly mostRejected: number | undefined;
  readonly onDuplicate: OnDuplicate;
  readonly allowsDeletions: boolean;
  /** Whether a row whose key does not exist is an error. */
  readonly rejectsMissing: boolean;
  /** Whether a file without keys may add items although it is merged. */
  readonly allowsNewKeys: boolean;
  /** Whether the report lists what the import does. */
  readonly listsChanges: boolean;
  /** How the file is read. */
  readonly reading: ReadingOptions;
  /** The value of `Preference-Applied`; empty where there was no preference. */
  readonly applied: string;
}

/** The values of `resolution`, and what each does. */
const resolutions = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'replace-all': 'replace-all',
} as const satisfies Readonly<Record<string, OnDuplicate>>;

export const ALLOW_DELETIONS = 'allow-deletions';
const ALLOW_NEW_KEYS = 'allow-new-keys';
const IGNORE_UNKNOWN = 'ignore-unknown-columns';
const DATE_AS_YEAR = 'date-as-year';
const MAX_REJECTED = 'max-rejected';
/** The one value of `return` that imports use. */
export const LIST_CHANGES = 'return=representation';
/** Registered preferences of which imports use no other value (https://www.iana.org/assignments/http-parameters). */
const UNUSED = ['depth-noroot', 'respond-async', 'return', 'safe', 'wait'];

/** What values a preference has. */
interface Rule {
  readonly kind: 'words' | 'flag' | 'text';
  readonly isValid: (value: string) => boolean;
  /** The values, if the kind is `words`. */
  readonly words: WordIndex;
  /** How the preference is written, if the kind is `text`. */
  readonly example: string;
}

function vocabularyOf(words: readonly string[]): WordIndex {
  return new WordIndex(Object.fromEntries(words.map((word) => [word, word])), []);
}

function oneOf(values: readonly string[]): Rule {
  return { kind: 'words', isValid: (value) => values.includes(value), words: vocabularyOf(values), example: '' };
}

function text(example: string, isValid: Rule['isValid']): Rule {
  return { kind: 'text', isValid, words: vocabularyOf([]), example };
}

const flag: Rule = { kind: 'flag', isValid: (value) => value === '', words: vocabularyOf([]), example: '' };
const arePairs = (value: string): boolean => headerPairs(value) !== undefined;

/** The preferences of imports. Those of other kinds than `words` may also be parameters of another preference. */
const rules: ReadonlyMap<string, Rule> = new Map([
  ['handling', oneOf(['strict', 'lenient', 'check'] satisfies readonly Handling[])],
  ['resolution', oneOf(Object.keys(resolutions))],
  ['absent-cells', oneOf(['clear'])],
  ['missing-keys', oneOf(['reject'])],
  [ALLOW_DELETIONS, flag],
  [ALLOW_NEW_KEYS, flag],
  [IGNORE_UNKNOWN, flag],
  [DATE_AS_YEAR, flag],
  ['columns', text('columns="CV=<field>; KW="', arePairs)],
  ['sheet', text('sheet="2026"', (value) => value.trim() !== '')],
  ['skip-rows', text('skip-rows="<field>=TOTAL"', arePairs)],
  [MAX_REJECTED, text('handling=lenient; max-rejected=5', (value) => /^\d{1,9}$/.test(value))],
  ['header-row', text('header-row=4', (value) => /^[1-9]\d{0,6}$/.test(value))],
]);
const names = vocabularyOf([...rules.keys()]);
/** The preference that has a value: no two have the same. */
const owners = new Map([...rules].flatMap(([name, { words }]) => words.names.map((value) => [value, name])));
const allValues = vocabularyOf([...owners.keys()]);

function isParameter({ name, value }: NamedValue): boolean {
  const rule = rules.get(name);
  return rule !== undefined && rule.kind !== 'words' && rule.isValid(value);
}

/** @returns the preference that was probably intended, such as `handling=check` by `check` */
function suggest({ name, value }: NamedValue): string | undefined {
  const word = allValues.suggest(name) ?? allValues.suggest(value);
  if (word !== undefined) return `${owners.get(word)}=${word}`;
  const similar = names.suggest(name) ?? '';
  const rule = rules.get(similar);
  if (rule?.kind === 'flag') return similar;
  return rule?.kind === 'text' && rule.isValid(value) ? preferenceText({ name: similar, value }) : undefined;
}

function makeError(detail: Sentence, suggestion?: string): RequestError {
  return { place: { header: PREFER_HEADER }, code: 'invalid-header', detail, suggestion };
}

/** @returns the error of what is no preference of imports. @param before the preference whose parameter it is */
function notUnderstood(sent: NamedValue, before?: string): RequestError {
  const { name, value } = sent;
  if (rules.get(name)?.kind === 'flag') return makeError(sentence('preference-bare', { name, value }));
  const similar = suggest(sent);
  const suggestion = before === undefined || similar === undefined ? similar : `${before}, ${similar}`;
  const all = [...(before === undefined ? [] : [before]), preferenceText(sent)].join('; ');
  return makeError(unknownSentence('preference-name', { sent: all, known: names.known }, suggestion), suggestion);
}

/** @returns the errors of the value of a preference of imports */
function checkValue(preference: NamedValue, { kind, isValid, words, example }: Rule): readonly RequestError[] {
  const { name, value } = preference;
  if (isValid(value)) return [];
  if (kind === 'flag') return [notUnderstood(preference)];
  if (kind === 'text') return [makeError(sentence('preference-form', { name, value, example }))];
  const suggestion = words.suggest(value);
  return [makeError(unknownSentence('preference', { name, value, known: words.known }, suggestion), suggestion)];
}

/** @returns the errors of a preference that is understood only in part: what is ignored may have been meant to store nothing */
function checkPreference(preference: Preference): readonly RequestError[] {
  const { name, value, parameters } = preference;
  const refuseParameters = (faulty: readonly NamedValue[]) =>
    faulty.map((sent) => notUnderstood(sent, preferenceText(preference)));
  if (UNUSED.includes(name)) {
    const hides = suggest({ name: '', value }) !== undefined;
    const ours = parameters.filter((sent) => rules.has(sent.name) || suggest(sent) !== undefined);
    return [...(hides ? [notUnderstood(preference)] : []), ...refuseParameters(ours)];
  }
  const rule = rules.get(name);
  if (!rule) return [notUnderstood(preference)];
  return [...checkValue(preference, rule), ...refuseParameters(parameters.filter((sent) => !isParameter(sent)))];
}

/** @returns the errors of preferences that are sent again with another value */
function checkRepeated(sent: readonly NamedValue[]): readonly RequestError[] {
  const first = new Map(sent.toReversed().map(({ name, value }) => [name, value]));
  return sent
    .map(({ name, value }) => ({ name, value: first.get(name) ?? '', other: value }))
    .filter(({ name, value, other }) => rules.has(name) && value !== other)
    .map((values) => makeError(sentence('preference-repeated', values)));
}

/** @throws Problem with errors of the header, if there are any */
function refuse(errors: readonly RequestError[]): void {
  const [first] = errors;
  if (first) throw new Problem(first.code, first.detail, { errors });
}

/**
 * @param header `Prefer`, if sent
 * @param language whose words the fields of columns have
 * @throws Problem `invalid-header` where it violates the standard, or is not understood whole
 */
export function readPreferences(header: string | null, language: Language, collection: Collection): ImportPreferences {
  const sent = preferencesIn(textOfHeader(header ?? ''));
  if (!sent) {
    throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('preferences-malformed', { header: PREFER_HEADER }));
  }
  refuse([...sent.flatMap(checkPreference), ...checkRepeated(sent)]);
  const parameters = sent.flatMap((each) => each.parameters).filter(isParameter);
  const values = new Map([...parameters, ...sent].map(({ name, value }) => [name, value]));
  const { choices, faults } = columnChoices(language, collection, headerPairs(values.get('columns') ?? '') ?? []);
  refuse(faults.map(({ detail, suggestion }) => makeError(detail, suggestion)));
  const resolution = values.get('resolution') as keyof typeof resolutions | undefined;
  const rejectsMissing = values.has('missing-keys');
  const replaces = resolution === 'replace-all';
  const allowsDeletions = replaces && values.has(ALLOW_DELETIONS);
  const merges = !rejectsMissing && (replaces || resolution === 'merge-duplicates');
  const allowsNewKeys = merges && values.has(ALLOW_NEW_KEYS);
  const handling = (values.get('handling') as Handling | undefined) ?? 'strict';
  // Only lenient imports allow rejected rows.
  if (handling !== 'lenient') values.delete(MAX_REJECTED);
  const mostRejected = values.get(MAX_REJECTED);
  const allowed = [...(allowsDeletions ? [ALLOW_DELETIONS] : []), ...(allowsNewKeys ? [ALLOW_NEW_KEYS] : [])];
  const applied = [...rules].flatMap(([name, { kind }]) => {
    if (kind === 'flag' || !values.has(name)) return [];
    const written = preferenceText({ name, value: values.get(name) ?? '' });
    return [[written, ...(name === 'resolution' ? allowed : [])].join('; ')];
  });
  return {
    handling,
    mostRejected: mostRejected === undefined ? undefined : Number(mostRejected),
    onDuplicate: resolution === undefined ? (rejectsMissing ? 'merge' : 'error') : resolutions[resolution],
    allowsDeletions,
    rejectsMissing,
    allowsNewKeys,
    listsChanges: sent.some((each) => preferenceText(each) === LIST_CHANGES),
    reading: {
      clearsEmpty: replaces || values.has('absent-cells'),
      columns: choices,
      ignoresUnknown: values.has(IGNORE_UNKNOWN),
      sheet: values.get('sheet'),
      headerRow: Number(values.get('header-row') ?? 0),
      takesDates: values.has(DATE_AS_YEAR),
      skips: headerPairs(values.get('skip-rows') ?? ''),
    },
    applied: [...applied, ...[IGNORE_UNKNOWN, DATE_AS_YEAR].filter((name) => values.has(name))].join(', '),
  };
}

/** @throws Problem `invalid-header` where a check is preferred for a single item, which would be stored */
export function refuseCheck(header: string | null): void {
  if (header === null || !/\bcheck\b/i.test(header)) return;
  throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('check-single', { header: PREFER_HEADER }));
}

interface Rules extends Pick<ImportPreferences, 'onDuplicate' | 'rejectsMissing' | 'allowsNewKeys'> {
  /** The value of `Preference-Applied`; absent for a command. */
  readonly applied?: string;
}

/** @returns the problem of a file without keys, whose rows would all be new; `undefined` if they may be */
export function withoutKeys(language: Language, collection: Collection, rules: Rules): Problem | undefined {
  const { key, name, parent } = collection;
  const { onDuplicate, rejectsMissing, allowsNewKeys, applied } = rules;
  const word = language.fields(collection).word(key.name);
  const refuse = (detail: Sentence): Problem =>
    new Problem('missing-field', detail, {
      errors: [{ place: { pointer: pointerTo(word) }, code: 'missing-field', detail }],
    });
  if (rejectsMissing) return refuse(sentence('keys-needed', { word }));
  const merges = onDuplicate === 'merge' || onDuplicate === 'replace-all';
  if (!merges || allowsNewKeys || !key.assigned) return undefined;
  const option = applied === undefined ? `--${ALLOW_NEW_KEYS}` : `${PREFER_HEADER}: ${applied}, ${ALLOW_NEW_KEYS}`;
  return refuse(sentence('keys-absent', { word, list: language.paths(parent).word(name), option }));
}
