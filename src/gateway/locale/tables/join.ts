/** The two files of a table: words, which clients send, and sentences, which they are told. */
import { isObject, objectOr } from './json.ts';

/** The parts of a table that are sentences. */
export const messageParts: readonly string[] = [
  'nouns',
  'subject',
  'problems',
  'phrases',
  'commands',
  'pages',
  'descriptions',
  'derived',
];

/** The folder, beside those with the words, that contains the files with the sentences. */
export const MESSAGES = 'messages';

const sentencesIn = (content: unknown): readonly string[] =>
  Object.keys(objectOr(content)).filter((part) => messageParts.includes(part));

/** @returns whether a table of words has sentences, too, as all tables had before there were two files */
export const hasSentences = (words: unknown): boolean => sentencesIn(words).length > 0;

/**
 * @param file the name of the table
 * @param messages the content of the file with its sentences
 * @returns the whole table, and a line for each part that stands in the wrong file
 */
export const joinTable = (
  file: string,
  words: unknown,
  messages: unknown,
): { readonly content: unknown; readonly faults: readonly string[] } => {
  if (!isObject(messages)) return { content: words, faults: ['must be of type object'] };
  const { $schema: _, ...sentences } = messages;
  const twice = sentencesIn(words).filter((part) => part in sentences);
  const unknown = Object.keys(sentences).filter((part) => !messageParts.includes(part));
  return {
    content: isObject(words) ? { ...sentences, ...words } : words,
    faults: [
      ...unknown.map((part) => `${part}: unknown key`),
      ...twice.map((part) => `${part}: stands in ${file}, too`),
    ],
  };
};
