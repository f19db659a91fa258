/** The form of a table: the words that one vocabulary has in place of the names of a document. */
import { type Document, type Fault, type Operation, placeWithin } from './document.ts';
import { asObject, compose, type Dictionary, isObject, valueAt } from './words.ts';

type ByName<T> = Readonly<Record<string, T>>;

/** The title and the detail of a problem; `{pointer}`, `{value}` and other members of the problem are filled in. */
export interface Sentence {
  readonly title?: string;
  readonly detail?: string;
}

/** Converts a number to the vocabulary's unit, and back. */
export interface Conversion {
  readonly toWords: (value: number) => number;
  readonly toCanonical: (value: number) => number;
}

export interface Table {
  /** Words of the literal segments of paths. */
  readonly paths?: Dictionary;
  /** Words of parameters; in an object by an operation's id, those of that operation only. */
  readonly parameters?: ByName<string | Dictionary>;
  /** Words of members, by the name of their schema, by its place, or for every schema by `*`. */
  readonly members?: ByName<Dictionary>;
  /** Words of listed values, by schema as members are. */
  readonly values?: ByName<Dictionary>;
  /** Sentences of problems, by their `code` or `type`. */
  readonly problems?: ByName<Sentence>;
  /** The schema whose members' names a parameter holds, by the parameter's name. */
  readonly names?: Dictionary;
  /** Units of members, by schema. */
  readonly convert?: ByName<ByName<Conversion>>;
}

/** A word and the place in its table that says it. */
export interface TableWord {
  readonly word: string;
  readonly pointer: string;
}

/** How many objects stand around the words of a section. */
const DEPTHS = { paths: 1, parameters: 2, members: 2, values: 2, problems: 2, names: 1, convert: 2 };
const SECTIONS = [...Object.keys(DEPTHS), '$schema', 'x-notes'];

/** The words of one table, and which of them the document has a use for. */
export class Words {
  readonly tag: string;
  readonly #table: Table;
  readonly #used = new Set<string>();

  constructor(tag: string, table: Table) {
    this.tag = tag;
    this.#table = table;
  }

  #read(...path: readonly string[]): unknown {
    const value = valueAt(this.#table, ...path);
    if (value !== undefined) this.#used.add(placeWithin('', ...path));
    return value;
  }

  #find(...path: readonly string[]): TableWord | undefined {
    const word = this.#read(...path);
    return typeof word === 'string' ? { word: compose(word), pointer: placeWithin('', ...path) } : undefined;
  }

  findPath(segment: string): TableWord | undefined {
    return this.#find('paths', segment);
  }

  findParameter({ id }: Operation, name: string): TableWord | undefined {
    return this.#find('parameters', id, name) ?? this.#find('parameters', name);
  }

  /** @returns the word of a member or value that the first of the scopes says, or that every schema shares */
  findScoped(section: 'members' | 'values', scopes: readonly string[], name: string): TableWord | undefined {
    for (const scope of [...scopes.flatMap((place) => listSpellings(place, section)), '*']) {
      const word = this.#find(section, scope, name);
      if (word) return word;
    }
    return undefined;
  }

  findConversion(scopes: readonly string[], name: string): Conversion | undefined {
    const conversions = [...scopes, '*'].map((scope) => this.#read('convert', scope, name));
    return conversions.find(isConversion);
  }

  /** @returns the schema whose members' names a parameter holds */
  findSchemaNames(parameter: string): unknown {
    return this.#read('names', parameter);
  }

  findSentence(code: unknown): Sentence | undefined {
    return valueAt(this.#table.problems, String(code)) as Sentence | undefined;
  }

  /** @returns pointers to the words that no name of the document has */
  listUnused(): readonly string[] {
    const { paths, parameters, members, values, names, convert } = this.#table;
    const pointers = listWords('', { paths, parameters, members, values, names, convert });
    return pointers.filter((pointer) => !this.#used.has(pointer));
  }
}

function isConversion(value: unknown): value is Conversion {
  return typeof valueAt(value, 'toWords') === 'function' && typeof valueAt(value, 'toCanonical') === 'function';
}

/** @returns pointers to every word and converter of a part of a table */
function listWords(place: string, part: unknown): readonly string[] {
  if (typeof part === 'string' || isConversion(part)) return [place];
  return Object.entries(asObject(part)).flatMap(([name, value]) => listWords(placeWithin(place, name), value));
}

/** @returns how a table may write a scope: a place with `#` or without; values by the schema around theirs, too */
function listSpellings(scope: string, section: 'members' | 'values'): readonly string[] {
  if (!scope.startsWith('#')) return [scope];
  const around = section === 'values' ? /^#\/components\/schemas\/([^/]+)/.exec(scope)?.[1] : undefined;
  return [scope, scope.slice(1), ...(around === undefined ? [] : [around])];
}

/** @returns what is wrong with the form of a table of a document */
export function checkTable(file: string, content: unknown, { operations }: Document): readonly Fault[] {
  if (!isObject(content))
    return [{ file, pointer: '', message: 'a table is an object; see the README for its sections' }];
  const unknown = Object.keys(content).filter((name) => !SECTIONS.includes(name));
  const faults = unknown.map(
    (name): PlacedMessage => [placeWithin('', name), `is no section; those are ${SECTIONS.join(', ')}`],
  );
  const parameters = new Set(operations.flatMap((operation) => operation.parameters.map(({ name }) => name)));
  for (const { id } of operations) parameters.delete(id);
  for (const [section, depth] of Object.entries(DEPTHS)) {
    if (content[section] !== undefined) faults.push(...checkPart(`/${section}`, content[section], depth, parameters));
  }
  return faults.map(([pointer, message]) => ({ file, pointer, message }));
}

type PlacedMessage = readonly [pointer: string, message: string];

/** @param parameters that are spelt like no operation, by which the others may be keyed */
function checkPart(pointer: string, value: unknown, depth: number, parameters: Set<string>): readonly PlacedMessage[] {
  const message = depth === 0 ? findProblem(pointer, value) : isObject(value) ? undefined : 'must be an object';
  if (message !== undefined || depth === 0) return message === undefined ? [] : [[pointer, message]];
  return Object.entries(asObject(value)).flatMap(([name, part]) => {
    const isFlat = pointer === '/parameters' && (!isObject(part) || parameters.has(name));
    return checkPart(placeWithin(pointer, name), part, isFlat ? 0 : depth - 1, parameters);
  });
}

/** @returns what is wrong with the word, sentence or converter at a place */
function findProblem(pointer: string, value: unknown): string | undefined {
  if (pointer.startsWith('/convert/')) {
    return isConversion(value) ? undefined : 'must be an object with two functions, toWords and toCanonical';
  }
  if (/^\/problems\/.*\/(?!title$|detail$)[^/]*$/.test(pointer)) return 'is no sentence; those are title and detail';
  if (typeof value !== 'string') return 'must be a word in quotes';
  const pattern = pointer.startsWith('/paths/') ? /^(?!\.{1,2}$)[^/?#\p{Cc}]+$/u : /^[^\p{Cc}]+$/u;
  return pattern.test(value) ? undefined : `"${value}" cannot be a word here; choose another one`;
}
