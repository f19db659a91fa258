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
  const names = all.filter(({ name }) => /^[^\p{Cc}]+$/u.test(name));
  if (document.faults.length > 0) throw new VocabularyError(document.faults);
  const text = json ? `${JSON.stringify(createTable(names), null, 2)}\n` : `${TABLE_NOTE[language]}${writeYaml(names)}`;
  process.stdout.write(escapeControls(text));
  return 0;
}

/** @returns the names of each section by their scopes; those of paths and parameters have none */
function groupNames(names: readonly Name[]) {
  return SECTIONS.map((section) => {
    const own = names.filter((name) => name.section === section);
    return { section, scopes: Map.groupBy(own, ({ scope }) => scope) };
  });
}

function createTable(names: readonly Name[]): Readonly<Record<string, unknown>> {
  const sections = groupNames(names).map(({ section, scopes }) => {
    // Entries, because a name may be `__proto__`.
    const entries = [...scopes].flatMap(([scope, own]): [string, unknown][] => {
      const words = own.map(({ name }): [string, string] => [name, name]);
      return scope === undefined ? words : [[scope, Object.fromEntries(words)]];
    });
    return [section, Object.fromEntries(entries)];
  });
  const notes = names.flatMap(({ section, scope, name, description, example }) => {
    const pointer = placeWithin('', section, ...(scope === undefined ? [] : [scope]), name);
    return description === undefined && example === undefined ? [] : [[pointer, { description, example }]];
  });
  return { ...Object.fromEntries(sections), 'x-notes': Object.fromEntries(notes) };
}

function writeYaml(names: readonly Name[]): string {
  const sections = groupNames(names).map(({ section, scopes }) => {
    const lines = [...scopes].map(([scope, own]) => {
      const indent = scope === undefined ? '  ' : '    ';
      const words = own.map((name) => indent + writeWord(name)).join('');
      return scope === undefined ? words : `  ${JSON.stringify(scope)}:\n${words}`;
    });
    return `${section}:${lines.length === 0 ? ' {}' : ''}\n${lines.join('')}`;
  });
  return sections.join('');
}

function writeWord({ name, description, example }: Name): string {
  const note = [description, JSON.stringify(example)].filter((part) => part !== undefined).join(' · ');
  const short = note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note;
  return `${JSON.stringify(name)}: ${JSON.stringify(name)}${short === '' ? '' : `  # ${short}`}\n`;
}
