/** The commands `check` and `propose`: what a table says of a document, and a first table for one. */

import { readCatalogueTable } from '../catalogue-table.ts';
import { asArray, Document, type Fault, placeWithin, VocabularyError } from '../document.ts';
import { scopeName, type Terms, Vocabulary } from '../nodes.ts';
import { type Route, readRoutes } from '../paths.ts';
import { checkTable, type Table, Words } from '../table.ts';
import { addressesOf } from '../translate-document.ts';
import { Translator } from '../translator.ts';
import { asObject, isObject, valueAt } from '../words.ts';
import { HEADINGS, type Language } from './texts.ts';

export interface Report {
  readonly json: boolean;
  readonly language: Language;
}

type Section = 'paths' | 'parameters' | 'members' | 'values';

/** A name that may have a word. */
interface Name {
  readonly section: Section;
  /** A schema or an operation; empty for segments of paths. */
  readonly scope: string;
  readonly name: string;
  /** Nothing if the table has none, so that the name stays. */
  readonly word: string | undefined;
  readonly description: string | undefined;
  readonly example: unknown;
}

/** Lists every name of a document with its word in a vocabulary, in the order of the document. */
function listNames(document: Document, routes: readonly Route[], vocabulary: Vocabulary): readonly Name[] {
  const names = new Map<string, Name>();
  const add = (name: Name): void => {
    const key = placeWithin(name.section, name.scope, name.name);
    if (!names.has(key)) names.set(key, name);
  };
  for (const { segments, path } of routes) {
    for (const { text, isWord } of segments) {
      if (!isWord || text === '') continue;
      const word = vocabulary.words.path(text)?.word;
      add({ section: 'paths', scope: '', name: text, word, description: undefined, example: path.template });
    }
  }
  for (const operation of document.operations) {
    for (const { name, in: location, schema, value } of operation.parameters) {
      if (location === 'header') continue;
      const word = vocabulary.words.parameter(operation, name)?.word;
      const example = schema.example ?? value?.schema.example;
      add({
        section: 'parameters',
        scope: operation.id,
        name,
        word,
        description: readText(schema.description),
        example,
      });
    }
  }
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = isObject(value) ? vocabulary.bySchema.get(value) : undefined;
    if (node && isObject(value)) {
      const scope = scopeName(place);
      for (const [name, schema] of Object.entries(asObject(value.properties))) {
        const { description, examples, example = asArray(examples)[0] } = asObject(schema);
        const word = readWord(node.members, name);
        add({ section: 'members', scope, name, word, description: readText(description), example });
      }
      for (const name of [...asArray(value.enum), value.const]) {
        if (typeof name !== 'string' || !node.values.out.has(name)) continue;
        const word = readWord(node.values, name);
        add({ section: 'values', scope, name, word, description: readText(value.description), example: undefined });
      }
    }
    for (const [name, part] of Object.entries(value)) walk(part, placeWithin(place, name));
  };
  walk(document.content, '#');
  return [...names.values()];
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : undefined;
}

function readWord(terms: Terms, name: string): string | undefined {
  const to = terms.out.get(name)?.to;
  return to === name ? undefined : to;
}

/** @returns answers with a body that the document does not describe */
function listUndescribed({ operations }: Document): readonly string[] {
  return operations.flatMap(({ method, template, answers }) => {
    if (answers.size === 0) return [`${method} ${template}`];
    return [...answers].flatMap(([status, contents]) => {
      if (contents.size === 0) return /^(1|204|205|3|DEFAULT)/.test(status) ? [] : [`${method} ${template} ${status}`];
      const unknown = [...contents].filter(([, { body, item }]) => !body && !item);
      return unknown.map(([type]) => `${method} ${template} ${status} ${type}`);
    });
  });
}

