import { compose, isObject } from '../../../../packages/vocabularies/src/words.ts';
import { listTemplate } from '../../http/urls.ts';
import { getValues, type Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { createChecker, describeLimits } from '../../model/kinds/kinds.ts';
import { type PhraseName, type Sentence, sentence, truncate, unknownSentence } from '../../texts/phrase.ts';
import {
  combineErrors,
  type LazyError,
  LISTED,
  newErrors,
  type Problem,
  type ProblemCode,
  type RequestError,
} from '../../texts/problem.ts';

/** A body's members by field (`null` clears, `undefined` was not sent), or its errors. */
export type Members =
  | { readonly cells: readonly (Cell | undefined)[]; readonly problem: undefined }
  | { readonly cells: undefined; readonly problem: Problem };

/** Reads a body in one language. For `create`, required members must be present; for `update`, only those that are sent count. */
export type MembersReader = (body: unknown, purpose: 'create' | 'update') => Members;

export function pointerTo(member: string): string {
  return `/${truncate(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** @returns a value of a body as JSON; `undefined` for objects and arrays, whose pointer says enough */
function echo(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  return JSON.stringify(typeof value === 'string' ? truncate(value) : value);
}

/** What bodies in one language may have; rows of a file may have canonical names, too. */
type Reading = ReturnType<typeof prepareReading>;

function prepareReading(language: Language, collection: Collection, isRow: boolean) {
  const words = language.fields(collection);
  const members = collection.fields.map((field) => ({
    field,
    word: words.word(field.name),
    check: createChecker(field, getValues(language, collection, field)),
  }));
  const names = collection.fields.map(({ name }, at) => [name, at] as const);
  const byWord = new Map([...(isRow ? names : []), ...members.map(({ word }, at) => [word, at] as const)]);
  return { language, collection, isRow, words, members, byName: new Map(names), byWord };
}

function readItem(reading: Reading, body: unknown, purpose: 'create' | 'update' | 'row') {
  const { words, members, byName, byWord } = reading;
  const cells: (Cell | undefined)[] = members.map(() => undefined);
  const errors = newErrors();
  if (!isObject(body)) {
    const detail = sentence(reading.isRow ? 'row-not-object' : 'body-not-object', readNouns(reading));
    errors.add(() => ({ place: { pointer: '' }, code: 'invalid-value', detail }));
    return { cells, errors };
  }
  const isSent: boolean[] = [];
  for (const name of Object.keys(body)) {
    const value = body[name];
    const index = byWord.get(name);
    const word = index === undefined ? compose(name) : name;
    const at = index ?? byWord.get(word) ?? byName.get(words.name(word) ?? '');
    const member = at === undefined ? undefined : members[at];
    if (at === undefined || !member) {
      errors.add(() => describeUnknown(reading, name, value));
    } else if (isSent[at]) {
      // By another name, or with its letters composed in another way.
      const detail = sentence('json-repeated', { word: member.word });
      errors.add(() => describeError(reading, member.word, 'malformed-json', detail));
    } else {
      isSent[at] = true;
      const { cell, fault } = value === null ? clear(member.field, purpose) : member.check(value);
      cells[at] = cell;
      if (fault !== undefined) errors.add(() => describeInvalid(reading, word, member.field, fault, value));
    }
  }
  if (purpose === 'create') {
    const isMissing = ({ field }: Member, at: number) =>
      field.required && !(isSent[at] && !(field.isKey && cells[at] === null));
    requireMembers(reading, members.filter(isMissing), body, errors.add);
  }
  return { cells, errors };
}

type Member = Reading['members'][number];

function requireMembers(reading: Reading, missing: readonly Member[], body: object, add: (error: LazyError) => void) {
  if (missing.length === 0) return;
  // A member that was misspelt is not missing, too.
  const unknown = Object.keys(body).filter((name) => !reading.byWord.has(name));
  const misspelt = new Set(unknown.slice(0, LISTED).map(reading.words.suggest));
  for (const { word } of missing.filter((member) => !misspelt.has(member.word))) {
    add(() => describeError(reading, word, 'missing-field', sentence('field-missing', { word })));
  }
}

const readNouns = ({ language, collection }: Reading) => ({ of: language.nouns(collection).of });

function describeError(
  { words }: Reading,
  word: string,
  code: ProblemCode,
  detail: Sentence,
  more?: Partial<RequestError>,
) {
  return { place: { pointer: pointerTo(word) }, code, name: words.name(word), detail, ...more };
}

function describeUnknown(reading: Reading, word: string, value: unknown): RequestError {
  const { language, collection, words } = reading;
  const paths = language.paths(collection);
  const path = paths.suggest(word);
  const child = collection.children.find(({ name }) => path !== undefined && paths.name(path) === name);
  if (child) {
    const values = { word, ...readNouns(reading), path: listTemplate(language, child) };
    return describeError(reading, word, 'unknown-field', sentence('field-nested', values), { name: child.name });
  }
  const suggestion = words.suggest(word);
  const values = { word, ...readNouns(reading), known: words.nearest(word) };
  const more = { name: suggestion && words.name(suggestion), value: echo(value), suggestion };
  return describeError(reading, word, 'unknown-field', unknownSentence('field', values, suggestion), more);
}

/** Suggests how to write a value that is invalid but clear, such as `"2008"` for 2008 and `"true"` for true. */
function describeInvalid(reading: Reading, word: string, field: Field, phrase: PhraseName, input: unknown) {
  const { language, collection } = reading;
  const value = echo(input);
  const describe = (detail: Sentence, more: Partial<RequestError> = {}) =>
    describeError(reading, word, 'invalid-value', detail, { value, ...more });
  if (input === null) return describe({ phrase, values: { word } });
  if (field.refersTo !== undefined && typeof input === 'object') {
    return describeWholeItem(reading, word, field.refersTo, input);
  }
  const values = getValues(language, collection, field);
  const { toJson, suggest, fromNumber = suggest, filter } = values;
  const isText = typeof input === 'string' || (typeof input === 'number' && values.fromJson);
  const explanation = isText ? values.explain?.(String(input), 'json') : undefined;
  if (explanation) {
    const { suggestion, ...detail } = explanation;
    return describe({ ...detail, values: { word, ...detail.values } }, { suggestion });
  }
  const read = typeof input === 'number' && !values.fromJson ? fromNumber : suggest;
  const { cell } = createChecker(field, values)(typeof input === 'object' ? input : read(String(input)));
  const detail = { phrase, values: { word, ...describeLimits(field, language.valueWords(collection, field)) } };
  if (cell === undefined || cell === null) return describe(detail);
  const json = toJson(cell);
  // The JSON text has its quotation marks already.
  if (typeof input === 'string' && /^["[]/.test(json)) {
    const suggestion = json.startsWith('[') ? json : filter.format(cell);
    return describe(sentence('value-suggested', { word, value: truncate(input), suggestion }), { suggestion });
  }
  const remedy = sentence(typeof cell === 'string' ? 'value-quoted' : 'value-unquoted', { suggestion: json });
  return describe(detail, { suggestion: json, remedy });
}

/** An included item, as responses have it, is not what is sent for a reference. */
function describeWholeItem(reading: Reading, word: string, list: string, item: object): RequestError {
  const { language } = reading;
  const target = language.collection(list);
  const key = language.fields(target).word(target.key.name);
  const value: unknown = Reflect.get(item, key);
  const suggestion = typeof value === 'string' ? truncate(value) : undefined;
  const detail = sentence('reference-item', { word, key, list: language.listWord(list) });
  return describeError(reading, word, 'invalid-value', detail, { suggestion });
}

/** @returns what `null` does to a field. On create, a key that is null counts as absent */
function clear(field: Field, purpose: 'create' | 'update' | 'row'): ReturnType<ReturnType<typeof createChecker>> {
  const isAllowed = field.isKey ? purpose !== 'update' : !field.required;
  if (isAllowed) return { cell: null, fault: undefined };
  return { cell: undefined, fault: field.isKey ? 'key-null' : 'field-null' };
}

export function createMembersReader(language: Language, collection: Collection): MembersReader {
  const reading = prepareReading(language, collection, false);
  return (body, purpose) => {
    const { cells, errors } = readItem(reading, body, purpose);
    if (errors.count() === 0) return { cells, problem: undefined };
    const detail = sentence('body-errors', { count: errors.count(), ...readNouns(reading) });
    return { cells: undefined, problem: combineErrors(errors.listed, { code: 'invalid-body', detail }) };
  };
}

/** @returns a reader of rows of a file, which does not check for required members */
export function createRowMembersReader(language: Language, collection: Collection) {
  const reading = prepareReading(language, collection, true);
  return (row: unknown) => readItem(reading, row, 'row');
}
