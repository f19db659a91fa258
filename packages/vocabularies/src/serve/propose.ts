/** The command `propose`: a first table for a document. */
import { Scalar, Document as Table } from 'yaml';
import { Document, placeWithin, VocabularyError } from '../document.ts';
import { Vocabulary } from '../nodes.ts';
import { readRoutes } from '../paths.ts';
import { Words } from '../table.ts';
import { listNames, type Name } from './names.ts';
import { print, texts } from './texts.ts';

/** Characters of a note beside a name. */
const LONGEST_NOTE = 160;

/**
 * Prints a table in which each name stands for itself, so that it starts as it is and `check` lists what still needs a word.
 * Beside each name is what the document says of it.
 *
 * @throws VocabularyError that lists the faults of the document
 */
export function propose(content: unknown, json: boolean): number {
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = new Words('', {});
  const all = listNames(document, routes, new Vocabulary(words, [words], document, routes));
  if (document.faults.length > 0) throw new VocabularyError(document.faults);
  // An empty name, or one with control characters, cannot stand in a table.
  const names = joinScopes(all.filter(({ name }) => /^[^\p{Cc}]+$/u.test(name)));
  const table = new Table({ paths: {}, parameters: {}, members: {}, values: {} });
  const notes = new Map<string, Pick<Name, 'description' | 'example'>>();
  for (const { section, scope, name, description, example } of names) {
    const place = [section, ...(scope === undefined ? [] : [scope]), name];
    const word = new Scalar(name);
    word.comment = writeNote(description, example);
    table.setIn(place, word);
    if (word.comment !== '') notes.set(placeWithin('', ...place), { description, example });
  }
  table.commentBefore = texts.note.map((line) => ` ${line}`).join('\n');
  const written = json
    ? `${JSON.stringify({ ...table.toJS(), 'x-notes': Object.fromEntries(notes) }, null, 2)}\n`
    : table.toString({ defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 });
  print(written);
  return 0;
}

/** @returns the names, each that several schemas have only once, with the first description of it */
function joinScopes(names: readonly Name[]): readonly Name[] {
  const groups = Map.groupBy(names, ({ section, name }) => placeWithin(section, name));
  return [...groups.values()].flatMap((group) => {
    const [shown = group[0]] = group.filter(({ description }) => description !== undefined);
    return shown && group.length > 1 ? { ...shown, scope: '*' } : group;
  });
}

function writeNote(description: string | undefined, example: unknown): string {
  const note = [description, JSON.stringify(example)].filter((part) => part !== undefined).join(' · ');
  const short = note.length > LONGEST_NOTE ? `${note.slice(0, LONGEST_NOTE)}…` : note;
  return short === '' ? '' : ` ${short}`;
}
