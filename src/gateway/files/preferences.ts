/** A client's preferences for an import. None is ignored, as RFC 7240 allows: that could store what was only to be checked. */
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { OnDuplicate } from '../model/import.ts';
import { pointerTo } from '../read/body/members.ts';
import {
  decodeHeader,
  listMembers,
  type NamedValue,
  type Preference,
  parsePreferences,
  readHeaderPair,
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

/** @returns the members of nested lists that columns may feed, such as `photos.link`: those that depend on no other item */
function indexNestedMembers(language: Language, collection: Collection) {
  const { word, name: readList, suggest: suggestList } = language.paths(collection);
  const known = collection.children.flatMap((list) =>
    list.fields
      .filter(({ unique, refersTo }) => !unique && refersTo === undefined)
      .map(({ name }) => [`${list.name}.${name}`, `${word(list.name)}.${language.fields(list).word(name)}`] as const),
  );
  const index = new WordIndex(Object.fromEntries(known));
  const find = (text: string, isLoose = false): string | undefined => {
    const [listWord = '', member = ''] = text.split('.');
    const listName = readList(listWord) ?? (isLoose ? readList(suggestList(listWord) ?? '') : listWord);
    const list = collection.children.find(({ name }) => name === listName);
    const fields = list && language.fields(list);
    const similar = isLoose ? fields?.name(fields.suggest(member) ?? '') : member;
    return index.names.find((name) => name === `${listName}.${fields?.name(member) ?? similar}`);
  };
  const suggest = (text: string): string | undefined => {
    const name = find(text, true);
    return name === undefined ? index.suggest(text) : index.word(name);
  };
  return { names: index.names, known: index.known, find, suggest };
}

type Pairs = readonly NonNullable<ReturnType<typeof readHeaderPair>>[];

/** @param feedsNested is whether the columns may feed nested lists, too */
export function readColumnChoices(language: Language, collection: Collection, pairs: Pairs, feedsNested = false) {
  const fields = language.fields(collection);
  const { of } = language.nouns(collection);
  const nested = feedsNested ? indexNestedMembers(language, collection) : undefined;
  const findField = (word: string) =>
    fields.name(word) ?? fields.names.find((name) => name === word) ?? nested?.find(word);
  const seen = new Map<string, string>();
  const faults: Fault[] = [];
  for (const [header, word] of pairs) {
    const value = seen.get(header) ?? word;
    seen.set(header, word);
    if (value !== word) {
      faults.push({ detail: sentence('preference-repeated', { name: header, value, other: word }) });
    } else if (word !== '' && findField(word) === undefined) {
      const { known, suggest } = nested && nested.names.length > 0 && word.includes('.') ? nested : fields;
      const suggestion = suggest(word);
      faults.push({ detail: unknownSentence('field', { word, of, known }, suggestion), suggestion });
    }
  }
  return { choices: [...seen].map(([header, word]) => [header, findField(word)] as const), faults };
}

/** @returns the parts of a text such as `fuel:GASOLEO=diesel`; `undefined` if it has another form */
export function readValueTriple(text: string): ValueChoice | undefined {
  const [left = '', meaning = ''] = readHeaderPair(text) ?? [];
  const at = left.indexOf(':');
  const [field, value] = [left.slice(0, Math.max(at, 0)).trim(), left.slice(at + 1).trim()];
  return field === '' || value === '' ? undefined : [field, value, meaning];
}

/** @param style is how values are written. @returns the choices by the names of fields, and what is wrong with others */
export function readValueChoices(
  language: Language,
  collection: Collection,
  triples: readonly ValueChoice[],
  style: ReadingOptions = {},
) {
  const words = new Map(triples.map(([word]) => [word, word]));
  const { choices: fields, faults } = readColumnChoices(language, collection, [...words]);
  const names = new Map(fields);
  const seen = new Map<string, string>();
  const { decimals, timeZone, takesDates } = style;
  const choices = triples.flatMap(([word, text, meaning]): readonly ValueChoice[] => {
    const field = collection.fields.find(({ name }) => name === names.get(word));
    if (!field) return [];
    const id = `${field.name}:${normalizeText(text)}`;
    const value = seen.get(id) ?? meaning;
    seen.set(id, meaning);
    if (value !== meaning) {
      faults.push({ detail: sentence('preference-repeated', { name: `${word}:${text}`, value, other: meaning }) });
    }
    if (meaning === '') return [[field.name, text, meaning]];
    const choiceWords = language.valueWords(collection, field).choices;
    // The name that all languages share serves in a profile for all of them.
    const isName = field.choices?.includes(meaning) === true && choiceWords.value(meaning, true) === undefined;
    const ownMeaning = isName ? choiceWords.word(meaning) : meaning;
    const { detail } = new Column(language, collection, field, 0, { decimals, timeZone, takesDates }).read(ownMeaning);
    if (detail) faults.push({ detail });
    return detail ? [] : [[field.name, text, ownMeaning]];
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
  /** What an option of the command may be, if not one of the values. */
  readonly known?: string;
  readonly isValid: (value: string) => boolean;
}

const choice = (...values: readonly string[]): Rule => ({ values, isValid: (value) => values.includes(value) });
const text = (example: string, isValid: Rule['isValid'], known = example): Rule => ({ example, isValid, known });
const flag: Rule = { isValid: (value) => value === '' };

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' && name !== '';
  } catch {
    return false;
  }
}
const keepText = (text: string): string => text;
const createListCheck = (read: (part: string) => unknown) => (value: string) => listMembers(value, read) !== undefined;
const arePairs = createListCheck(readHeaderPair);

/** Names and values belong to the protocol: they are the same in every language. Those without a list of values may be parameters of others. */
export const rules: ReadonlyMap<string, Rule> = new Map([
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
  ['time-zone', text('time-zone=Europe/Madrid', isTimeZone, 'Europe/Madrid, UTC…')],
  // The resource has read it already.
  ['units', text('units="<field>=<unit>"', arePairs)],
  ['columns', text('columns="CV=<field>; KW="', arePairs)],
  ['profile', text('profile=erp', (value) => value.trim() !== '')],
  ['values', text('values="<field>:GASOLEO=diesel; <field>:S/N="', createListCheck(readValueTriple))],
  ['null-values', text('null-values="N/D; -"', createListCheck(keepText))],
  ['lists', choice(...Object.keys(listSeparators))],
  ['delimiter', choice(...Object.keys(readDelimiters))],
  ['sheet', text('sheet="2026"', (value) => value.trim() !== '')],
  ['skip-rows', text('skip-rows="<field>=TOTAL"', arePairs)],
  ['max-rejected', text('handling=lenient; max-rejected=5', (value) => /^\d{1,9}$/.test(value), '0, 1, 2…')],
  ['header-row', text('header-row=4', (value) => /^[1-9]\d{0,6}$/.test(value), '1, 2, 3…')],
]);
export const names = <N extends string>(record: Readonly<Record<N, unknown>>) => Object.keys(record) as N[];
/** Preferences that are options of reading as they are. */
export const plainOptions = {
  lists: 'lists',
  delimiter: 'delimiter',
  sheet: 'sheet',
  'header-row': 'headerRow',
  decimals: 'decimals',
  'time-zone': 'timeZone',
  'ignore-unknown-columns': 'ignoresUnknown',
  'date-as-year': 'takesDates',
} as const satisfies Readonly<Record<string, keyof ReadingOptions>>;
export const isFlag = (name: string): boolean => rules.get(name) === flag;

export const indexWords = (words: Iterable<string>): WordIndex =>
  new WordIndex(Object.fromEntries([...words].map((word) => [word, word])));
const index = indexWords(rules.keys());
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
  const similar = index.suggest(name) ?? '';
  if (isFlag(similar)) return similar;
  const rule = rules.get(similar);
  return rule?.example !== undefined && rule.isValid(value) ? writePreference({ name: similar, value }) : undefined;
}

