/** A client's preferences for an import: to ignore one, as RFC 7240 allows, could store what was to be checked only. */
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import { PREFER_HEADER, UNITS } from '../http/exchange.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { OnDuplicate } from '../model/import.ts';
import { pointerTo } from '../read/body/members.ts';
import {
  decodeHeader,
  headerPair,
  headerPairs,
  type NamedValue,
  type Preference,
  parsePreferences,
  writePreference,
} from '../read/prefer.ts';
import { type Sentence, sentence, unknownSentence } from '../texts/phrase.ts';
import { headerProblem, Problem, type RequestError } from '../texts/problem.ts';
import { Column, normalizeText } from './cells.ts';
import { listSeparators, type ReadingOptions, readDelimiters, type ValueChoice } from './reader.ts';

export interface Fault {
  readonly detail: Sentence;
  readonly suggestion?: string | undefined;
}

/** @returns the members of nested lists that columns may feed: those that depend on no other item. They are called `photos.link` */
function nestedMembers(language: Language, collection: Collection) {
  const { word, name: listNamed } = language.paths(collection);
  const known = collection.children.flatMap((list) =>
    list.fields
      .filter(({ unique, refersTo }) => !unique && refersTo === undefined)
      .map(({ name }) => [`${list.name}.${name}`, `${word(list.name)}.${language.fields(list).word(name)}`] as const),
  );
  const index = new WordIndex(Object.fromEntries(known));
  const find = (sent: string): string | undefined => {
    const [listWord = '', member = ''] = sent.split('.');
    const list = collection.children.find(({ name }) => name === (listNamed(listWord) ?? listWord));
    const name = list && `${list.name}.${language.fields(list).name(member) ?? member}`;
    return index.names.find((each) => each === name);
  };
  return { index, find };
}

/** @param feedsNested is whether the columns may feed nested lists, too */
export function columnChoices(
  language: Language,
  collection: Collection,
  pairs: NonNullable<ReturnType<typeof headerPairs>>,
  feedsNested = false,
) {
  const fields = language.fields(collection);
  const { of } = language.nouns(collection);
  const nested = feedsNested ? nestedMembers(language, collection) : undefined;
  const findField = (word: string) =>
    fields.name(word) ?? fields.names.find((name) => name === word) ?? nested?.find(word);
  const seen = new Map<string, string>();
  const faults: Fault[] = [];
  for (const [header, word] of pairs) {
    const before = seen.get(header);
    seen.set(header, word);
    if (before !== undefined && before !== word) {
      faults.push({ detail: sentence('preference-repeated', { name: header, value: before, other: word }) });
    } else if (word !== '' && findField(word) === undefined) {
      const { known, suggest } = nested && nested.index.names.length > 0 && word.includes('.') ? nested.index : fields;
      const suggestion = suggest(word);
      faults.push({ detail: unknownSentence('field', { word, of, known }, suggestion), suggestion });
    }
  }
  return { choices: [...seen].map(([header, word]) => [header, findField(word)] as const), faults };
}

/** @returns the parts of a text such as `fuel:GASOLEO=diesel`; `undefined` if it has another form */
export function valueTriple(text: string): ValueChoice | undefined {
  const [left = '', meaning = ''] = headerPair(text) ?? [];
  const at = left.indexOf(':');
  const [field, sent] = [left.slice(0, Math.max(at, 0)).trim(), left.slice(at + 1).trim()];
  return field === '' || sent === '' ? undefined : [field, sent, meaning];
}

/** @returns the members of a list with semicolons between them */
export const splitList = (text: string): readonly string[] =>
  text.split(';').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));

function valueTriples(text: string): readonly ValueChoice[] | undefined {
  const parts = splitList(text);
  const triples = parts.map(valueTriple).filter((triple) => triple !== undefined);
  return triples.length === parts.length && triples.length > 0 ? triples : undefined;
}

