/** The version of a client: a word that changed breaks whoever used it. */
import type { Dictionary } from '../../kit/src/dictionary.ts';
import type { ClientWords } from './words.ts';

type Names = Readonly<Record<string, string>>;

const prefixed = (prefix: string, words: Names): Names =>
  Object.fromEntries(Object.entries(words).map(([name, word]) => [`${prefix}.${name}`, word]));

/**
 * @param types of the document
 * @returns everything that users of a client write, by the names that all languages share
 */
export const usedWords = (dictionary: Dictionary, types: readonly string[], words: ClientWords): Names => {
  const { collections, parameters, members, report, values } = dictionary;
  const ofFields = Object.entries(collections).flatMap(([collection, { fields }]) =>
    Object.entries(fields).flatMap(([name, { word, kind, range = {}, choices = {} }]) => [
      [`fields.${collection}.${name}`, word],
      [`kinds.${collection}.${name}`, kind],
      ...Object.entries(choices).map(([choice, chosen]) => [`choices.${collection}.${name}.${choice}`, chosen]),
      ...Object.entries(range).map(([end, ranged]) => [`fields.${collection}.${name}_${end}`, ranged]),
    ]),
  );
  return {
    ...Object.fromEntries(Object.entries(collections).map(([name, { word }]) => [`collections.${name}`, word])),
    ...Object.fromEntries(ofFields),
    ...Object.fromEntries(Object.entries(parameters).map(([name, { word }]) => [`parameters.${name}`, word])),
    ...prefixed('members', members),
    ...prefixed('report', report),
    ...prefixed('values', values),
    ...Object.fromEntries(types.map((name) => [`types.${name}`, name])),
    ...prefixed('client', { connect: words.connect, ...words.methods, ...words.members, ...words.types }),
  };
};

export interface Version {
  readonly version: string;
  /** What breaks, for people. */
  readonly breaking: readonly string[];
}

/** The first version of a client. */
const FIRST = '1.0.0';

/**
 * @param before the version and the words of the client that is there, if there is one
 * @param isSame whether its files are the same as well
 * @returns the next major version where a word changed or is gone, a minor one where there are new words, and a patch for anything else
 */
export const nextVersion = (
  before: { readonly version: string; readonly words: Names } | undefined,
  words: Names,
  isSame: boolean,
): Version => {
  if (!before) return { version: FIRST, breaking: [] };
  const [major = 1, minor = 0, patch = 0] = before.version.split('.').map(Number);
  const breaking = Object.entries(before.words)
    .filter(([name, word]) => words[name] !== word)
    .map(([name, word]) => `${name} was “${word}” and is ${words[name] === undefined ? 'gone' : `“${words[name]}”`}`);
  if (breaking.length > 0) return { version: `${major + 1}.0.0`, breaking };
  const hasMore = Object.keys(words).some((name) => before.words[name] === undefined);
  if (hasMore) return { version: `${major}.${minor + 1}.0`, breaking };
  return { version: isSame ? before.version : `${major}.${minor}.${patch + 1}`, breaking };
};
