import type { z } from 'zod';
import {
  asObject,
  findClashes,
  fold,
  likeness,
  type PlacedWord,
  readWord,
  valueAt,
} from '../../../packages/vocabularies/src/words.ts';
import { FaultsError } from '../../util/faults-error.ts';
import { allLists, type Catalogue, type Collection, listNames } from '../model/catalogue.ts';
import { getKind } from '../model/kinds/kinds.ts';
import { subresourceNames, withSuffix } from '../model/query.ts';
import { schemaNames, sharedSchemas } from '../texts/phrase.ts';
import {
  type Candidate,
  completeTables,
  ENGLISH,
  type InheritedTable,
  inheritTables,
  type WholeTable,
} from './chain.ts';
import { describeFault } from './faults.ts';
import { generalParts, messageParts, without } from './layers.ts';
import { isReserved } from './reserved.ts';
import { type Locale, listForms, type Table, tableSchema, WORD } from './table.ts';

export class LocaleError extends FaultsError {}

/** The faults that a start reports about tables, and the languages that it can serve: none if there are faults. */
export type Findings = ReturnType<typeof examineTables>;

type CheckedTable = WholeTable & Omit<ReturnType<typeof checkTable>, 'content'>;

/** Checks tables, and fills them in with what they inherit and borrow. @param more tables that others may extend, and that are not served */
export function examineTables(
  catalogue: Catalogue,
  candidates: readonly Candidate[],
  defaultLanguage: string,
  more: readonly Candidate[] = [],
) {
  const { inherited, faults: chainFaults } = inheritTables(catalogue, candidates, more);
  const checked = inherited.map((table) => ({ ...table, ...checkTable(catalogue, table) }));
  const tables = completeTables(catalogue, checked, defaultLanguage).map((table): CheckedTable => {
    const gaps = table.gaps.filter((place) => valueAt(table.content, ...place) === undefined);
    const missing = gaps.map((place) => writeFault(describeMissing(place)));
    return { ...table, faults: [...table.faults, ...missing, ...findClashesWithin(catalogue, table.content)] };
  });
  const file = `${defaultLanguage}.json`;
  const hasDefault = candidates.some(({ tag }) => tag === defaultLanguage);
  const faults = [
    ...chainFaults,
    ...listReported(tables, 'faults', defaultLanguage),
    // `es.json` and `ES.json` are the same language.
    ...findClashes(candidates.map(({ file, tag }) => ({ key: file, word: tag }))).map(
      ({ entry, owner }) => `${entry.key}: ${describeFault('same-language', { tag: entry.word, owner: owner.key })}`,
    ),
    ...findClashesBetween(catalogue, tables),
    ...(hasDefault ? [] : [`DEFAULT_LANGUAGE=${defaultLanguage}: ${describeFault('table-missing', { file })}`]),
  ];
  const locales = tables.map(({ tag, content, borrowed }): Locale => ({ tag, table: content as Table, borrowed }));
  return {
    faults,
    /** Sentences and general words that are wrong, and are those of another language until they are right. */
    flaws: listReported(tables, 'flaws', defaultLanguage),
    warnings: tables.flatMap((table) => [
      ...table.unknown.filter((fault) => isOwnFault(table, fault)).map((fault) => placeInFile(table, fault)),
      ...table.notes,
    ]),
    tables,
    locales: faults.length > 0 ? [] : locales,
  };
}

/** @returns what is wrong with tables; what one inherits or borrows is reported only for the table that it comes from */
function listReported(tables: readonly CheckedTable[], kind: 'faults' | 'flaws', defaultLanguage: string) {
  return tables.flatMap((table) => {
    const tags = [...table.parents.map(({ tag }) => tag), defaultLanguage, ENGLISH];
    const sources = tables.filter((other) => other !== table && tags.includes(other.tag));
    const inherited = sources.flatMap((source) => source[kind]);
    const reported = table[kind].filter((fault) => isOwnFault(table, fault) || !inherited.includes(fault));
    return reported.map((fault) => placeInFile(table, fault));
  });
}

/** @returns whether a table says itself what a fault is about, or lacks it */
function isOwnFault({ own }: WholeTable, fault: string): boolean {
  const place = fault.slice(0, fault.indexOf(':')).split('.');
  return valueAt(own, ...place) !== undefined;
}

function placeInFile({ file, messages = file }: Candidate, fault: string): string {
  return `${messageParts.includes(fault.split(/[.:]/, 1)[0] ?? '') ? messages : file}: ${fault}`;
}

type Path = readonly string[];

/** Something that is wrong at a place of a table. */
interface Fault {
  readonly place: Path;
  readonly text: string;
  readonly kind?: 'missing' | 'unknown';
}

function writeFault({ place, text }: Fault): string {
  return place.length === 0 ? text : `${place.join('.')}: ${text}`;
}

