/** The two files of a table: words, which clients send, and sentences, which they are told. */
import { asObject } from '../../../../packages/vocabularies/src/words.ts';

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

/** @returns the parts of a table of words that are sentences, as all tables had them before there were two files */
export const sentencesIn = (words: unknown): readonly string[] =>
  Object.keys(asObject(words)).filter((part) => messageParts.includes(part));