function headerError(detail: Sentence, suggestion?: string): RequestError {
  return { place: { header: 'Prefer' }, code: 'invalid-header', detail, suggestion };
}

/** @param owner is the preference that has this one as a parameter */
function describeUnknown(preference: NamedValue, owner?: string): RequestError {
  const { name, value } = preference;
  if (isFlag(name)) return headerError(sentence('preference-bare', { name, value }));
  const similar = suggest(preference);
  const suggestion = owner === undefined || similar === undefined ? similar : `${owner}, ${similar}`;
  const sent = (owner === undefined ? '' : `${owner}; `) + writePreference(preference);
  return headerError(unknownSentence('preference-name', { sent, known: index.known }, suggestion), suggestion);
}

/** @returns the errors of a preference that is understood only in part: what is ignored may have been meant to store nothing */
function checkPreference(preference: Preference): readonly RequestError[] {
  const { name, value, parameters } = preference;
  const refuseAll = (unknown: readonly NamedValue[]) =>
    unknown.map((parameter) => describeUnknown(parameter, writePreference(preference)));
  if (UNUSED.includes(name)) {
    const isOurs = suggest({ name: '', value }) !== undefined;
    const known = parameters.filter((parameter) => rules.has(parameter.name) || suggest(parameter) !== undefined);
    return [...(isOurs ? [describeUnknown(preference)] : []), ...refuseAll(known)];
  }
  const rule = rules.get(name);
  if (!rule) return [describeUnknown(preference)];
  const faults = refuseAll(parameters.filter((parameter) => !isParameter(parameter)));
  if (rule.isValid(value)) return faults;
  if (rule === flag) return [describeUnknown(preference), ...faults];
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
  const received = header === null ? [] : parsePreferences(decodeHeader(header));
  if (!received) {
    throw headerProblem('Prefer', 'invalid-header', sentence('preferences-malformed', { header: 'Prefer' }));
  }
  refuse([...received.flatMap(checkPreference), ...checkRepeated(received)]);
  const parameters = received.flatMap((preference) => preference.parameters).filter(isParameter);
  const values = new Map([...parameters, ...received].map(({ name, value }) => [name, value]));
  const { faults, ...preferences } = interpret(values, language, collection);
  refuseFaults(faults);
  const { isLenient, onDuplicate, rejectsMissing } = preferences;
  const replaces = onDuplicate === 'replace-all';
  // Only lenient imports allow rejected rows.
  if (!isLenient) values.delete('max-rejected');
  if (language.units.size === 0) values.delete('units');
  if (!replaces) values.delete(ALLOW_DELETIONS);
  if (rejectsMissing || (!replaces && onDuplicate !== 'merge')) values.delete(ALLOW_NEW_KEYS);
  return {
    ...preferences,
    listsChanges: received.some((preference) => writePreference(preference) === LIST_CHANGES),
    profile: values.get('profile'),
    applied: writeFollowed(values),
  };
}

