import { fold } from '../model/search/fold.ts';
import type { SynonymTable, Table } from './table.ts';

/** A word that stands for a name, and is only suggested for. */
export type Synonym = readonly [word: string, name: string];

/** Between the parts of a word, and what programs put before one: `page-size`, `pageSize`, `_page`, `$top`. */
const SEPARATORS = /^[$_]+|(?<=[\p{L}\p{N}])[\p{White_Space}_.-]+(?=[\p{L}\p{N}])/gu;

/** @returns what words have in common that differ in case, accents and the separators of their parts only */
export const likeness = (word: string): string => fold(word.normalize('NFC').replace(SEPARATORS, ''));

/** @returns the synonyms of one kind in a table */
export const synonymsOf = (kind: SynonymTable['paths'] = {}): readonly Synonym[] =>
  Object.entries(kind).flatMap(([name, words = []]) => words.map((word) => [word, name] as const));

/** @returns the names that our own pages show to people, which they then send */
export const labelsOf = ({ descriptions }: Table, collection: string): readonly Synonym[] =>
  Object.entries(descriptions?.fields[collection] ?? {}).flatMap(([name, text]) =>
    text ? [[text.label, name] as const] : [],
  );
