import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { withSuffix } from '../../model/query.ts';
import { schemaNames, sharedSchemas } from '../../texts/collection-text.ts';
import { isReserved } from '../reserved.ts';
import { likeness } from '../synonyms.ts';
import type { Dictionary } from '../table.ts';
import { WORD } from '../table.ts';
import { valueAt } from './value-at.ts';

/** @returns the valid words at one path of a table that may be invalid elsewhere */
const wordsAt = (content: unknown, ...path: readonly string[]): Dictionary =>
  Object.fromEntries(
    Object.entries(valueAt(content, ...path) ?? {}).filter(([, word]) => typeof word === 'string' && WORD.test(word)),
  );

/** Two names must not have the same word: the second one could never be reached. */
const twice = (kind: string, dictionary: Dictionary): readonly string[] => {
  const seen = new Map<string, string>();
  return Object.entries(dictionary).flatMap(([name, word]) => {
    const first = seen.get(word);
    seen.set(word, name);
    return first === undefined ? [] : [`${kind}.${name}: "${word}" is already the word of ${first}`];
  });
};

/** Paths that must differ from each other: those at the top, and those below each collection. */
const siblings = (catalogue: Catalogue, content: unknown): readonly Dictionary[] => {
  const paths = Object.entries(wordsAt(content, 'paths'));
  return [undefined, ...catalogue].map((parent) => {
    const names = catalogue.filter((each) => each.parent === parent).map(({ name }) => name);
    return Object.fromEntries(paths.filter(([name]) => names.includes(name)));
  });
};

/** Fields are used in the same query as parameters, and in the same body as members. */
const fieldsAsOthers = (kind: 'parameters' | 'members', name: string, content: unknown): readonly string[] => {
  const taken = new Map(Object.entries(wordsAt(content, kind)).map(([other, word]) => [word, other]));
  return Object.entries(wordsAt(content, 'fields', name)).flatMap(([field, word]) =>
    taken.has(word) ? [`fields.${name}.${field}: "${word}" is already the word of ${taken.get(word)}`] : [],
  );
};

/** The words of ranges are composed of others, and are used in the same query. */
const rangesTwice = ({ name, fields }: Collection, content: unknown): readonly string[] => {
  const words = wordsAt(content, 'fields', name);
  const taken = new Map(
    [words, wordsAt(content, 'parameters')].flatMap(Object.entries<string>).map(([each, word]) => [word, each]),
  );
  // Two suffixes of one word are one fault, whatever the fields.
  const suffixes = new Map(Object.entries(wordsAt(content, 'suffixes')).map(([suffix, word]) => [word, suffix]));
  return fields
    .filter((field) => kindOf(field).hasRanges && words[field.name] !== undefined)
    .flatMap((field) =>
      [...suffixes].flatMap(([ending, suffix]) => {
        const word = withSuffix(words[field.name] ?? '', ending);
        const owner = taken.get(word);
        taken.set(word, owner ?? withSuffix(field.name, suffix));
        return owner === undefined
          ? []
          : [
              `suffixes.${suffix}: "${word}", for a range of fields.${name}.${field.name}, is already the word of ${owner}`,
            ];
      }),
    );
};

/** What is sent in the same place: a synonym of one name must not be a word, or a synonym, of another. */
const placesOf = (catalogue: Catalogue): readonly (readonly (readonly string[])[])[] => [
  [['paths']],
  [['suffixes']],
  [['values']],
  ...catalogue.map(({ name }) => [['fields', name], ['parameters']]),
];

const synonymsTwice = (catalogue: Catalogue, content: unknown): readonly string[] => {
  const faults = placesOf(catalogue).flatMap((paths) => {
    const own = paths.flatMap((path) => Object.entries(wordsAt(content, ...path)));
    const owners = new Map(own.map(([name, word]) => [likeness(word), name]));
    return paths.flatMap((path) =>
      Object.entries(valueAt(content, 'synonyms', ...path) ?? {}).flatMap(([name, words]) =>
        (Array.isArray(words) ? words : []).flatMap((word) => {
          const owner = owners.get(likeness(String(word)));
          owners.set(likeness(String(word)), owner ?? name);
          const key = ['synonyms', ...path, name].join('.');
          return owner === undefined ? [] : [`${key}: "${word}" already stands for ${owner}`];
        }),
      ),
    );
  });
  return [...new Set(faults)];
};

/** Nested items are members of an item, like its fields. */
const pathsAsFields = ({ name, parent }: Collection, content: unknown): readonly string[] => {
  const { [name]: word } = wordsAt(content, 'paths');
  if (!parent || word === undefined) return [];
  const field = Object.entries(wordsAt(content, 'fields', parent.name)).find(([, each]) => each === word);
  return field ? [`paths.${name}: "${word}" is already the word of fields.${parent.name}.${field[0]}`] : [];
};

/** Of two schemas with one name, one would replace the other in the OpenAPI document. */
const schemasTwice = (catalogue: Catalogue, content: unknown): readonly string[] => {
  const owners = new Map<string, string>(sharedSchemas.map((schema) => [schema, 'the service itself']));
  return catalogue.flatMap(({ name }) =>
    schemaNames.flatMap((kind) => {
      const key = `descriptions.collections.${name}.${kind}`;
      const schema = valueAt(content, 'descriptions', 'collections', name, kind);
      if (typeof schema !== 'string') return [];
      const owner = owners.get(schema);
      owners.set(schema, owner ?? key);
      return owner === undefined ? [] : [`${key}: "${schema}" is already a schema of ${owner}`];
    }),
  );
};

/** @returns a fault for each word that one table uses twice, whatever other faults it has */
export const clashesWithin = (catalogue: Catalogue, content: unknown): readonly string[] => [
  ...siblings(catalogue, content).flatMap((paths) => twice('paths', paths)),
  ...catalogue.flatMap(({ name }) => twice(`fields.${name}`, wordsAt(content, 'fields', name))),
  ...catalogue.flatMap(({ name }) => fieldsAsOthers('parameters', name, content)),
  ...catalogue.flatMap(({ name }) => fieldsAsOthers('members', name, content)),
  ...twice('parameters', wordsAt(content, 'parameters')),
  ...twice('suffixes', wordsAt(content, 'suffixes')),
  ...catalogue.flatMap((collection) => rangesTwice(collection, content)),
  ...catalogue.flatMap((collection) => pathsAsFields(collection, content)),
  ...twice('values', wordsAt(content, 'values')),
  ...twice('report', wordsAt(content, 'report')),
  ...synonymsTwice(catalogue, content),
  ...schemasTwice(catalogue, content),
];

/** @returns a fault for each top path that another language or the service itself uses */
export const clashesBetween = (
  catalogue: Catalogue,
  files: readonly { readonly file: string; readonly content: unknown }[],
): readonly string[] => {
  const owners = new Map<string, string>();
  const roots = catalogue.filter(({ parent }) => parent === undefined).map(({ name }) => name);
  return files.flatMap(({ file, content }) =>
    Object.entries(wordsAt(content, 'paths')).flatMap(([name, path]) => {
      if (!roots.includes(name)) return [];
      if (isReserved(path)) return [`${file}: paths.${name}: "${path}" is a path of the service itself`];
      const owner = owners.get(path) ?? file;
      owners.set(path, owner);
      return owner === file ? [] : [`${file}: paths.${name}: "${path}" is already a path of ${owner}`];
    }),
  );
};
