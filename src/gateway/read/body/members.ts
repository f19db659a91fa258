import { compose, isObject, type WordIndex } from '../../../../packages/vocabularies/src/words.ts';
import { listTemplate } from '../../http/urls.ts';
import { type Language, valuesIn } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Cell, Field } from '../../model/field.ts';
import { checkerIn, describeLimits } from '../../model/kinds/kinds.ts';
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

/** @returns a value that was sent, as JSON; `undefined` for objects and arrays, whose pointer says enough */
function echo(sent: unknown): string | undefined {
  if (typeof sent === 'object' && sent !== null) return undefined;
  return JSON.stringify(typeof sent === 'string' ? truncate(sent) : sent);
}

class ItemReader {
  readonly #language: Language;
  readonly #collection: Collection;
  readonly #isRow: boolean;
  readonly #words: WordIndex;
  readonly #fields: readonly {
    readonly field: Field;
    readonly word: string;
    readonly check: ReturnType<typeof checkerIn>;
  }[];
  readonly #indexByName: ReadonlyMap<string, number>;
  readonly #indexByWord: ReadonlyMap<string, number>;

  /** @param isRow whether bodies are rows of a file, whose members may have canonical names */
  constructor(language: Language, collection: Collection, isRow: boolean) {
    this.#language = language;
    this.#collection = collection;
    this.#isRow = isRow;
    this.#words = language.fields(collection);
    this.#fields = collection.fields.map((field) => ({
      field,
      word: this.#words.word(field.name),
      check: checkerIn(field, valuesIn(language, collection, field)),
    }));
    const names = collection.fields.map(({ name }, at) => [name, at] as const);
    this.#indexByName = new Map(names);
    this.#indexByWord = new Map([...(isRow ? names : []), ...this.#fields.map(({ word }, at) => [word, at] as const)]);
  }

  read(body: unknown, purpose: 'create' | 'update' | 'row') {
    const cells: (Cell | undefined)[] = this.#fields.map(() => undefined);
    const errors = newErrors();
    if (!isObject(body)) {
      const detail = sentence(this.#isRow ? 'row-not-object' : 'body-not-object', this.#nouns());
      errors.add(() => ({ place: { pointer: '' }, code: 'invalid-value', detail }));
      return { cells, errors };
    }
    const isSent: boolean[] = [];
    for (const name of Object.keys(body)) {
      const value = body[name];
      const index = this.#indexByWord.get(name);
      const word = index === undefined ? compose(name) : name;
      const at = index ?? this.#indexByWord.get(word) ?? this.#indexByName.get(this.#words.name(word) ?? '');
      const member = at === undefined ? undefined : this.#fields[at];
      if (at === undefined || !member) {
        errors.add(() => this.#unknown(name, value));
      } else if (isSent[at]) {
        // By another name, or with its letters composed in another way.
        errors.add(() => this.#error(member.word, 'malformed-json', sentence('json-repeated', { word: member.word })));
      } else {
        isSent[at] = true;
        const { field, check } = member;
        const { cell, fault } = value === null ? clear(field, purpose) : check(value);
        cells[at] = cell;
        if (fault !== undefined) errors.add(() => this.#invalid(word, field, fault, value));
      }
    }
    if (purpose === 'create') this.#requireMembers(body, isSent, cells, errors.add);
    return { cells, errors };
  }

  #requireMembers(
    body: object,
    isSent: readonly boolean[],
    cells: readonly (Cell | undefined)[],
    add: (error: LazyError) => void,
  ): void {
    const missingFields = this.#fields.filter(
      ({ field }, at) => field.required && !(isSent[at] && !(field.isKey && cells[at] === null)),
    );
    if (missingFields.length === 0) return;
    // A member that was misspelt is not missing, too.
    const unknown = Object.keys(body).filter((name) => !this.#indexByWord.has(name));
    const misspelt = new Set(unknown.slice(0, LISTED).map(this.#words.suggest));
    for (const { word } of missingFields.filter((member) => !misspelt.has(member.word))) {
      add(() => this.#error(word, 'missing-field', sentence('field-missing', { word })));
    }
  }

  #nouns(): { readonly of: string } {
    return { of: this.#language.nouns(this.#collection).of };
  }

  #error(word: string, code: ProblemCode, detail: Sentence, more: Partial<RequestError> = {}): RequestError {
    return { place: { pointer: pointerTo(word) }, code, name: this.#words.name(word), detail, ...more };
  }

  #unknown(word: string, sent: unknown): RequestError {
    const paths = this.#language.paths(this.#collection);
    const path = paths.suggest(word);
    const child = this.#collection.children.find(({ name }) => path !== undefined && paths.name(path) === name);
    if (child) {
      const values = { word, ...this.#nouns(), path: listTemplate(this.#language, child) };
      return this.#error(word, 'unknown-field', sentence('field-nested', values), { name: child.name });
    }
    const suggestion = this.#words.suggest(word);
    const values = { word, ...this.#nouns(), known: this.#words.nearest(word) };
    const name = suggestion && this.#words.name(suggestion);
    const more = { name, value: echo(sent), suggestion };
    return this.#error(word, 'unknown-field', unknownSentence('field', values, suggestion), more);
  }

  /** Suggests how to write a value that is invalid but clear, such as `"2008"` for 2008 and `"true"` for true. */
  #invalid(word: string, field: Field, phrase: PhraseName, sent: unknown): RequestError {
    const value = echo(sent);
    if (sent === null) return this.#error(word, 'invalid-value', { phrase, values: { word } }, { value });
    if (field.refersTo !== undefined && typeof sent === 'object') return this.#wholeItem(word, field.refersTo, sent);
    const values = valuesIn(this.#language, this.#collection, field);
    const { toJson, suggest, fromNumber = suggest, filter } = values;
    const isText = typeof sent === 'string' || (typeof sent === 'number' && values.fromJson);
    const explanation = isText ? values.explain?.(String(sent), 'json') : undefined;
    if (explanation) {
      const explained = { phrase: explanation.phrase, values: { word, ...explanation.values } };
      return this.#error(word, 'invalid-value', explained, { value, suggestion: explanation.suggestion });
    }
    const read = typeof sent === 'number' && !values.fromJson ? fromNumber : suggest;
    const { cell } = checkerIn(field, values)(typeof sent === 'object' ? sent : read(String(sent)));
    const limits = describeLimits(field, this.#language.valueWords(this.#collection, field));
    const detail = { phrase, values: { word, ...limits } };
    if (cell === undefined || cell === null) return this.#error(word, 'invalid-value', detail, { value });
    const json = toJson(cell);
    // The JSON text has its quotation marks already.
    if (typeof sent === 'string' && /^["[]/.test(json)) {
      const suggestion = json.startsWith('[') ? json : filter.format(cell);
      const suggested = sentence('value-suggested', { word, value: truncate(sent), suggestion });
      return this.#error(word, 'invalid-value', suggested, { value, suggestion });
    }
    const remedy = sentence(typeof cell === 'string' ? 'value-quoted' : 'value-unquoted', { suggestion: json });
    return this.#error(word, 'invalid-value', detail, { value, suggestion: json, remedy });
  }

  /** An included item, as responses have it, is not what is sent for a reference. */
  #wholeItem(word: string, list: string, sent: object): RequestError {
    const target = this.#language.collection(list);
    const key = this.#language.fields(target).word(target.key.name);
    const known: unknown = Reflect.get(sent, key);
    const detail = sentence('reference-item', { word, key, list: this.#language.listWord(list) });
    return this.#error(word, 'invalid-value', detail, {
      suggestion: typeof known === 'string' ? truncate(known) : undefined,
    });
  }
}

/** @returns what `null` does to a field. On create, a key that is null counts as absent */
function clear(field: Field, purpose: 'create' | 'update' | 'row'): ReturnType<ReturnType<typeof checkerIn>> {
  const isAllowed = field.isKey ? purpose !== 'update' : !field.required;
  if (isAllowed) return { cell: null, fault: undefined };
  return { cell: undefined, fault: field.isKey ? 'key-null' : 'field-null' };
}

export function membersReader(language: Language, collection: Collection): MembersReader {
  const reader = new ItemReader(language, collection, false);
  const { of } = language.nouns(collection);
  return (body, purpose) => {
    const { cells, errors } = reader.read(body, purpose);
    if (errors.count() === 0) return { cells, problem: undefined };
    const detail = sentence('body-errors', { count: errors.count(), of });
    return { cells: undefined, problem: combineErrors(errors.listed, { code: 'invalid-body', detail }) };
  };
}

/** @returns a reader of rows of a file, which does not check for required members */
export function rowMembersReader(language: Language, collection: Collection) {
  const reader = new ItemReader(language, collection, true);
  return (row: unknown) => reader.read(row, 'row');
}
