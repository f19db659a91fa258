/** The command `propose`: a first table for a document. */
import { Document, placeWithin, VocabularyError } from '../document.ts';
import { Vocabulary } from '../nodes.ts';
import { readRoutes } from '../paths.ts';
import { Words } from '../table.ts';
import { isObject, type Json } from '../words.ts';
import { escapeControls, type OutputOptions } from './check.ts';
import { listNames, type Name } from './names.ts';
import { TABLE_NOTE } from './texts.ts';

const SECTIONS = ['paths', 'parameters', 'members', 'values'] as const;
/** Characters of a note beside a name. */
const LONGEST_NOTE = 160;

/**
 * Prints a table in which each name stands for itself, so that it starts as it is and `check` lists what still needs a word.
 * Beside each name is what the document says of it.
 *
 * @throws VocabularyError that lists the faults of the document
 */
export function propose(content: unknown, { json, language }: OutputOptions): number {
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = new Words('', {});
  const all = listNames(document, routes, new Vocabulary(words, [words], document, routes));
  // An empty name, or one with control characters, cannot stand in a table.
  const names = joinScopes(all.filter(({ name }) => /^[^\p{Cc}]+$/u.test(name)));
  if (document.faults.length > 0) throw new VocabularyError(document.faults);
  const notes = new Map(names.map(writeNote));
  const text = json ? writeJson(names) : TABLE_NOTE[language] + writeYaml(createTable(names), notes);
  process.stdout.write(escapeControls(text));
  return 0;
}

/** @returns the names, each that several schemas have only once, with the first description of it */
function joinScopes(names: readonly Name[]): readonly Name[] {
  const groups = Map.groupBy(names, ({ section, name }) => placeWithin(section, name));
  return Array.from(groups.values(), ([first, ...others]) => {
    if (others.length === 0) return first as Name;
    const shown = [first, ...others].find((name) => name?.description !== undefined) ?? first;
    return { ...(shown as Name), scope: '*' };
  });
}

/** @returns where a name stands in a table */
function readPointer({ section, scope, name }: Name): string {
  return placeWithin('', section, ...(scope === undefined ? [] : [scope]), name);
}

function createTable(names: readonly Name[]): Json {
  const write = (all: readonly Name[]): Json => Object.fromEntries(all.map(({ name }) => [name, name]));
  const sections = SECTIONS.map((section) => {
    const inSection = names.filter((name) => name.section === section);
    const scopes = [...Map.groupBy(inSection, ({ scope }) => scope)].map(([scope, all]) => [scope, write(all)]);
    const isFlat = inSection.some(({ scope }) => scope === undefined);
    return [section, isFlat ? write(inSection) : Object.fromEntries(scopes)];
  });
  return Object.fromEntries(sections);
}

function writeJson(names: readonly Name[]): string {
  const notes = names.flatMap((name) => {
    const { description, example } = name;
    return description === undefined && example === undefined ? [] : [[readPointer(name), { description, example }]];
  });
  return `${JSON.stringify({ ...createTable(names), 'x-notes': Object.fromEntries(notes) }, null, 2)}\n`;
}

function writeYaml(part: Json, notes: ReadonlyMap<string, string>, place = '', indent = ''): string {
  const lines = Object.entries(part).map(([key, value]) => {
    const pointer = placeWithin(place, key);
    const start = `${indent}${indent === '' ? key : JSON.stringify(key)}:`;
    if (!isObject(value)) return `${start} ${JSON.stringify(value)}${notes.get(pointer) ?? ''}\n`;
    return Object.keys(value).length === 0
      ? `${start} {}\n`
      : `${start}\n${writeYaml(value, notes, pointer, `${indent}  `)}`;
  });
  return lines.join('');
}

function writeNote(name: Name): readonly [pointer: string, note: string] {
  const parts = [name.description, JSON.stringify(name.example)].filter((part) => part !== undefined);
  const note = parts.join(' · ');
  const short = note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note;
  return [readPointer(name), short === '' ? '' : `  # ${short}`];
}
