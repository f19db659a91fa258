/** Lays the tables of another catalogue, which have only its own words and texts, over those of the project. */
import { asObject, fillIn, isObject, type Json, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { subresourceNames } from '../model/query.ts';

/** The parts of a table that are sentences, which clients are told; the others are words, which they send. */
export const messageParts = ['nouns', 'subject', 'problems', 'phrases', 'commands', 'pages', 'descriptions', 'derived'];

/** The words that a table has to have; those of `generalParts` are another language's if it lacks some. */
const OBLIGATORY = ['paths', 'fields', 'choices', 'parameters', 'values'];
export const generalParts: readonly string[] = ['suffixes', 'members', 'report'];

/** The parts that are words, of which clients send some. */
export const wordParts: readonly string[] = [...OBLIGATORY, ...generalParts];

export const listSentenceParts = (words: unknown): readonly string[] =>
  Object.keys(asObject(words)).filter((part) => messageParts.includes(part));

/** The parts of a table that are about the items of a catalogue. */
const SUBJECT: readonly (readonly string[])[] = [
  ...['fields', 'choices', 'equivalents', 'units', 'nouns', 'subject'].map((part) => [part]),
  ...['fields', 'choices'].map((part) => ['synonyms', part]),
  ['pages', 'totals'],
  ...['collections', 'fields'].map((part) => ['descriptions', part]),
];

/** @returns a table without what is at a place */
export function without(table: unknown, [name = '', ...below]: readonly string[]): Json {
  const { [name]: part, ...rest } = asObject(table);
  return below.length > 0 && isObject(part) ? { ...asObject(table), [name]: without(part, below) } : rest;
}

/** @returns the part of an object that has some names */
export function pick<T>(object: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** @returns the words and sentences of a table that are about no catalogue */
export function keepGeneral(table: Json): Json {
  const { synonyms, ...rest } = SUBJECT.reduce<Json>(without, table);
  return {
    ...rest,
    // Every list has subresources.
    paths: pick(asObject(table.paths), subresourceNames),
    synonyms: { ...asObject(synonyms), paths: pick(asObject(valueAt(synonyms, 'paths')), subresourceNames) },
  };
}

/** @returns a table or a part of one, in which what `own` says replaces what `base` says */
export function merge(base: unknown, own: unknown): unknown {
  if (!isObject(base) || !isObject(own)) return own;
  return { ...base, ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, merge(base[name], part)])) };
}

function fillForms(texts: unknown, forms: Json): Json {
  const filled = Object.entries(asObject(texts)).map(([name, text]) => [name, fillIn(String(text), forms)]);
  return Object.fromEntries(filled);
}

/** @returns a table with what its `derived` says of collections that it says nothing else of */
export function withDerived(table: unknown, lists: readonly string[]): unknown {
  if (!isObject(table) || !isObject(table.descriptions)) return table;
  const names = asObject(table.descriptions.collections);
  const collections = [...lists, ...Object.keys(names)].map((id): readonly [string, Json] => {
    // A missing form is derived from the collection's name.
    const byDefault = { name: id, schema: id[0]?.toUpperCase() + id.slice(1), the: id, of: id };
    const forms = { ...byDefault, ...asObject(names[id]), ...asObject(valueAt(table, 'nouns', id)) };
    return [id, fillForms(valueAt(table, 'derived', 'collection'), forms)];
  });
  const texts = {
    ...(isObject(table.subject) && { subject: fillForms(valueAt(table, 'derived', 'subject'), table.subject) }),
    descriptions: { collections: Object.fromEntries(collections), fields: {} },
  };
  return merge(texts, table);
}

/** @returns what a table says of every catalogue, and what that of another catalogue says */
export const overlay = (base: unknown, own: unknown): unknown =>
  isObject(base) && isObject(own) ? merge(keepGeneral(base), own) : own;

/** @returns the whole table: what the project's says of every catalogue, and what another catalogue's own says */
export const layered = (base: unknown, own: unknown, lists: readonly string[] = []): unknown =>
  isObject(base) && isObject(own) ? withDerived(overlay(base, own), lists) : own;

const isWord = (part: unknown): boolean => !isObject(part) || Array.isArray(part.former);

/** A word, perhaps with former ones, or a sentence, perhaps in plural forms. */
export const isText = (part: unknown): boolean => isWord(part) || (isObject(part) && 'other' in part);

/** @returns the words and sentences of some parts of a table with their paths; names may have dots */
export function walkTexts(content: unknown, parts: readonly string[]) {
  const entries = Object.entries(asObject(content)).filter(([name]) => parts.includes(name));
  // Only a word may be that of something whose name is “other”.
  return entries.flatMap(([name, part]) => listLeaves(part, [name], messageParts.includes(name) ? isText : isWord));
}

type Leaf = readonly [path: readonly string[], text: unknown];

function listLeaves(part: unknown, path: readonly string[], isLeaf: (part: unknown) => boolean): readonly Leaf[] {
  if (isLeaf(part)) return [[path, part]];
  return Object.entries(asObject(part)).flatMap(([name, below]) => listLeaves(below, [...path, name], isLeaf));
}

/** @returns the words and sentences of some parts of a table by their places such as `fields.cars.brand` */
export function listTexts(content: unknown, parts: readonly string[]): ReadonlyMap<string, unknown> {
  return new Map(walkTexts(content, parts).map(([path, text]) => [path.join('.'), text]));
}