/** @param style is how values are written. @returns the choices by the names of fields, and what is wrong with others */
export function valueChoices(
  language: Language,
  collection: Collection,
  triples: readonly ValueChoice[],
  style: ReadingOptions = {},
) {
  const { choices: fields, faults } = columnChoices(language, collection, [
    ...new Map(triples.map(([word]) => [word, word])),
  ]);
  const names = new Map(fields);
  const seen = new Map<string, string>();
  const choices = triples.flatMap(([word, text, sent]): readonly ValueChoice[] => {
    const field = collection.fields.find(({ name }) => name === names.get(word));
    if (!field) return [];
    const id = `${field.name}:${normalizeText(text)}`;
    const before = seen.get(id);
    seen.set(id, sent);
    if (before !== undefined && before !== sent) {
      faults.push({ detail: sentence('preference-repeated', { name: `${word}:${text}`, value: before, other: sent }) });
    }
    if (sent === '') return [[field.name, text, sent]];
    const { word: choiceWord, value } = language.valueWords(collection, field).choices;
    // The name that all languages share serves in a profile for all of them.
    const isName = field.choices?.includes(sent) === true && value(sent, true) === undefined;
    const meaning = isName ? choiceWord(sent) : sent;
    const { decimals, timeZone, takesDates } = style;
    const { detail } = new Column(language, collection, field, 0, { decimals, timeZone, takesDates }).read(meaning);
    if (detail) faults.push({ detail });
    return detail ? [] : [[field.name, text, meaning]];
  });
  return { choices, faults };
}

const resolutions: Readonly<Record<string, OnDuplicate>> = {
  'merge-duplicates': 'merge',
  'ignore-duplicates': 'ignore',
  'replace-all': 'replace-all',
};

export const ALLOW_DELETIONS = 'allow-deletions';
const ALLOW_NEW_KEYS = 'allow-new-keys';
export const LIST_CHANGES = 'return=representation';
/** Registered preferences of which imports use no other value (https://www.iana.org/assignments/http-parameters). */
const UNUSED = ['depth-noroot', 'respond-async', 'return', 'safe', 'wait'];

interface Rule {
  readonly values?: readonly string[];
  readonly example?: string;
  readonly isValid: (value: string) => boolean;
}

const choice = (...values: readonly string[]): Rule => ({ values, isValid: (value) => values.includes(value) });
const text = (example: string, isValid: Rule['isValid']): Rule => ({ example, isValid });
const flag: Rule = { isValid: (value) => value === '' };
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && name !== '';
  } catch {
    return false;
  }
}
const areTriples = (value: string): boolean => valueTriples(value) !== undefined;
const arePairs = (value: string): boolean => headerPairs(value) !== undefined;

/** Names and values belong to the protocol: they are the same in every language. Those without a list of values may be parameters of others. */
const rules: ReadonlyMap<string, Rule> = new Map([
  ['handling', choice('strict', 'lenient', 'check')],
  ['resolution', choice(...Object.keys(resolutions))],
  ['absent-cells', choice('clear')],
  ['missing-keys', choice('reject')],
  ['stale', choice('overwrite')],
  [ALLOW_DELETIONS, flag],
  [ALLOW_NEW_KEYS, flag],
  ['ignore-unknown-columns', flag],
  ['date-as-year', flag],
  ['decimals', choice('comma', 'point')],
  ['time-zone', text('time-zone=Europe/Madrid', isTimeZone)],
  // The resource has read it already.
  [UNITS, text('units="<field>=<unit>"', arePairs)],
  ['columns', text('columns="CV=<field>; KW="', arePairs)],
  ['profile', text('profile=erp', (value) => value.trim() !== '')],
  ['values', text('values="<field>:GASOLEO=diesel; <field>:S/N="', areTriples)],
  ['null-values', text('null-values="N/D; -"', (value) => splitList(value).length > 0)],
  ['lists', choice(...Object.keys(listSeparators))],
  ['delimiter', choice(...Object.keys(readDelimiters))],
  ['sheet', text('sheet="2026"', (value) => value.trim() !== '')],
  ['skip-rows', text('skip-rows="<field>=TOTAL"', arePairs)],
  ['max-rejected', text('handling=lenient; max-rejected=5', (value) => /^\d{1,9}$/.test(value))],
  ['header-row', text('header-row=4', (value) => /^[1-9]\d{0,6}$/.test(value))],
]);
const isFlag = (name: string): boolean => rules.get(name) === flag;

export const indexWords = (words: Iterable<string>): WordIndex =>
  new WordIndex(Object.fromEntries([...words].map((word) => [word, word])));
