/** Makes tables whole: each has the words and sentences of the one that it extends, and lacks no sentence that another one says. */
import { asObject, isObject, type Json, readWord, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { allLists, type Catalogue, listNames } from '../model/catalogue.ts';
import { sentences } from '../texts/packaged.ts';
import { isSentence, keepGeneral, merge, messageParts, withDerived, without } from './layers.ts';

export interface Candidate {
  /** That of the files, if they are in one. */
  readonly folder?: string | undefined;
  readonly file: string;
  readonly tag: string;
  readonly content: unknown;
  /** The file of its sentences, if it is another one. */
  readonly messages?: string | undefined;
  /** The digest of the sentence from which each one was translated, by its place: the content of `messages/<tag>.sources.json`. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
}

/** A table with all that it does not say itself. */
export interface WholeTable extends Candidate {
  /** What the file itself says. */
  readonly own: unknown;
  /** The table from which its sentences are translated: the one that it extends, else the English one; none if it is that. */
  readonly source?: Candidate | undefined;
  /** The tag of the language of each sentence that is another language's, by its place such as `phrases.internal`. */
  readonly borrowed: ReadonlyMap<string, string>;
  /** What an operator has to know although it is no fault, such as a path that is not the inherited one. */
  readonly notes: readonly string[];
}

/** The language whose sentences are those of every language that lacks some. */
export const ENGLISH = 'en';

/** The table of the sentences that every service has. */
const packaged = {
  file: `${ENGLISH}.json`,
  tag: ENGLISH,
  content: keepGeneral({ ...sentences[ENGLISH] }),
  borrowed: new Map<string, string>(),
};

/** The parts that a table has as a whole, with gaps, or not at all: without one the default language is shown. */
export const OPTIONAL = ['pages', 'commands', 'descriptions'] as const;

const keyword = (content: unknown): unknown => valueAt(content, 'extends');

/** @returns the tables that a table extends, the nearest one first, and why there are not more of them */
function listParents(
  table: Candidate,
  tables: ReadonlyMap<string, Candidate>,
): { readonly parents: readonly Candidate[]; readonly faults: readonly string[] } {
  const parents: Candidate[] = [];
  for (let tag = keyword(table.content); tag !== undefined; tag = keyword(parents.at(-1)?.content)) {
    const below = parents.at(-1) ?? table;
    const parent = tables.get(String(tag).toLowerCase());
    if (!parent) return { parents, faults: [`${below.file}: extends: there is no table ${tag}.json`] };
    if (parent === table || parents.includes(parent)) {
      const circle = [table, ...parents, parent].map((each) => each.tag).join(' → ');
      return { parents, faults: [`${table.file}: extends: ${circle} is a circle`] };
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
  if (own !== undefined && (isSentence(usual) || isSentence(own))) return own;
  if (isSentence(usual)) {
    onGap(place);
    return usual;
  }
  const filled = Object.entries(asObject(usual)).map(([name, part]) => {
    return [name, fillGaps(valueAt(own, name), part, onGap, place === '' ? name : `${place}.${name}`)] as const;
  });
  return { ...asObject(own), ...Object.fromEntries(filled) };
}

function pickSentences(content: unknown, left: readonly string[] = []): Json {
  return Object.fromEntries(
    Object.entries(asObject(content)).filter(([part]) => messageParts.includes(part) && !left.includes(part)),
  );
}

/** @returns what a language may borrow: labels of fields have the words of bodies in their place */
function listBorrowable(content: unknown, absent: readonly string[]): Json {
  const { descriptions, ...parts } = pickSentences(content, ['derived', ...absent]);
  if (!isObject(descriptions)) return parts;
  return { ...parts, descriptions: { ...descriptions, fields: {} } };
}

/** @returns the sentences of a table that every language should say, by their places such as `phrases.internal` */
export function listSentences(content: unknown): ReadonlyMap<string, unknown> {
  const texts = new Map<string, unknown>();
  const borrowable = listBorrowable(content, []);
  fillGaps({}, borrowable, (place) => texts.set(place, valueAt(borrowable, ...place.split('.'))));
  return texts;
}

const isDialect = (tag: string, other: string): boolean =>
  new Intl.Locale(tag).language === new Intl.Locale(other).language;

interface Inherited extends Candidate {
  readonly own: unknown;
  readonly borrowed: Map<string, string>;
  readonly parents: readonly Candidate[];
}

/** @returns a table with the words and sentences of those that it extends */
function inherit(table: Candidate, parents: readonly Candidate[], lists: readonly string[]): Inherited {
  const borrowed = new Map<string, string>();
  const [first, ...more] = parents;
  if (!first || !isObject(table.content))
    return { ...table, own: table.content, content: withDerived(table.content, lists), borrowed, parents };
  const above = inherit(first, more, []);
  const { extends: _, ...own } = table.content;
  const whole = asObject(merge(above.content, own));
  const texts = fillGaps(pickSentences(own), pickSentences(above.content), (place) => {
    const tag = above.borrowed.get(place) ?? first.tag;
    if (!isDialect(tag, table.tag)) borrowed.set(place, tag);
  });
  const content = withDerived({ ...whole, ...asObject(texts) }, lists);
  return { ...table, own, content, borrowed, parents };
}

/** @returns a table in which no path at the top is another language's because it is inherited, and a note for each that has changed */
function withFreePaths(
  table: Inherited,
  others: readonly Inherited[],
  roots: readonly string[],
): { readonly content: unknown; readonly notes: readonly string[] } {
  const [parent] = table.parents;
  if (!parent) return { content: table.content, notes: [] };
  const notes: string[] = [];
  const paths = roots.flatMap((name) => {
    const word = readWord(valueAt(table.content, 'paths', name));
    if (valueAt(table.own, 'paths', name) !== undefined || word === undefined) return [];
    const owner = others.find(({ content }) => readWord(valueAt(content, 'paths', name)) === word);
    if (!owner) return [];
    const free = `${word}-${table.tag.toLowerCase()}`;
    notes.push(`${table.file}: paths.${name}: "${word}" is the word of ${owner.file}, so this language has "${free}"`);
    return [[name, free] as const];
  });
  return { content: merge(table.content, { paths: Object.fromEntries(paths) }), notes };
}

/** @returns a table with the sentences that the default language, English or the package say and it lacks */
function withFallbacks(table: Inherited, usual: readonly Inherited[], isDefault: boolean): Inherited {
  if (!isObject(table.content)) return table;
  const absent = isDefault ? [] : OPTIONAL.filter((part) => !isObject(valueAt(table.content, part)));
  const borrowed = new Map(table.borrowed);
  const content = [...usual, packaged].reduce<unknown>(
    (filled, each) =>
      fillGaps(filled, listBorrowable(each.content, absent), (place) => {
        borrowed.set(place, each.borrowed.get(place) ?? each.tag);
      }),
    table.content,
  );
  return { ...table, content, borrowed };
}

function findSource({ tag, parents }: Inherited, all: readonly Inherited[]): WholeTable['source'] {
  if (parents[0]) return all.find((each) => each.tag === parents[0]?.tag) ?? parents[0];
  if (tag === ENGLISH) return undefined;
  return all.find((each) => each.tag === ENGLISH) ?? packaged;
}

/**
 * @param served the tables of the languages of the service
 * @param more tables that others may extend, and that are not served
 * @returns the served tables with all that they inherit and borrow, in the same order, and why some cannot
 */
export function completeTables(
  catalogue: Catalogue,
  served: readonly Candidate[],
  defaultLanguage: string,
  more: readonly Candidate[] = [],
): { readonly whole: readonly WholeTable[]; readonly faults: readonly string[] } {
  const tables = served.map(modernize);
  const byTag = new Map([...tables, ...more.map(modernize)].map((each) => [each.tag.toLowerCase(), each]));
  const lists = allLists(catalogue).map(({ routeId }) => routeId);
  const roots = listNames(allLists(catalogue).filter(({ parent }) => parent === undefined));
  const chains = tables.map((table) => ({ table, ...listParents(table, byTag) }));
  const inherited = chains.map(({ table, parents, faults }) => inherit(table, faults.length > 0 ? [] : parents, lists));
  const usual = [defaultLanguage, ENGLISH].flatMap((tag) => inherited.find((each) => each.tag === tag) ?? []);
  const whole = inherited.map((table) => {
    const others = inherited.filter((each) => each !== table);
    const { content, notes } = withFreePaths(table, others, roots);
    const source = findSource(table, inherited);
    return { ...withFallbacks({ ...table, content }, usual, table.tag === defaultLanguage), source, notes };
  });
  return { whole, faults: [...new Set(chains.flatMap(({ faults }) => faults))] };
}
