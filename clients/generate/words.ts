/** The words that a client has of its own: its methods, its types and what they take and give. */
import { existsSync, readFileSync } from 'node:fs';
import type { Dictionary } from '../../kit/src/dictionary.ts';
import english from '../words/en.json' with { type: 'json' };

export type ClientWords = typeof english;

export const englishWords: ClientWords = english;

/** @param file in the form of `words/en.json` */
export const readWords = (file: string | URL): ClientWords => JSON.parse(readFileSync(file, 'utf8'));

/** @returns the words of a client in a language; `undefined` where nobody has translated them */
export const clientWords = (tag: string): ClientWords | undefined => {
  const file = new URL(`../words/${tag}.json`, import.meta.url);
  return existsSync(file) ? readWords(file) : undefined;
};

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** @throws Error where a name that a service gives cannot stand in a program */
export const expectIdentifier = (name: string): void => {
  if (!IDENTIFIER.test(name)) throw new Error(`${name} cannot be a name in a program`);
};

/** @returns a member's name as TypeScript has it */
export const property = (word: string): string => (IDENTIFIER.test(word) ? word : JSON.stringify(word));

/** @returns a word as it begins the name of a type, without what no name has */
const inTypeName = (word: string): string =>
  word
    .split(/[^\p{ID_Continue}]+|_/u)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/**
 * @returns the word of a collection as it begins the names of its types; of a nested one behind its parent's, where another
 * collection has the same word, as a list across parents has
 */
export const typeWordOf = (collections: Dictionary['collections'], name: string): string => {
  const { word = '', parent } = collections[name] ?? {};
  const isOwn = Object.entries(collections).every(([other, each]) => other === name || each.word !== word);
  return (parent === undefined || isOwn ? '' : typeWordOf(collections, parent)) + inTypeName(word);
};

/**
 * @param template with lines that begin with `?name`, which are there if that is one of `values`
 * @returns a template with each «name» replaced
 */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template
    .replaceAll(/^\?(\w+) (.*\n)/gm, (_, name: string, line: string) => (values[name] === undefined ? '' : line))
    .replaceAll(/«([\w.]+)»/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new TypeError(`nothing is given for ${name}`);
      return value;
    });