/**
 * Says how a file is imported, and which words are unknown.
 *
 * @param mappings are the columns and values of a command's options
 * @param profile says how a file is read, unless the other parameters do
 */
export function interpret(
  values: ReadonlyMap<string, string>,
  language: Language,
  collection: Collection,
  mappings: { readonly columns?: Pairs; readonly values?: readonly ValueChoice[] } = {},
  profile: ReadingOptions = {},
) {
  const list = <T>(name: string, read: (text: string) => T | undefined): readonly T[] => {
    const text = values.get(name);
    return text === undefined ? [] : (listMembers(text, read) ?? []);
  };
  const columns = readColumnChoices(language, collection, mappings.columns ?? list('columns', readHeaderPair), true);
  const plain: ReadingOptions = Object.fromEntries(
    names(plainOptions).flatMap((name) => {
      const value = values.get(name);
      if (value === undefined) return [];
      return [[plainOptions[name], value === '' || (name === 'header-row' ? Number(value) : value)]];
    }),
  );
  const triples = mappings.values ?? list('values', readValueTriple);
  const meanings = readValueChoices(language, collection, triples, mergeReading(profile, plain));
  const rejectsMissing = values.has('missing-keys');
  const onDuplicate = resolutions[values.get('resolution') ?? ''] ?? (rejectsMissing ? 'merge' : 'error');
  const mostRejected = values.get('max-rejected');
  const own: ReadingOptions = {
    ...plain,
    clearsEmpty: onDuplicate === 'replace-all' || values.has('absent-cells'),
    columns: columns.choices,
    values: meanings.choices,
    nullValues: list('null-values', keepText),
    skips: list('skip-rows', readHeaderPair),
    units: language.units.size > 0 ? [...language.units] : undefined,
  };
  return {
    faults: [...columns.faults, ...meanings.faults] as readonly Fault[],
    isLenient: values.get('handling') === 'lenient',
    isCheck: values.get('handling') === 'check',
    mostRejected: mostRejected === undefined ? undefined : Number(mostRejected),
    onDuplicate,
    allowsDeletions: values.has(ALLOW_DELETIONS),
    rejectsMissing,
    overwritesStale: values.has('stale'),
    allowsNewKeys: values.has(ALLOW_NEW_KEYS),
    reading: mergeReading(profile, own),
  };
}