const names = indexWords(rules.keys());
/** The preference that has a value, the first one if several have it. */
const owners = new Map(
  [...rules].reverse().flatMap(([name, { values = [] }]) => values.map((value) => [value, name] as const)),
);
const allValues = indexWords(owners.keys());

function isParameter({ name, value }: NamedValue): boolean {
  const rule = rules.get(name);
  return rule !== undefined && !rule.values && rule.isValid(value);
}

/** @returns the preference that was probably intended, such as `handling=check` by `check` */
function suggest({ name, value }: NamedValue): string | undefined {
  const word = allValues.suggest(name) ?? allValues.suggest(value);
  if (word !== undefined) return `${owners.get(word)}=${word}`;
  const similar = names.suggest(name) ?? '';
  if (isFlag(similar)) return similar;
  const rule = rules.get(similar);
  return rule?.example !== undefined && rule.isValid(value) ? writePreference({ name: similar, value }) : undefined;
}

function headerError(detail: Sentence, suggestion?: string): RequestError {
  return { place: { header: PREFER_HEADER }, code: 'invalid-header', detail, suggestion };
}

function unknownPreference(preference: NamedValue, before?: string): RequestError {
  const { name, value } = preference;
  if (isFlag(name)) return headerError(sentence('preference-bare', { name, value }));
  const similar = suggest(preference);
  const suggestion = before === undefined || similar === undefined ? similar : `${before}, ${similar}`;
  const sent = [...(before === undefined ? [] : [before]), writePreference(preference)].join('; ');
  return headerError(unknownSentence('preference-name', { sent, known: names.known }, suggestion), suggestion);
}

/** @returns the errors of a preference that is understood only in part: what is ignored may have been meant to store nothing */
function checkPreference(preference: Preference): readonly RequestError[] {
  const { name, value, parameters } = preference;
  const refuse = (some: readonly NamedValue[]) =>
    some.map((parameter) => unknownPreference(parameter, writePreference(preference)));
  if (UNUSED.includes(name)) {
    const hides = suggest({ name: '', value }) !== undefined;
    const ours = parameters.filter((parameter) => rules.has(parameter.name) || suggest(parameter) !== undefined);
    return [...(hides ? [unknownPreference(preference)] : []), ...refuse(ours)];
  }
  const rule = rules.get(name);
  if (!rule) return [unknownPreference(preference)];
  const faults = refuse(parameters.filter((parameter) => !isParameter(parameter)));
  if (rule.isValid(value)) return faults;
  if (rule === flag) return [unknownPreference(preference), ...faults];
  if (!rule.values)
    return [headerError(sentence('preference-form', { name, value, example: rule.example ?? '' })), ...faults];
  const words = indexWords(rule.values);
  const suggestion = words.suggest(value);
  const detail = unknownSentence('preference', { name, value, known: words.known }, suggestion);
  return [headerError(detail, suggestion), ...faults];
}

function checkRepeated(preferences: readonly Preference[]): readonly RequestError[] {
  const first = new Map(preferences.toReversed().map(({ name, value }) => [name, value]));
  return preferences
    .map(({ name, value }) => ({ name, value: first.get(name) ?? '', other: value }))
    .filter(({ name, value, other }) => rules.has(name) && value !== other)
    .map((values) => headerError(sentence('preference-repeated', values)));
}

function refuse(errors: readonly RequestError[]): void {
  const [first] = errors;
  if (first) throw new Problem(first.code, first.detail, { errors });
}

export function refuseFaults(faults: readonly Fault[]): void {
  refuse(faults.map(({ detail, suggestion }) => headerError(detail, suggestion)));
}

export type ImportPreferences = ReturnType<typeof readPreferences>;

