/** The form of a table: the words that one vocabulary has in place of the names of a document. */
import { type Fault, type Operation, placeWithin } from './document.ts';
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
const DEPTHS = { paths: 1, parameters: 2, members: 2, values: 2, problems: 2, names: 1 };
const SECTIONS = [...Object.keys(DEPTHS), 'convert', '$schema', 'x-notes'];

/** The words of one table, and which of them the document has a use for. */
export class Words {
  readonly tag: string;
  readonly #table: Table;
  readonly #used = new Set<string>();

  constructor(tag: string, table: Table) {
    this.tag = tag;
    this.#table = table;
  }

  #find(...path: readonly string[]): TableWord | undefined {
    const word = valueAt(this.#table, ...path);
    if (typeof word !== 'string') return undefined;
    const pointer = placeWithin('', ...path);
    this.#used.add(pointer);
    return { word: compose(word), pointer };
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
    const conversions = [...scopes, '*'].map((scope) => valueAt(this.#table.convert, scope, name));
    return conversions.find((conversion) => conversion !== undefined) as Conversion | undefined;
  }

  /** @returns the schema whose members' names a parameter holds */
  findSchemaNames(parameter: string): unknown {
    return valueAt(this.#table.names, parameter);
  }

  findSentence(code: unknown): Sentence | undefined {
    return valueAt(this.#table.problems, String(code)) as Sentence | undefined;
  }

  /** @returns pointers to the words that no name of the document has */
  listUnused(): readonly string[] {
    const { paths, parameters, members, values } = this.#table;
    return listWords('', { paths, parameters, members, values }).filter((pointer) => !this.#used.has(pointer));
  }
}

/** @returns pointers to every word of a part of a table */
function listWords(place: string, part: unknown): readonly string[] {
  if (typeof part === 'string') return [place];
  return Object.entries(asObject(part)).flatMap(([name, value]) => listWords(placeWithin(place, name), value));
}

/** @returns how a table may write a scope: a place with `#` or without; values by the schema around theirs, too */
function listSpellings(scope: string, section: 'members' | 'values'): readonly string[] {
  if (!scope.startsWith('#')) return [scope];
  const around = section === 'values' ? /^#\/components\/schemas\/([^/]+)/.exec(scope)?.[1] : undefined;
  return [scope, scope.slice(1), ...(around === undefined ? [] : [around])];
}

/** @returns what is wrong with the form of a table */
export function checkTable(file: string, content: unknown): readonly Fault[] {
  if (!isObject(content))
    return [{ file, pointer: '', message: 'a table is an object; see the README for its sections' }];
  const unknown = Object.keys(content).filter((name) => !SECTIONS.includes(name));
  const faults = unknown.map(
    (name) => [placeWithin('', name), `is no section; those are ${SECTIONS.join(', ')}`] as const,
  );
  const words = Object.entries(DEPTHS).flatMap(([section, depth]) => {
    return content[section] === undefined ? [] : checkWords(`/${section}`, content[section], depth);
  });
  return [...faults, ...words].map(([pointer, message]) => ({ file, pointer, message }));
}

/** @returns places of a section and what is wrong there */
function checkWords(pointer: string, value: unknown, depth: number): readonly (readonly [string, string])[] {
  if (depth > 0) {
    if (!isObject(value)) return [[pointer, 'must be an object']];
    return Object.entries(value).flatMap(([name, part]) => {
      // Only some parameters are keyed by operations.
      const isFlat = pointer === '/parameters' && !isObject(part);
      return checkWords(placeWithin(pointer, name), part, isFlat ? 0 : depth - 1);
    });
  }
  if (typeof value !== 'string') return [[pointer, 'must be a word in quotes']];
  const pattern = pointer.startsWith('/paths/') ? /^(?!\.{1,2}$)[^/?#\p{Cc}]+$/u : /^[^\p{Cc}]+$/u;
  return pattern.test(value) ? [] : [[pointer, `"${value}" cannot be a word here; choose another one`]];
}
