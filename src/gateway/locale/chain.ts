/** Makes tables whole: with the words and sentences of those that they extend, and with every sentence that another one has. */
import { asObject, isObject, type Json, readWord, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { allLists, type Catalogue, listNames } from '../model/catalogue.ts';
import { sentences, words } from '../texts/packaged.ts';
import { describeFault } from './faults.ts';
import {
  generalParts,
  isText,
  keepGeneral,
  listTexts,
  merge,
  messageParts,
  pick,
  withDerived,
  without,
} from './layers.ts';

export interface Candidate {
  /** The folder of the files, if they are in one. */
  readonly folder?: string | undefined;
  readonly file: string;
  readonly tag: string;
  readonly content: unknown;
  /** The file of its sentences, if it is another one. */
  readonly messages?: string | undefined;
  /** The digest of the sentence from which each one was translated, by its place: the content of `messages/<tag>.sources.json`. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
}

/** A table with the words and sentences of those that it extends, the nearest one first. */
export interface InheritedTable extends Candidate {
  /** What the file itself says. */
  readonly own: unknown;
  /** The tag of the language of each sentence that is another language's, by its place such as `phrases.internal`. */
  readonly borrowed: ReadonlyMap<string, string>;
  readonly parents: readonly Candidate[];
}

/** A table with all that it does not say itself. */
export interface WholeTable extends InheritedTable {
  /** The table from which its sentences are translated: the one that it extends, else the English one; none if it is that. */
  readonly source?: (Candidate & { readonly own?: unknown }) | undefined;
  /** What an operator has to know although it is no fault, such as a path that is not the inherited one. */
  readonly notes: readonly string[];
}

/** The language whose sentences are those of every language that lacks some. */
export const ENGLISH = 'en';

/** The table of what every service says. */
const packaged = {
  file: `${ENGLISH}.json`,
  tag: ENGLISH,
  content: keepGeneral({ ...words[ENGLISH], ...sentences[ENGLISH] }),
  borrowed: new Map<string, string>(),
};

/** The parts that a table has as a whole, with gaps, or not at all: without one the default language is shown. */
const OPTIONAL = ['pages', 'commands', 'descriptions'] as const;

/** @returns the tables that a table extends, the nearest one first, and why there are not more of them */
function listParents(table: Candidate, tables: ReadonlyMap<string, Candidate>) {
  const parents: Candidate[] = [];
  for (
    let tag = valueAt(table.content, 'extends');
    tag !== undefined;
    tag = valueAt(parents.at(-1)?.content, 'extends')
  ) {
    const below = parents.at(-1) ?? table;
    const parent = tables.get(String(tag).toLowerCase());
    if (!parent) {
      const fault = describeFault('table-missing', { file: `${tag}.json` });
      return { parents, faults: [`${below.file}: extends: ${fault}`] };
    }
    if (parent === table || parents.includes(parent)) {
      const circle = [table, ...parents, parent].map((member) => member.tag).join(' → ');
      return { parents, faults: [`${table.file}: extends: ${describeFault('circle', { circle })}`] };
    }
    parents.push(parent);
  }
  return { parents, faults: [] };
}

/** @returns a table as it is today: remedies were in `pages` until 1.0 */
function modernize(table: Candidate): Candidate {
  const remedies = valueAt(table.content, 'pages', 'remedies');
  if (!isObject(remedies)) return table;
  const problems = Object.fromEntries(Object.entries(remedies).map(([code, remedy]) => [code, { remedy }]));
  return { ...table, content: merge({ problems }, without(table.content, ['pages', 'remedies'])) };
}

/** Calls `onGap` with the place of each sentence that a table lacks and another one has. @returns the table with these sentences */
function fillGaps(own: unknown, usual: unknown, onGap: (place: string) => void, place = ''): unknown {
  if (own !== undefined && (isText(usual) || isText(own))) return own;
  if (isText(usual)) {
    onGap(place);
    return usual;
  }
  const filled = Object.entries(asObject(usual)).map(([name, part]) => {
    return [name, fillGaps(valueAt(own, name), part, onGap, place === '' ? name : `${place}.${name}`)] as const;
  });
  return { ...asObject(own), ...Object.fromEntries(filled) };
}

/** @returns what a language may borrow of a table: labels of fields have the words of bodies in their place */
function listBorrowable(content: unknown, absent: readonly string[] = []): Json {
  const parts = [...messageParts, ...generalParts].filter((part) => part !== 'derived' && !absent.includes(part));
  return without(pick(asObject(content), parts), ['descriptions', 'fields']);
}

/** @returns the sentences of a table that every language should say, by their places such as `phrases.internal` */
export function listSentences(content: unknown): ReadonlyMap<string, unknown> {
  return listTexts(listBorrowable(content), messageParts);
}

/** @returns a table with the words and sentences of those that it extends */
function inherit(table: Candidate, parents: readonly Candidate[], lists: readonly string[]): InheritedTable {
  const borrowed = new Map<string, string>();
  const [first, ...more] = parents;
  if (!first || !isObject(table.content))
    return { ...table, own: table.content, content: withDerived(table.content, lists), borrowed, parents };
  const above = inherit(first, more, []);
  const { extends: _, ...own } = table.content;
  const whole = asObject(merge(above.content, own));
  const texts = fillGaps(pick(own, messageParts), pick(asObject(above.content), messageParts), (place) => {
    const tag = above.borrowed.get(place) ?? first.tag;
    // Dialects of one language borrow nothing of each other.
    if (new Intl.Locale(tag).language !== new Intl.Locale(table.tag).language) borrowed.set(place, tag);
  });
  const content = withDerived({ ...whole, ...asObject(texts) }, lists);
  return { ...table, own, content, borrowed, parents };
}

/** @returns a table in which no path at the top is another language's because it is inherited, and a note for each that has changed */
function withFreePaths(table: InheritedTable, others: readonly InheritedTable[], roots: readonly string[]) {
  const [parent] = table.parents;
  if (!parent) return { content: table.content, notes: [] };
  const notes: string[] = [];
  const paths = roots.flatMap((name) => {
    const word = readWord(valueAt(table.content, 'paths', name));
    if (valueAt(table.own, 'paths', name) !== undefined || word === undefined) return [];
    const owner = others.find(({ content }) => readWord(valueAt(content, 'paths', name)) === word);
    if (!owner) return [];
    const free = `${word}-${table.tag.toLowerCase()}`;
    const note = describeFault('tag-added', { word, owner: owner.file, free });
    notes.push(`${table.file}: paths.${name}: ${note}`);
    return [[name, free] as const];
  });
  return { content: merge(table.content, { paths: Object.fromEntries(paths) }), notes };
}

/** @returns a table with the sentences that the default language, English or the package say and it lacks */
function withFallbacks(table: InheritedTable, usual: readonly InheritedTable[], isDefault: boolean): InheritedTable {
  if (!isObject(table.content)) return table;
  const absent = isDefault ? [] : OPTIONAL.filter((part) => !isObject(valueAt(table.content, part)));
  const borrowed = new Map(table.borrowed);
  let content: unknown = table.content;
  for (const lender of [...usual, packaged]) {
    content = fillGaps(content, listBorrowable(lender.content, absent), (place) => {
      borrowed.set(place, lender.borrowed.get(place) ?? lender.tag);
    });
  }
  const labels = { descriptions: { fields: {} } };
  return { ...table, content: absent.includes('descriptions') ? content : merge(labels, content), borrowed };
}

function findSource({ tag, parents }: InheritedTable, all: readonly InheritedTable[]): WholeTable['source'] {
  const [source = tag === ENGLISH ? undefined : packaged] = parents;
  return source && (all.find((other) => other.tag === source.tag) ?? source);
}

/** @returns the served tables with all that they inherit, also from tables that are not served (`more`), and why some cannot */
export function inheritTables(catalogue: Catalogue, served: readonly Candidate[], more: readonly Candidate[]) {
  const tables = served.map(modernize);
  const byTag = new Map([...tables, ...more.map(modernize)].map((table) => [table.tag.toLowerCase(), table]));
  const lists = allLists(catalogue).map(({ routeId }) => routeId);
  const chains = tables.map((table) => ({ table, ...listParents(table, byTag) }));
  return {
    inherited: chains.map(({ table, parents, faults }) => inherit(table, faults.length > 0 ? [] : parents, lists)),
    faults: [...new Set(chains.flatMap(({ faults }) => faults))],
  };
}

/** @returns the tables with all that they borrow, in the same order */
export function completeTables<T extends InheritedTable>(
  catalogue: Catalogue,
  tables: readonly T[],
  defaultLanguage: string,
): readonly (T & WholeTable)[] {
  const roots = listNames(allLists(catalogue).filter(({ parent }) => parent === undefined));
  const usual = [defaultLanguage, ENGLISH].flatMap((tag) => tables.find((table) => table.tag === tag) ?? []);
  return tables.map((table) => {
    const others = tables.filter((other) => other !== table);
    const { content, notes } = withFreePaths(table, others, roots);
    const source = findSource(table, tables);
    return { ...table, ...withFallbacks({ ...table, content }, usual, table.tag === defaultLanguage), source, notes };
  });
}