/** @throws Problem `invalid-header` if the header violates the standard, or is not understood whole */
export function readPreferences(header: string | null, language: Language, collection: Collection) {
  const preferences = header === null ? [] : parsePreferences(decodeHeader(header));
  if (!preferences) {
    throw headerProblem(PREFER_HEADER, 'invalid-header', sentence('preferences-malformed', { header: PREFER_HEADER }));
  }
  refuse([...preferences.flatMap(checkPreference), ...checkRepeated(preferences)]);
  const parameters = preferences.flatMap((each) => each.parameters).filter(isParameter);
  const values = new Map([...parameters, ...preferences].map(({ name, value }) => [name, value]));
  const pairs = (name: string) => (values.has(name) ? (headerPairs(values.get(name) ?? '') ?? []) : []);
  const { choices, faults } = columnChoices(language, collection, pairs('columns'), true);
  const style = {
    takesDates: values.has('date-as-year'),
    decimals: values.get('decimals') as ReadingOptions['decimals'],
    timeZone: values.get('time-zone'),
  };
  const meanings = valueChoices(language, collection, valueTriples(values.get('values') ?? '') ?? [], style);
  refuseFaults([...faults, ...meanings.faults]);
  const handling = values.get('handling') ?? 'strict';
  // Only lenient imports allow rejected rows.
  if (handling !== 'lenient') values.delete('max-rejected');
  const mostRejected = values.get('max-rejected');
  const rejectsMissing = values.has('missing-keys');
  const onDuplicate = resolutions[values.get('resolution') ?? ''] ?? (rejectsMissing ? 'merge' : 'error');
  const replaces = onDuplicate === 'replace-all';
  if (language.units.size === 0) values.delete(UNITS);
  if (!replaces) values.delete(ALLOW_DELETIONS);
  if (rejectsMissing || (!replaces && onDuplicate !== 'merge')) values.delete(ALLOW_NEW_KEYS);
  const reading: ReadingOptions = {
    ...style,
    clearsEmpty: replaces || values.has('absent-cells'),
    columns: choices,
    ignoresUnknown: values.has('ignore-unknown-columns'),
    sheet: values.get('sheet'),
    headerRow: Number(values.get('header-row') ?? 0),
    values: meanings.choices,
    nullValues: splitList(values.get('null-values') ?? ''),
    lists: values.get('lists') as ReadingOptions['lists'],
    delimiter: values.get('delimiter') as ReadingOptions['delimiter'],
    skips: pairs('skip-rows'),
    units: language.units.size > 0 ? [...language.units] : undefined,
  };
  return {
    isLenient: handling === 'lenient',
    isCheck: handling === 'check',
    mostRejected: mostRejected === undefined ? undefined : Number(mostRejected),
    onDuplicate,
    allowsDeletions: values.has(ALLOW_DELETIONS),
    rejectsMissing,
    overwritesStale: values.has('stale'),
    allowsNewKeys: values.has(ALLOW_NEW_KEYS),
    listsChanges: preferences.some((each) => writePreference(each) === LIST_CHANGES),
    profile: values.get('profile'),
    reading,
    applied: writeApplied(values),
  };
}

/** @returns the preferences that are followed; flags that belong to `resolution` are its parameters */
function writeApplied(values: ReadonlyMap<string, string>): string {
  const allowed = [ALLOW_DELETIONS, ALLOW_NEW_KEYS].filter((name) => values.has(name));
  return [...rules.keys()]
    .filter((name) => values.has(name) && !allowed.includes(name))
    .sort((one, other) => Number(isFlag(one)) - Number(isFlag(other)))
    .map((name) => {
      const written = writePreference({ name, value: values.get(name) ?? '' });
      return name === 'resolution' ? [written, ...allowed].join('; ') : written;
    })
    .join(', ');
}

/** @param rules have no `applied` in a command. @returns the problem of a file without keys, whose rows would all be new; `undefined` if they may be */
export function withoutKeys(
  language: Language,
  collection: Collection,
  rules: Pick<ImportPreferences, 'onDuplicate' | 'rejectsMissing' | 'allowsNewKeys'> & { readonly applied?: string },
): Problem | undefined {
  const { key, name, parent } = collection;
  const word = language.fields(collection).word(key.name);
  const merges = rules.onDuplicate === 'merge' || rules.onDuplicate === 'replace-all';
  if (!rules.rejectsMissing && (!merges || rules.allowsNewKeys || !key.assigned)) return undefined;
  const { applied } = rules;
  const option = applied === undefined ? `--${ALLOW_NEW_KEYS}` : `${PREFER_HEADER}: ${applied}, ${ALLOW_NEW_KEYS}`;
  const detail = rules.rejectsMissing
    ? sentence('keys-needed', { word })
    : sentence('keys-absent', { word, list: language.paths(parent).word(name), option });
  const error: RequestError = { place: { pointer: pointerTo(word) }, code: 'missing-field', detail };
  return new Problem('missing-field', detail, { errors: [error] });
}
