/** The command `propose`: a first table for a document. */
import { Document, placeWithin, VocabularyError } from '../document.ts';
import { Vocabulary } from '../nodes.ts';
import { readRoutes } from '../paths.ts';
import { Words } from '../table.ts';
import { escapeControls, type Report } from './check.ts';
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
export function propose(content: unknown, { json, language }: Report): number {
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = new Words('', {});
  const all = listNames(document, routes, new Vocabulary(words, [words], document, routes));
  // What cannot be a word has none.
  const names = joinScopes(all.filter(({ name }) => /^[^\p{Cc}]+$/u.test(name)));
  if (document.faults.length > 0) throw new VocabularyError(document.faults);
  const notes = new Map(names.map(writeNote));
  const text = json ? writeJson(names) : TABLE_NOTE[language] + writeYaml(createTable(names), notes);
  process.stdout.write(escapeControls(text));
  return 0;
}

/** @returns names, of which one that several schemas have stands once for all of them, beside the first description */
function joinScopes(names: readonly Name[]): readonly Name[] {
  const groups = Map.groupBy(names, ({ section, name }) => placeWithin(section, name));
  return Array.from(groups.values(), ([first, ...others]) => {
    if (others.length === 0) return first as Name;
    const described = [first, ...others].find((name) => name?.description !== undefined) ?? first;
    return { ...(described as Name), scope: '*' };
  });
}

/** A part of a table; a map, because a name may be `__proto__`. */
type Part = Map<string, Part | string>;

/** @returns where a name stands in a table */
function readPath({ section, scope, name }: Name): readonly string[] {
  return [section, ...(scope === undefined ? [] : [scope]), name];
}

function createTable(names: readonly Name[]): Part {
  const table: Part = new Map(SECTIONS.map((section) => [section, new Map()]));
  for (const name of names) {
    const last = readPath(name)
      .slice(0, -1)
      .reduce((part, key) => (part.get(key) ?? part.set(key, new Map()).get(key)) as Part, table);
    last.set(name.name, name.name);
  }
  return table;
}

function toObject(part: Part): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from(part, ([key, value]) => [key, value instanceof Map ? toObject(value) : value]));
}

function writeJson(names: readonly Name[]): string {
  const notes = names.flatMap((name) => {
    const { description, example } = name;
    const pointer = placeWithin('', ...readPath(name));
    return description === undefined && example === undefined ? [] : [[pointer, { description, example }]];
  });
  return `${JSON.stringify({ ...toObject(createTable(names)), 'x-notes': Object.fromEntries(notes) }, null, 2)}\n`;
}

function writeYaml(part: Part, notes: ReadonlyMap<string, string>, place = '', indent = ''): string {
  const lines = Array.from(part, ([key, value]) => {
    const own = placeWithin(place, key);
    const start = `${indent}${indent === '' ? key : JSON.stringify(key)}:`;
    if (typeof value === 'string') return `${start} ${JSON.stringify(value)}${notes.get(own) ?? ''}\n`;
    return value.size === 0 ? `${start} {}\n` : `${start}\n${writeYaml(value, notes, own, `${indent}  `)}`;
  });
  return lines.join('');
}

function writeNote(name: Name): readonly [pointer: string, note: string] {
  const parts = [name.description, JSON.stringify(name.example)].filter((part) => part !== undefined);
  const note = parts.join(' · ');
  const short = note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note;
  return [placeWithin('', ...readPath(name)), short === '' ? '' : `  # ${short}`];
}
