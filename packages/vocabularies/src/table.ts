/** The form of a table: the words that one vocabulary has in place of the names of a document. */
import { asObject, type Fault, isObject, type Operation, placeWithin } from './document.ts';

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
  readonly paths?: Readonly<Record<string, string>>;
  /** Words of parameters; in an object by an operation's id, those of that operation only. */
  readonly parameters?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Words of members, by the name of their schema, by its place, or for every schema by `*`. */
  readonly members?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Words of listed values, by schema as members are. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Sentences of problems, by their `code` or `type`. */
  readonly problems?: Readonly<Record<string, Sentence>>;
  /** The schema whose members' names a parameter holds, by the parameter's name. */
  readonly names?: Readonly<Record<string, string>>;
  /** Units of members, by schema. */
  readonly convert?: Readonly<Record<string, Readonly<Record<string, Conversion>>>>;
}

/** A word and the place in its table that says it. */
export interface Word {
  readonly word: string;
  readonly pointer: string;
}

/** How many objects stand around the words of a section. */
const DEPTHS = { paths: 1, parameters: 2, members: 2, values: 2, problems: 2, names: 1 };
const SECTIONS = [...Object.keys(DEPTHS), 'convert', '$schema'];

/** @returns a text in the form in which words are compared */
export function normalize(text: string): string {
  return text.normalize('NFC');
}

/** @returns an own member of a record, whose names may be those of what every object has */
function getOwn<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** The words of one table, and which of them the document has a use for. */
export class Words {
  readonly tag: string;
  readonly table: Table;
  readonly #used = new Set<string>();

  constructor(tag: string, table: Table) {
    this.tag = tag;
    this.table = table;
  }

  #find(section: unknown, place: string, name: string): Word | undefined {
    const words = asObject(section);
    const word = Object.hasOwn(words, name) ? words[name] : undefined;
    if (typeof word !== 'string') return undefined;
    const pointer = placeWithin(place, name);
    this.#used.add(pointer);
    return { word: normalize(word), pointer };
  }

  path(segment: string): Word | undefined {
    return this.#find(this.table.paths, '/paths', segment);
  }

  parameter(operation: Operation, name: string): Word | undefined {
    const own = asObject(this.table.parameters)[operation.id];
    const ofOperation = this.#find(own, placeWithin('/parameters', operation.id), name);
    return ofOperation ?? this.#find(this.table.parameters, '/parameters', name);
  }

  /** @returns the word of a member or value that the first of the scopes says, or that every schema shares */
  scoped(section: 'members' | 'values', scopes: readonly string[], name: string): Word | undefined {
    const words = asObject(this.table[section]);
    for (const scope of [...scopes.flatMap((each) => spellings(each, section)), '*']) {
      const own = Object.hasOwn(words, scope) ? words[scope] : undefined;
      const word = this.#find(own, placeWithin(`/${section}`, scope), name);
      if (word) return word;
    }
    return undefined;
  }

  conversion(scopes: readonly string[], name: string): Conversion | undefined {
    const found = [...scopes, '*'].map((scope) => getOwn(getOwn(this.table.convert, scope), name));
    return found.find((each) => each !== undefined);
  }

  /** @returns the schema whose members' names a parameter holds */
  names(parameter: string): string | undefined {
    return getOwn(this.table.names, parameter);
  }

  sentence(code: unknown): Sentence | undefined {
    return typeof code === 'string' ? getOwn(this.table.problems, code) : undefined;
  }

  /** @returns pointers to the words that no name of the document has */
  unused(): readonly string[] {
    const { paths, parameters, members, values } = this.table;
    return listWords('', { paths, parameters, members, values }).filter((pointer) => !this.#used.has(pointer));
  }
}

/** @returns pointers to every word of a part of a table */
function listWords(place: string, part: unknown): readonly string[] {
  if (typeof part === 'string') return [place];
  return Object.entries(asObject(part)).flatMap(([name, value]) => listWords(placeWithin(place, name), value));
}

/** @returns how a table may write a scope: a place with `#` or without; values by the schema around theirs, too */
function spellings(scope: string, section: 'members' | 'values'): readonly string[] {
  if (!scope.startsWith('#')) return [scope];
  const around = section === 'values' ? /^#\/components\/schemas\/([^/]+)/.exec(scope)?.[1] : undefined;
  return [scope, scope.slice(1), ...(around === undefined ? [] : [around])];
}

/** @returns what is wrong with the form of a table */
export function checkTable(file: string, content: unknown): readonly Fault[] {
  if (!isObject(content))
    return [{ file, pointer: '', message: 'a table is an object; see the README for its sections' }];
  const faults: Fault[] = [];
  const report = (pointer: string, message: string): void => void faults.push({ file, pointer, message });
  const check = (pointer: string, value: unknown, depth: number, pattern = /^[^\p{Cc}]+$/u): void => {
    if (depth > 0) {
      if (!isObject(value)) report(pointer, 'must be an object');
      for (const [name, each] of Object.entries(asObject(value))) {
        // Only some parameters are keyed by operations.
        const isFlat = pointer === '/parameters' && !isObject(each);
        check(placeWithin(pointer, name), each, isFlat ? 0 : depth - 1, pattern);
      }
    } else if (typeof value !== 'string') report(pointer, 'must be a word in quotes');
    else if (!pattern.test(value)) report(pointer, `"${value}" cannot be a word here; choose another one`);
  };
  for (const name of Object.keys(content)) {
    if (!SECTIONS.includes(name)) report(placeWithin('', name), `is no section; those are ${SECTIONS.join(', ')}`);
  }
  for (const [section, depth] of Object.entries(DEPTHS)) {
    const pattern = section === 'paths' ? /^(?!\.{1,2}$)[^/?#\p{Cc}]+$/u : undefined;
    if (content[section] !== undefined) check(`/${section}`, content[section], depth, pattern);
  }
  return faults;
}
