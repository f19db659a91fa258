import {
  findClashes,
  fold,
  likeness,
  type PlacedWord,
  readWord,
  valueAt,
} from '../../../../packages/vocabularies/src/words.ts';
import { type Catalogue, type Collection, listsOf, namesOf } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { withSuffix } from '../../model/query.ts';
import { viewNames } from '../../model/views.ts';
import { schemaNames, sharedSchemas } from '../../texts/collection-text.ts';
import { isReserved } from '../reserved.ts';
import { WORD } from '../word-schema.ts';

/** A word of a table, and what a fault calls it. */
interface Entry extends PlacedWord {
  /** What a composed word is for. */
  readonly use?: string;
}

/** @returns the word of an entry, and what it was before */
const allOf = (entry: unknown): readonly unknown[] => {
  const former = valueAt(entry, 'former');
  const before = Array.isArray(former) ? former.map((each) => valueAt(each, 'word')) : [];
  return [readWord(entry), ...before];
};

/** @returns the valid words at one path of a table that may be invalid elsewhere, of all names there or of some */
const wordsAt = (content: unknown, path: readonly string[], names?: readonly string[]): readonly Entry[] =>
  Object.entries(valueAt(content, ...path) ?? {})
    .filter(([name]) => names?.includes(name) ?? true)
    .flatMap(([name, entry]) =>
      allOf(entry)
        .filter((word) => typeof word === 'string' && WORD.test(word))
        .map((word) => ({ key: [...path, name].join('.'), word: String(word) })),
    );

/** @returns a fault for each word that stands for something else already: the second one could never be reached */
const twice = (entries: readonly Entry[], comparable?: (word: string) => string): readonly string[] =>
  findClashes(entries, comparable).map(({ entry: { key, word, use }, owner }) => {
    const whole = use === undefined ? `"${word}"` : `"${word}", ${use},`;
    return `${key}: ${whole} is already the word of ${owner.key}${owner.use === undefined ? '' : `, ${owner.use}`}`;
  });

/** The words of ranges, which are composed of others. */
const rangesOf = ({ name, fields }: Collection, content: unknown): readonly Entry[] => {
  // Two suffixes of one word are one fault, whatever the fields.
  const suffixes = [...new Map(wordsAt(content, ['suffixes']).map((each) => [each.word, each])).values()];
  const ranged = namesOf(fields.filter((field) => kindOf(field).hasRanges));
  return wordsAt(content, ['fields', name], ranged).flatMap((field) =>
    suffixes.map(({ key, word }) => ({
      key,
      word: withSuffix(field.word, word),
      use: `for a range of ${field.key}`,
    })),
  );
};

/** What is sent in the same place: in a path, a query, a body, a report. */
const placesOf = (catalogue: Catalogue, content: unknown): readonly (readonly Entry[])[] => {
  const at = (...path: readonly string[]) => wordsAt(content, path);
  return [
    at('suffixes'),
    at('values'),
    at('report'),
    wordsAt(content, ['paths'], viewNames),
    ...catalogue.map((each) => [...at('parameters'), ...at('fields', each.name), ...rangesOf(each, content)]),
    // Nested items are members of an item, like its fields.
    ...catalogue.map(({ name, children }) => [
      ...at('members'),
      ...at('fields', name),
      ...wordsAt(content, ['paths'], namesOf(children)),
    ]),
  ];
};

/** A synonym of one name must not be a word, or a synonym, of another that is sent in the same place. */
const synonymsTwice = (catalogue: Catalogue, content: unknown): readonly string[] => {
  const places = [
    [['paths']],
    [['suffixes']],
    [['values']],
    ...catalogue.map(({ name }) => [['fields', name], ['parameters']]),
  ];
  const synonymsAt = (path: readonly string[]): readonly Entry[] =>
    Object.entries(valueAt(content, 'synonyms', ...path) ?? {}).flatMap(([name, words]) => {
      const [, ...before] = allOf(valueAt(content, ...path, name)).map((word) => likeness(String(word)));
      return (Array.isArray(words) ? words : [])
        .filter((word) => !before.includes(likeness(String(word))))
        .map((word) => ({ key: ['synonyms', ...path, name].join('.'), word: String(word) }));
    });
  return places
    .flatMap((paths) =>
      twice([...paths.flatMap((path) => wordsAt(content, path)), ...paths.flatMap(synonymsAt)], likeness),
    )
    .filter((fault) => fault.startsWith('synonyms.'));
};

/** Of two values of a field with one word, the second could never be reached. */
const choicesTwice = (catalogue: Catalogue, content: unknown): readonly string[] =>
  catalogue.flatMap(({ name: collection, fields }) =>
    fields.flatMap(({ name, choices = [] }) =>
      twice(
        choices.flatMap((value) =>
          allOf(valueAt(content, 'choices', collection, name, value) ?? value).map((word) => ({
            key: ['choices', collection, name, value].join('.'),
            word: String(word ?? value),
          })),
        ),
        fold,
      ),
    ),
  );

/** Of two schemas with one name, one would replace the other in the OpenAPI document. */
const schemasTwice = (catalogue: Catalogue, content: unknown): readonly string[] => {
  const own = sharedSchemas.map((word) => ({ key: 'the service itself', word }));
  const schemas = listsOf(catalogue).flatMap(({ id }) =>
    schemaNames.flatMap((kind) => wordsAt(content, ['descriptions', 'collections', id], [kind])),
  );
  return twice([...own, ...schemas]);
};

/** @returns a fault for each word that one table uses twice, whatever other faults it has */
export const clashesWithin = (catalogue: Catalogue, content: unknown): readonly string[] => [
  ...new Set([
    ...placesOf(catalogue, content).flatMap((place) => twice(place)),
    ...synonymsTwice(catalogue, content),
    ...choicesTwice(catalogue, content),
    ...schemasTwice(catalogue, content),
  ]),
];

/** @returns a fault for each top path that is another one's already, in any language, or one of the service itself */
export const clashesBetween = (
  catalogue: Catalogue,
  files: readonly { readonly file: string; readonly content: unknown }[],
): readonly string[] => {
  const pathsOf = (names: readonly string[]): readonly Entry[] =>
    files.flatMap(({ file, content }) =>
      wordsAt(content, ['paths'], names).map(({ key, word }) => ({ key: `${file}: ${key}`, word })),
    );
  const roots = namesOf(listsOf(catalogue).filter(({ parent }) => parent === undefined));
  // Languages may share these, because a collection's word comes behind them.
  const beside = new Map(pathsOf(viewNames).map((each) => [each.word, each]));
  const paths = [...pathsOf(roots), ...beside.values()];
  const reserved = paths.filter(({ word }) => isReserved(word));
  return [
    ...reserved.map(({ key, word }) => `${key}: "${word}" is a path of the service itself`),
    ...twice(paths.filter((each) => !reserved.includes(each))),
  ];
};
