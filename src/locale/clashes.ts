import type { Catalogue } from '../model/catalogue.ts';
import type { Dictionary } from './table.ts';
import { WORD } from './table-schema.ts';
import { valueAt } from './value-at.ts';

/** Below `/api`: what no language may call its collections. */
const NEUTRAL_PATH = /^(?:problems|docs|locales|openapi.*)$/;

/** @returns the usable words at one place of a table that may be wrong everywhere else */
const wordsAt = (content: unknown, ...path: readonly string[]): Dictionary =>
  Object.fromEntries(
    Object.entries(valueAt(content, ...path) ?? {}).filter(([, word]) => typeof word === 'string' && WORD.test(word)),
  );

/** Two names of one kind with one word: the second would never be reached. */
const twice = (kind: string, dictionary: Dictionary): readonly string[] => {
  const seen = new Map<string, string>();
  return Object.entries(dictionary).flatMap(([name, word]) => {
    const first = seen.get(word);
    seen.set(word, name);
    return first === undefined ? [] : [`${kind}.${name}: "${word}" is the word of ${first} already`];
  });
};

/** The paths that share one place: at the top, and inside the items of each collection. */
const siblings = (catalogue: Catalogue, content: unknown): readonly Dictionary[] => {
  const paths = Object.entries(wordsAt(content, 'paths'));
  return [undefined, ...catalogue].map((parent) => {
    const names = catalogue.filter((each) => each.parent === parent).map(({ name }) => name);
    return Object.fromEntries(paths.filter(([name]) => names.includes(name)));
  });
};

/** A list's query holds parameters and fields. */
const fieldsAsParameters = (name: string, content: unknown): readonly string[] => {
  const taken = new Map(Object.entries(wordsAt(content, 'parameters')).map(([parameter, word]) => [word, parameter]));
  return Object.entries(wordsAt(content, 'fields', name)).flatMap(([field, word]) =>
    taken.has(word) ? [`fields.${name}.${field}: "${word}" is the word of ${taken.get(word)} already`] : [],
  );
};

/** @returns what one table's words do to each other, whatever else is wrong with it */
export const clashesWithin = (catalogue: Catalogue, content: unknown): readonly string[] => [
  ...siblings(catalogue, content).flatMap((paths) => twice('paths', paths)),
  ...catalogue.flatMap(({ name }) => twice(`fields.${name}`, wordsAt(content, 'fields', name))),
  ...catalogue.flatMap(({ name }) => fieldsAsParameters(name, content)),
  ...twice('parameters', wordsAt(content, 'parameters')),
  ...twice('values', wordsAt(content, 'values')),
];

/** Paths at the top share one room: with every other language and with the neutral ones. */
export const clashesBetween = (
  catalogue: Catalogue,
  files: readonly { readonly file: string; readonly content: unknown }[],
): readonly string[] => {
  const owners = new Map<string, string>();
  const roots = catalogue.filter(({ parent }) => parent === undefined).map(({ name }) => name);
  return files.flatMap(({ file, content }) =>
    Object.entries(wordsAt(content, 'paths')).flatMap(([name, path]) => {
      if (!roots.includes(name)) return [];
      if (NEUTRAL_PATH.test(path)) return [`${file}: paths.${name}: "${path}" is a path of the service itself`];
      const owner = owners.get(path) ?? file;
      owners.set(path, owner);
      return owner === file ? [] : [`${file}: paths.${name}: "${path}" is a path of ${owner} already`];
    }),
  );
};
