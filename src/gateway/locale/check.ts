import type { z } from 'zod';
import {
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
import { type Candidate, completeTables, ENGLISH, type WholeTable } from './chain.ts';
import { messageParts, without } from './layers.ts';
import { isReserved } from './reserved.ts';
import { type Locale, listForms, type Table, tableSchema, WORD } from './table.ts';

export class LocaleError extends FaultsError {}

/** What a start says of tables: faults stop it, warnings do not. */
export interface Findings {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** None if there are faults. */
  readonly locales: readonly Locale[];
  readonly tables: readonly WholeTable[];
}

/**
 * A table has the words of the one that it extends, and any sentence that it lacks is that of the default language, of the English
 * table, or of the package.
 *
 * @param more tables that others may extend, and that are not served
 */
export function examineTables(
  catalogue: Catalogue,
  tables: readonly Candidate[],
  defaultLanguage: string,
  more: readonly Candidate[] = [],
): Findings {
  const { whole, faults: chainFaults } = completeTables(catalogue, tables, defaultLanguage, more);
  const examined = whole.map((table) => ({ ...table, ...findFaults(catalogue, table) }));
  // What a table inherits or borrows is at fault where it is said.
  const listFaults = (tag: string): readonly string[] => examined.find((each) => each.tag === tag)?.faults ?? [];
  const sources = (table: WholeTable): readonly string[] =>
    [String(valueAt(tables.find(({ tag }) => tag === table.tag)?.content, 'extends')), defaultLanguage, ENGLISH].filter(
      (tag) => tag !== table.tag,
    );
  const faults = [
    ...chainFaults,
    ...examined.flatMap((table) => {
      const inherited = new Set(
        sources(table)
          .flatMap(listFaults)
          .filter((fault) => !isOwnFault(table, fault)),
      );
      return table.faults.filter((fault) => !inherited.has(fault)).map((fault) => placeInFile(table, fault));
    }),
    // `es.json` and `ES.json` are the same language.
    ...findClashes(tables.map(({ file, tag }) => ({ key: file, word: tag }))).map(
      ({ entry, owner }) => `${entry.key}: ${entry.word} is already the language of ${owner.key}`,
    ),
    ...clashesBetween(catalogue, examined),
    ...(tables.some(({ tag }) => tag === defaultLanguage)
      ? []
      : [`DEFAULT_LANGUAGE=${defaultLanguage}: there is no table ${defaultLanguage}.json`]),
  ];
  return {
    faults,
    warnings: examined.flatMap((table) => [
      ...table.unknown
        .map((fault) => `${fault}: unknown key, which nothing uses`)
        .filter((fault) => isOwnFault(table, fault))
        .map((fault) => placeInFile(table, fault)),
      ...table.notes,
    ]),
    tables: examined,
    locales:
      faults.length > 0
        ? []
        : examined.map(({ tag, content, borrowed }) => ({ tag, table: content as Table, borrowed })),
  };
}

/** @returns whether a table says itself what a fault is about, or lacks it */
function isOwnFault({ own }: WholeTable, fault: string): boolean {
  const place = fault.slice(0, fault.indexOf(':')).split('.');
  return valueAt(own, ...place) !== undefined;
}

function placeInFile({ file, messages = file }: Candidate, fault: string): string {
  return `${messageParts.includes(fault.split(/[.:]/, 1)[0] ?? '') ? messages : file}: ${fault}`;
}

interface Examined {
  readonly content: unknown;
  readonly faults: readonly string[];
  /** The places of keys that nothing uses. */
  readonly unknown: readonly string[];
}

function findFaults(catalogue: Catalogue, { content }: WholeTable): Examined {
  const { error } = tableSchema(catalogue, listForms(content)).safeParse(content, { reportInput: true, jitless: true });
  const issues = error?.issues ?? [];
  const places = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].map(String)) : [],
  );
  const known = places.reduce(without, content);
  return {
    content: known,
    faults: [
      ...issues.filter(({ code }) => code !== 'unrecognized_keys').flatMap((issue) => describeIssue(issue)),
      ...clashesWithin(catalogue, known),
    ],
    unknown: places.map((place) => place.join('.')),
  };
}

function describeIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): readonly string[] {
  const path = [...above, ...issue.path];
  const at = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return [`${at}missing`];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${[...path, key].map(String).join('.')}: unknown key`);
    case 'invalid_union': {
      // Either a text or an object: only the faults of the one that was probably intended.
      const [ofText = [], ofObject = []] = issue.errors;
      return (typeof issue.input === 'object' ? ofObject : ofText).flatMap((inner) => describeIssue(inner, path));
    }
    case 'invalid_type':
      return [`${at}must be of type ${issue.expected}`];
    default:
      return [`${at}${issue.message}`];
  }
}

function allWords(entry: unknown): readonly unknown[] {
  const former = valueAt(entry, 'former');
  return [readWord(entry), ...(Array.isArray(former) ? former.map(readWord) : [])];
}

/** @returns the valid words at one path of a table that may be invalid elsewhere, of all names there or of some */
function wordsAt(content: unknown, path: readonly string[], names?: readonly string[]): readonly PlacedWord[] {
  return Object.entries(valueAt(content, ...path) ?? {})
    .filter(([name]) => names?.includes(name) ?? true)
    .flatMap(([name, entry]) =>
      allWords(entry)
        .filter((word) => typeof word === 'string' && WORD.test(word))
        .map((word) => ({ key: [...path, name].join('.'), word: String(word) })),
    );
}

function describeClashes(entries: readonly PlacedWord[], comparable?: (word: string) => string): readonly string[] {
  return findClashes(entries, comparable).map(
    ({ entry: { key, word }, owner }) => `${key}: "${word}" is already the word of ${owner.key}`,
  );
}

function rangeEntries({ name, fields }: Collection, content: unknown): readonly PlacedWord[] {
  // Two suffixes of one word are one fault, whatever the fields.
  const suffixes = [...new Map(wordsAt(content, ['suffixes']).map((each) => [each.word, each])).values()];
  const ranged = listNames(fields.filter((field) => getKind(field).hasRanges));
  return wordsAt(content, ['fields', name], ranged).flatMap((field) =>
    suffixes.map(({ key, word }) => ({ key: `${key} of ${field.key}`, word: withSuffix(field.word, word) })),
  );
}

function listPlaces(catalogue: Catalogue, content: unknown): readonly (readonly PlacedWord[])[] {
  const [parameters, members] = [wordsAt(content, ['parameters']), wordsAt(content, ['members'])];
  return [
    wordsAt(content, ['suffixes']),
    wordsAt(content, ['values']),
    wordsAt(content, ['report']),
    wordsAt(content, ['paths'], subresourceNames),
    ...catalogue.flatMap((each) => {
      const fields = wordsAt(content, ['fields', each.name]);
      // Nested items are members of an item, like its fields.
      const nested = wordsAt(content, ['paths'], listNames(each.children));
      return [
        [...parameters, ...fields, ...rangeEntries(each, content)],
        [...members, ...fields, ...nested],
      ];
    }),
  ];
}

function synonymsAt(content: unknown, path: readonly string[]): readonly PlacedWord[] {
  return Object.entries(valueAt(content, 'synonyms', ...path) ?? {}).flatMap(([name, words]) => {
    const own = allWords(valueAt(content, ...path, name)).map((word) => likeness(String(word)));
    return (Array.isArray(words) ? words : [])
      .filter((word) => !own.includes(likeness(String(word))))
      .map((word) => ({ key: ['synonyms', ...path, name].join('.'), word: String(word) }));
  });
}

function clashingSynonyms(catalogue: Catalogue, content: unknown): readonly string[] {
  const places = [
    [['paths']],
    [['suffixes']],
    [['values']],
    ...catalogue.map(({ name }) => [['fields', name], ['parameters']]),
  ];
  const entries = places.map((paths) => [
    ...paths.flatMap((path) => wordsAt(content, path)),
    ...paths.flatMap((path) => synonymsAt(content, path)),
  ]);
  return entries.flatMap((each) => describeClashes(each, likeness)).filter((fault) => fault.startsWith('synonyms.'));
}

function listChoices(catalogue: Catalogue, content: unknown): readonly (readonly PlacedWord[])[] {
  return catalogue.flatMap(({ name: collection, fields }) =>
    fields.map(({ name, choices = [] }) =>
      choices.flatMap((value) => {
        const path = ['choices', collection, name, value];
        return allWords(valueAt(content, ...path) ?? value).map((word) => ({
          key: path.join('.'),
          word: String(word ?? value),
        }));
      }),
    ),
  );
}

/** @returns the values of each field by what they mean: one that meant two things would have no equivalent */
function listEquivalents(catalogue: Catalogue, content: unknown): readonly (readonly PlacedWord[])[] {
  return catalogue.flatMap(({ name: collection, fields }) =>
    fields.map(({ name }) =>
      Object.entries(valueAt(content, 'equivalents', collection, name) ?? {}).flatMap(([meaning, values]) =>
        (Array.isArray(values) ? values : []).map((value) => ({
          key: ['equivalents', collection, name, meaning].join('.'),
          word: String(value),
        })),
      ),
    ),
  );
}

function clashesWithin(catalogue: Catalogue, content: unknown): readonly string[] {
  // If two schemas had one name, one would replace the other in the OpenAPI document.
  const schemas = allLists(catalogue).flatMap(({ routeId }) =>
    schemaNames.flatMap((kind) => wordsAt(content, ['descriptions', 'collections', routeId], [kind])),
  );
  const faults = [
    ...listPlaces(catalogue, content).flatMap((place) => describeClashes(place)),
    ...clashingSynonyms(catalogue, content),
    ...[...listChoices(catalogue, content), ...listEquivalents(catalogue, content)].flatMap((values) =>
      describeClashes(values, fold),
    ),
    ...describeClashes([...sharedSchemas.map((word) => ({ key: 'the service itself', word })), ...schemas]),
  ];
  return [...new Set(faults)];
}

/** @returns a fault for each top path that is another one's already, in any language, or one of the service itself */
function clashesBetween(catalogue: Catalogue, candidates: readonly (Candidate & Examined)[]): readonly string[] {
  const listPaths = (names: readonly string[]): readonly PlacedWord[] =>
    candidates.flatMap(({ file, content }) =>
      wordsAt(content, ['paths'], names).map(({ key, word }) => ({ key: `${file}: ${key}`, word })),
    );
  const roots = listNames(allLists(catalogue).filter(({ parent }) => parent === undefined));
  // Languages may share these, because a collection's word comes behind them.
  const beside = new Map(listPaths(subresourceNames).map((each) => [each.word, each]));
  const paths = [...listPaths(roots), ...beside.values()];
  return [
    ...paths
      .filter(({ word }) => isReserved(word))
      .map(({ key, word }) => `${key}: "${word}" is a path of the service itself`),
    ...describeClashes(paths.filter(({ word }) => !isReserved(word))),
  ];
}