function describeMissing(place: Path): Fault {
  return { place, text: describeFault('missing'), kind: 'missing' };
}

function listFaults(issue: z.core.$ZodIssue, above: Path = []): readonly Fault[] {
  const place = [...above, ...issue.path.map(String)];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ place: [...place, key], text: describeFault('unknown-key'), kind: 'unknown' }));
    case 'invalid_union': {
      // Either a text or an object: only the faults of the one that was probably intended.
      const [ofText = [], ofObject = []] = issue.errors;
      if (issue.input === undefined) return [describeMissing(place)];
      return (typeof issue.input === 'object' ? ofObject : ofText).flatMap((inner) => listFaults(inner, place));
    }
    case 'invalid_type':
      if (issue.input === undefined) return [describeMissing(place)];
      return [{ place, text: describeFault('wrong-type', { type: issue.expected }) }];
    default:
      return [issue.input === undefined ? describeMissing(place) : { place, text: issue.message }];
  }
}

/** @returns the place of the whole sentence or word of which something is wrong, such as one of its plural forms */
function findText(place: Path): Path {
  const [part = '', kind] = place;
  if (kind === 'totals') return place.slice(0, 3);
  return ['phrases', 'commands', ...generalParts].includes(part) ? place.slice(0, 2) : place;
}

const isMendable = ({ place: [part = ''] }: Fault): boolean =>
  messageParts.includes(part) || generalParts.includes(part);

type TableSchema = ReturnType<typeof tableSchema>;

const schemas = new WeakMap<Catalogue, Map<string, TableSchema>>();

/** Most tables of a catalogue have one schema, which takes longer to make than a table to check. */
function findSchema(catalogue: Catalogue, forms: readonly string[]): TableSchema {
  const known = schemas.get(catalogue) ?? new Map<string, TableSchema>();
  schemas.set(catalogue, known);
  const name = forms.join();
  const schema = known.get(name) ?? tableSchema(catalogue, forms);
  known.set(name, schema);
  return schema;
}

/** Checks a table before it borrows anything. @returns it without what nothing uses and without what is wrong and can be borrowed */
function checkTable(catalogue: Catalogue, { content }: InheritedTable) {
  const { error } = findSchema(catalogue, listForms(content)).safeParse(content, { reportInput: true, jitless: true });
  const all = (error?.issues ?? []).flatMap((issue) => listFaults(issue));
  const unknown = all.filter(({ kind }) => kind === 'unknown');
  const mendable = all.filter((fault) => fault.kind !== 'unknown' && isMendable(fault));
  const isGap = ({ place, kind }: Fault): boolean =>
    kind === 'missing' && messageParts.includes(place[0] ?? '') && valueAt(content, ...findText(place)) === undefined;
  const flaws = mendable.filter((fault) => !isGap(fault));
  const places = [...unknown.map(({ place }) => place), ...flaws.map(({ place }) => findText(place))];
  return {
    content: places.reduce<unknown>(without, content),
    unknown: unknown.map(writeFault),
    flaws: flaws.map(writeFault),
    faults: all.filter((fault) => fault.kind !== 'unknown' && !isMendable(fault)).map(writeFault),
    /** What another language has to say. */
    gaps: mendable.map(({ place }) => findText(place)),
  };
}

function readAllWords(entry: unknown): readonly unknown[] {
  const former = valueAt(entry, 'former');
  return [readWord(entry), ...(Array.isArray(former) ? former.map(readWord) : [])];
}

/** @returns the valid words at one path of a table that may be invalid elsewhere, of all names there or of some */
function listWordsAt(content: unknown, path: readonly string[], names?: readonly string[]): readonly PlacedWord[] {
  const entries = Object.entries(valueAt(content, ...path) ?? {}).filter(([name]) => names?.includes(name) ?? true);
  return entries.flatMap(([name, entry]) => {
    const valid = readAllWords(entry).filter((word) => WORD.test(String(word)));
    return valid.map((word) => ({ key: [...path, name].join('.'), word: String(word) }));
  });
}

function describeClashes(entries: readonly PlacedWord[], comparable?: (word: string) => string): readonly string[] {
  return findClashes(entries, comparable).map(
    ({ entry: { key, word }, owner }) => `${key}: ${describeFault('clash', { word, owner: owner.key })}`,
  );
}

function listRangeWords({ name, fields }: Collection, content: unknown): readonly PlacedWord[] {
  // Two suffixes of one word are one fault, whatever the fields.
  const suffixes = [...new Map(listWordsAt(content, ['suffixes']).map((entry) => [entry.word, entry])).values()];
  const ranged = listNames(fields.filter((field) => getKind(field).hasRanges));
  return listWordsAt(content, ['fields', name], ranged).flatMap((field) =>
    suffixes.map(({ key, word }) => ({ key: `${key} of ${field.key}`, word: withSuffix(field.word, word) })),
  );
}