/** @returns words that several names share, each in a scope of its own */
function listShared(names: readonly Name[]): readonly { readonly word: string; readonly names: readonly string[] }[] {
  const groups = Map.groupBy(
    names.filter(({ word }) => word !== undefined),
    ({ section, word }) => `${section} ${word}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const all = [...new Set(group.map(({ name }) => name))];
    return all.length > 1 && first?.word !== undefined ? [{ word: first.word, names: all }] : [];
  });
}

function findFaults(document: unknown, tables: Readonly<Record<string, unknown>>): readonly Fault[] {
  try {
    new Translator({ document, tables });
    return [];
  } catch (error) {
    if (error instanceof VocabularyError) return error.faults;
    throw error;
  }
}

/** Prints what the tables say of a document. @returns 1 if the start would stop */
export function check(content: unknown, tables: Readonly<Record<string, unknown>>, { json, language }: Report): number {
  const faults = findFaults(content, tables);
  const document = new Document(content);
  const routes = readRoutes(document);
  const usable = Object.entries(tables).flatMap(([tag, table]) => {
    const own = isObject(table) && 'fields' in table ? readCatalogueTable(table, document) : table;
    return checkTable(tag, own).length === 0 ? [new Words(tag, own as Table)] : [];
  });
  const vocabularies = usable.map((words) => {
    const vocabulary = new Vocabulary(words, usable, document, routes);
    const names = listNames(document, routes, vocabulary);
    const [worded, missing] = [
      names.filter(({ word }) => word !== undefined),
      names.filter(({ word }) => word === undefined),
    ];
    return { tag: words.tag, words: worded, missing, shared: listShared(names), unused: words.unused() };
  });
  const report = {
    faults,
    vocabularies,
    undescribed: listUndescribed(document),
    addresses: faults.length === 0 ? addressesOf(content, tables) : [],
  };
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : writeReport(report, language));
  return faults.length === 0 ? 0 : 1;
}

interface CheckReport {
  readonly faults: readonly Fault[];
  readonly vocabularies: readonly {
    readonly tag: string;
    readonly words: readonly Name[];
    readonly missing: readonly Name[];
    readonly shared: ReturnType<typeof listShared>;
    readonly unused: readonly string[];
  }[];
  readonly undescribed: readonly string[];
  readonly addresses: ReturnType<typeof addressesOf>;
}

function writeReport({ faults, vocabularies, undescribed, addresses }: CheckReport, language: Language): string {
  const headings = HEADINGS[language];
  const write = (heading: string, lines: readonly string[]): string =>
    `${heading} (${lines.length})\n${lines.map((line) => `  ${line}\n`).join('') || `  ${headings.none}\n`}\n`;
  const place = ({ section, scope, name }: Name): string =>
    [section, scope, name].filter((part) => part !== '').join(' ');
  const parts = [
    write(
      headings.faults,
      faults.map(({ file, pointer, message }) => `${file} ${pointer}: ${message}`),
    ),
    ...vocabularies.flatMap(({ tag, words, missing, shared, unused }) => [
      write(
        `${tag}: ${headings.words}`,
        words.map((name) => `${place(name)} → ${name.word}`),
      ),
      write(`${tag}: ${headings.missing}`, missing.map(place)),
      write(
        `${tag}: ${headings.shared}`,
        shared.map(({ word, names }) => `${word} ← ${names.join(', ')}`),
      ),
      write(`${tag}: ${headings.unused}`, unused),
    ]),
    write(headings.undescribed, undescribed),
    write(
      headings.addresses,
      addresses.map(({ method, path, operation, vocabulary }) =>
        [method, path, operation, vocabulary].filter((part) => part !== '').join(' '),
      ),
    ),
  ];
  return replaceControls(parts.join(''));
}

/** Names of a document must not command a terminal. */
function replaceControls(text: string): string {
  return text.replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, '�');
}

/** Prints a first table, in which each name stands for itself beside what the document says of it. @returns 1 if the document has faults */
export function propose(content: unknown, { json }: Report): number {
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = new Words('', {});
  const vocabulary = new Vocabulary(words, [words], document, routes);
  if (document.faults.length > 0) throw new VocabularyError(document.faults);
  const names = listNames(document, routes, vocabulary);
  if (json) {
    process.stdout.write(`${JSON.stringify(createTable(names), null, 2)}\n`);
    return 0;
  }
  const lines: string[] = [];
  for (const section of ['paths', 'parameters', 'members', 'values'] as const) {
    const own = createTable(names)[section];
    lines.push(`${section}:${Object.keys(own).length === 0 ? ' {}' : ''}`);
    const write = (name: string, path: readonly string[], indent: string): string =>
      `${indent}${JSON.stringify(name)}: ${JSON.stringify(name)}${writeNote(names, section, path, name)}`;
    for (const [name, value] of Object.entries(own)) {
      if (typeof value === 'string') lines.push(write(name, [], '  '));
      else {
        lines.push(`  ${JSON.stringify(name)}:`);
        for (const each of Object.keys(asObject(value))) lines.push(write(each, [name], '    '));
      }
    }
  }
  process.stdout.write(replaceControls(`${lines.join('\n')}\n`));
  return 0;
}

/** @returns a table in which each name is its own word, with notes beside it */
function createTable(names: readonly Name[]) {
  const table: Record<Section, Record<string, unknown>> = { paths: {}, parameters: {}, members: {}, values: {} };
  const notes: Record<string, unknown> = {};
  for (const { section, scope, name, description, example } of names) {
    const isFlat = section === 'paths' || section === 'parameters';
    const path = isFlat ? [name] : [scope, name];
    const holder = isFlat
      ? table[section]
      : ((valueAt(table[section], scope) as Record<string, unknown> | undefined) ?? {});
    if (!isFlat) define(table[section], scope, holder);
    define(holder, name, name);
    const pointer = placeWithin('', section, ...path);
    if (notes[pointer] === undefined && (description !== undefined || example !== undefined)) {
      notes[pointer] = { description, example };
    }
  }
  return { ...table, 'x-notes': notes };
}

/** Sets a member whose name the document says, also `__proto__`. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function writeNote(names: readonly Name[], section: Section, [scope]: readonly string[], name: string): string {
  const found = names.find(
    (each) => each.section === section && each.name === name && (scope === undefined || each.scope === scope),
  );
  const example = found?.example === undefined ? undefined : JSON.stringify(found.example);
  const note = [found?.description, example].filter((part) => part !== undefined).join(' · ');
  return note === '' ? '' : `  # ${note}`;
}
