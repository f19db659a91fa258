/** Which columns of a table are which fields, where their headers do not say it. */
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { type Sentence, sentence, unknownSentence } from '../texts/phrase.ts';
import type { ColumnChoice } from './files/file-reader.ts';

/** What the header of a column says, and a text that follows it: `POTENCIA=cilindrada`. */
export type HeaderPair = readonly [header: string, text: string];

/** @returns the two parts of a pair; `undefined` where it is none */
export const headerPair = (sent: string): HeaderPair | undefined => {
  const at = sent.lastIndexOf('=');
  const header = sent.slice(0, Math.max(at, 0)).trim();
  return header === '' ? undefined : [header, sent.slice(at + 1).trim()];
};

/** @returns pairs that semicolons separate; `undefined` where one is none */
export const headerPairs = (sent: string): readonly HeaderPair[] | undefined => {
  const parts = sent.split(';').filter((part) => part.trim() !== '');
  const pairs = parts.map(headerPair).filter((pair) => pair !== undefined);
  return pairs.length === parts.length && pairs.length > 0 ? pairs : undefined;
};

/**
 * @param pairs each with the word of a field, or none for a column that is not read
 * @returns the choices, and what is wrong with them
 */
export const columnChoices = (language: Language, collection: Collection, pairs: readonly HeaderPair[]) => {
  const vocabulary = language.fields(collection);
  const { of } = language.nouns(collection);
  const fieldOf = (word: string): string | undefined =>
    vocabulary.name(word) ?? vocabulary.names.find((name) => name === word);
  const seen = new Map<string, string>();
  const faults = pairs.flatMap(([header, word]): readonly { detail: Sentence; suggestion?: string | undefined }[] => {
    const before = seen.get(header);
    seen.set(header, word);
    if (before !== undefined && before !== word) {
      return [{ detail: sentence('preference-repeated', { name: header, value: before, other: word }) }];
    }
    if (word === '' || fieldOf(word) !== undefined) return [];
    const suggestion = vocabulary.suggest(word);
    return [{ detail: unknownSentence('field', { word, of, known: vocabulary.known }, suggestion), suggestion }];
  });
  const choices = [...seen].map(([header, word]): ColumnChoice => [header, fieldOf(word)]);
  return { choices, faults };
};