/** @returns lists of words, in none of which a word may mean two things */
function listScopes(catalogue: Catalogue, content: unknown): readonly (readonly PlacedWord[])[] {
  const [parameters, members] = [listWordsAt(content, ['parameters']), listWordsAt(content, ['members'])];
  return [
    listWordsAt(content, ['suffixes']),
    listWordsAt(content, ['values']),
    listWordsAt(content, ['report']),
    listWordsAt(content, ['paths'], subresourceNames),
    ...catalogue.flatMap((collection) => {
      const fields = listWordsAt(content, ['fields', collection.name]);
      // Nested items are members of an item, like its fields.
      const nested = listWordsAt(content, ['paths'], listNames(collection.children));
      const inQueries = [...parameters, ...fields, ...listRangeWords(collection, content)];
      return [inQueries, [...members, ...fields, ...nested]];
    }),
  ];
}

function listSynonymsAt(content: unknown, path: readonly string[]): readonly PlacedWord[] {
  return Object.entries(valueAt(content, 'synonyms', ...path) ?? {}).flatMap(([name, words]) => {
    const official = readAllWords(valueAt(content, ...path, name)).map((word) => likeness(String(word)));
    const synonyms = (Array.isArray(words) ? words : [])
      .map(String)
      .filter((word) => !official.includes(likeness(word)));
    return synonyms.map((word) => ({ key: ['synonyms', ...path, name].join('.'), word }));
  });
}

function findClashingSynonyms(catalogue: Catalogue, content: unknown): readonly string[] {
  const inQueries = catalogue.map(({ name }) => [['fields', name], ['parameters']]);
  const scopes = [[['paths']], [['suffixes']], [['values']], ...inQueries].map((paths) => [
    ...paths.flatMap((path) => listWordsAt(content, path)),
    ...paths.flatMap((path) => listSynonymsAt(content, path)),
  ]);
  return scopes.flatMap((scope) => describeClashes(scope, likeness)).filter((fault) => fault.startsWith('synonyms.'));
}

/** @returns two lists for each field: its choices, and its equivalents, none of which may mean two things */
function listValues(catalogue: Catalogue, content: unknown): readonly (readonly PlacedWord[])[] {
  const place = (path: readonly string[], values: readonly unknown[]): readonly PlacedWord[] =>
    values.map((value) => ({ key: path.join('.'), word: String(value) }));
  return catalogue.flatMap(({ name: collection, fields }) =>
    fields.flatMap(({ name, choices = [] }) => {
      const equivalents = Object.entries(asObject(valueAt(content, 'equivalents', collection, name)));
      const choiceWords = choices.flatMap((value) => {
        const path = ['choices', collection, name, value];
        const words = readAllWords(valueAt(content, ...path) ?? value).map((word) => word ?? value);
        return place(path, words);
      });
      const equivalentWords = equivalents.flatMap(([meaning, values]) =>
        place(['equivalents', collection, name, meaning], Array.isArray(values) ? values : []),
      );
      return [choiceWords, equivalentWords];
    }),
  );
}

function findClashesWithin(catalogue: Catalogue, content: unknown): readonly string[] {
  // If two schemas had one name, one would replace the other in the OpenAPI document.
  const schemas = allLists(catalogue).flatMap(({ routeId }) =>
    schemaNames.flatMap((kind) => listWordsAt(content, ['descriptions', 'collections', routeId], [kind])),
  );
  const faults = [
    ...listScopes(catalogue, content).flatMap((scope) => describeClashes(scope)),
    ...findClashingSynonyms(catalogue, content),
    ...listValues(catalogue, content).flatMap((values) => describeClashes(values, fold)),
    ...describeClashes([...sharedSchemas.map((word) => ({ key: describeFault('service'), word })), ...schemas]),
  ];
  return [...new Set(faults)];
}

/** @returns a fault for each top path that is another one's already, in any language, or one of the service itself */
function findClashesBetween(catalogue: Catalogue, candidates: readonly Candidate[]): readonly string[] {
  const listPaths = (names: readonly string[]): readonly PlacedWord[] =>
    candidates.flatMap(({ file, content }) =>
      listWordsAt(content, ['paths'], names).map(({ key, word }) => ({ key: `${file}: ${key}`, word })),
    );
  const roots = listNames(allLists(catalogue).filter(({ parent }) => parent === undefined));
  // Languages may share these, because a collection's word comes behind them.
  const beside = new Map(listPaths(subresourceNames).map((path) => [path.word, path]));
  const { reserved = [], free = [] } = Object.groupBy([...listPaths(roots), ...beside.values()], ({ word }) =>
    isReserved(word) ? 'reserved' : 'free',
  );
  const faults = reserved.map(({ key, word }) => `${key}: ${describeFault('reserved', { word })}`);
  return [...faults, ...describeClashes(free)];
}
