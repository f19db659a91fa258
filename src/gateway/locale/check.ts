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
import { sentences } from '../texts/packaged.ts';
import { schemaNames, sharedSchemas } from '../texts/phrase.ts';
import { generalPart, messageParts, withSentencesBy } from './layers.ts';
import { isReserved } from './reserved.ts';
import { type Locale, type Table, tableSchema, WORD } from './table.ts';

export interface Candidate {
  readonly file: string;
  readonly tag: string;
  readonly content: unknown;
  /** The file of its sentences, if it is another one. */
  readonly messages?: string;
}

export class LocaleError extends FaultsError {}

/** The language whose sentences are those of every language that lacks some. */
const ENGLISH = 'en';

function fillSentences(tables: readonly Candidate[]): readonly (Candidate & Pick<Locale, 'borrowed'>)[] {
  const packaged = generalPart({ ...sentences[ENGLISH] });
  const own = tables.find(({ tag }) => tag === ENGLISH);
  const english = own ? withSentencesBy(own.content, packaged).content : packaged;
  return tables.map((table) => ({
    ...table,
    ...withSentencesBy(table.content, table === own ? packaged : english),
  }));
}

/**
 * A sentence that a table lacks is that of the English one, or of the package.
 *
 * @returns the locales in the same order
 * @throws LocaleError with every fault of every file
 */
export function checkLocales(
  catalogue: Catalogue,
  tables: readonly Candidate[],
  defaultLanguage: string,
): readonly Locale[] {
  const candidates = fillSentences(tables);
  const faults = [
    ...candidates.flatMap((candidate) =>
      findFaults(catalogue, candidate, candidate.tag === defaultLanguage).map((fault) => placeInFile(candidate, fault)),
    ),
    // `es.json` and `ES.json` are the same language.
    ...findClashes(candidates.map(({ file, tag }) => ({ key: file, word: tag }))).map(
      ({ entry, owner }) => `${entry.key}: ${entry.word} is already the language of ${owner.key}`,
    ),
    ...clashesBetween(catalogue, candidates),
    ...(candidates.some(({ tag }) => tag === defaultLanguage)
      ? []
      : [`DEFAULT_LANGUAGE=${defaultLanguage}: there is no table ${defaultLanguage}.json`]),
  ];
  if (faults.length > 0) throw new LocaleError(faults);
  return candidates.map(({ tag, content, borrowed }) => ({ tag, table: content as Table, borrowed }));
}

function placeInFile({ file, messages = file }: Candidate, fault: string): string {
  return `${messageParts.includes(fault.split(/[.:]/, 1)[0] ?? '') ? messages : file}: ${fault}`;
}

function findFaults(catalogue: Catalogue, { content }: Candidate, isDefault: boolean): readonly string[] {
  const { error } = tableSchema(catalogue, isDefault).safeParse(content, { reportInput: true, jitless: true });
  // The default language is shown for parts that other languages leave out.
  const lacking = isDefault ? ['commands', 'pages', 'descriptions'].filter((part) => !(part in asObject(content))) : [];
  return [
    ...(error?.issues ?? []).flatMap((issue) => describeIssue(issue)),
    ...clashesWithin(catalogue, content),
    ...lacking.map((part) => `${part}: missing, and the default language must have them`),
  ];
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
    const [, ...before] = allWords(valueAt(content, ...path, name)).map((word) => likeness(String(word)));
    return (Array.isArray(words) ? words : [])
      .filter((word) => !before.includes(likeness(String(word))))
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

function clashesWithin(catalogue: Catalogue, content: unknown): readonly string[] {
  // If two schemas had one name, one would replace the other in the OpenAPI document.
  const schemas = allLists(catalogue).flatMap(({ routeId }) =>
    schemaNames.flatMap((kind) => wordsAt(content, ['descriptions', 'collections', routeId], [kind])),
  );
  const faults = [
    ...listPlaces(catalogue, content).flatMap((place) => describeClashes(place)),
    ...clashingSynonyms(catalogue, content),
    ...listChoices(catalogue, content).flatMap((values) => describeClashes(values, fold)),
    ...describeClashes([...sharedSchemas.map((word) => ({ key: 'the service itself', word })), ...schemas]),
  ];
  return [...new Set(faults)];
}

/** @returns a fault for each top path that is another one's already, in any language, or one of the service itself */
function clashesBetween(catalogue: Catalogue, candidates: readonly Candidate[]): readonly string[] {
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