/** @param own is what a request or a command says itself, which counts more */
export function mergeReading(profile: ReadingOptions, own: ReadingOptions): ReadingOptions {
  const set = Object.entries(own).filter(([, value]) => value !== undefined && value !== false && value !== 0);
  const join = <N extends 'columns' | 'values' | 'nullValues' | 'skips' | 'units'>(name: N) => [
    ...(profile[name] ?? []),
    ...(own[name] ?? []),
  ];
  return {
    ...profile,
    ...Object.fromEntries(set),
    columns: [...new Map(join('columns').map((choice) => [choice[0], choice])).values()],
    // The last one of several for a text counts.
    values: join('values'),
    nullValues: [...new Set(join('nullValues'))],
    skips: join('skips'),
    units: join('units'),
  };
}

/** @returns the preferences that are followed; flags that belong to `resolution` are its parameters */
function writeFollowed(values: ReadonlyMap<string, string>): string {
  const allowed = [ALLOW_DELETIONS, ALLOW_NEW_KEYS].filter((name) => values.has(name));
  return [...rules.keys()]
    .filter((name) => values.has(name) && !allowed.includes(name))
    .sort((one, other) => Number(isFlag(one)) - Number(isFlag(other)))
    .map((name) => {
      const preference = writePreference({ name, value: values.get(name) ?? '' });
      return name === 'resolution' ? [preference, ...allowed].join('; ') : preference;
    })
    .join(', ');
}

/** @param rules have no `applied` in a command. @returns the problem of a file without keys, whose rows would all be new; `undefined` if they may be */
export function describeMissingKeys(
  language: Language,
  collection: Collection,
  rules: Pick<ImportPreferences, 'onDuplicate' | 'rejectsMissing' | 'allowsNewKeys'> & { readonly applied?: string },
): Problem | undefined {
  const { key, name, parent } = collection;
  const word = language.fields(collection).word(key.name);
  const merges = rules.onDuplicate === 'merge' || rules.onDuplicate === 'replace-all';
  if (!rules.rejectsMissing && (!merges || rules.allowsNewKeys || !key.assigned)) return undefined;
  const { applied } = rules;
  const option = applied === undefined ? `--${ALLOW_NEW_KEYS}` : `Prefer: ${applied}, ${ALLOW_NEW_KEYS}`;
  const detail = rules.rejectsMissing
    ? sentence('keys-needed', { word })
    : sentence('keys-absent', { word, list: language.paths(parent).word(name), option });
  const error: RequestError = { place: { pointer: pointerTo(word) }, code: 'missing-field', detail };
  return new Problem('missing-field', detail, { errors: [error] });
}
