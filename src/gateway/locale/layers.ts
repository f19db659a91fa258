/** Lays the tables of another catalogue, which have only its own words and texts, over those of the project. */
import { asObject, isObject, type Json, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { subresourceNames } from '../model/query.ts';

/** The parts of a table that are sentences, which clients are told; the others are words, which they send. */
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

export const sentencesIn = (words: unknown): readonly string[] =>
  Object.keys(asObject(words)).filter((part) => messageParts.includes(part));

/** The parts of a table that are about the items of a catalogue. */
const SUBJECT: readonly (readonly string[])[] = [
  ['fields'],
  ['choices'],
  ['units'],
  ['nouns'],
  ['synonyms', 'fields'],
  ['synonyms', 'choices'],
  ['subject'],
  ['pages', 'totals'],
  ['descriptions', 'collections'],
  ['descriptions', 'fields'],
];

function without(table: Json, [name = '', ...below]: readonly string[]): Json {
  const { [name]: part, ...rest } = table;
  return below.length > 0 && isObject(part) ? { ...table, [name]: without(part, below) } : rest;
}

/** Keeps the words of subresources, which every list has. */
function keepViews(paths: unknown): Json {
  return Object.fromEntries(
    Object.entries(asObject(paths)).filter(([name]) => subresourceNames.some((each) => each === name)),
  );
}

function keepGeneral(table: Json): Json {
  const { synonyms, ...rest } = SUBJECT.reduce(without, table);
  return {
    ...rest,
    paths: keepViews(table.paths),
    synonyms: { ...asObject(synonyms), paths: keepViews(valueAt(synonyms, 'paths')) },
  };
}

function merge(base: unknown, own: unknown): unknown {
  if (!isObject(base) || !isObject(own)) return own;
  return { ...base, ...Object.fromEntries(Object.entries(own).map(([name, part]) => [name, merge(base[name], part)])) };
}

function fillForms(texts: unknown, forms: Json): Json {
  const filled = Object.entries(asObject(texts)).map(([name, text]) => [
    name,
    String(text).replace(/\{(name|schema|the|of|title)\}/g, (_, form: string) => String(forms[form])),
  ]);
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

/** @returns the whole table: what the project's says of every catalogue, and what another catalogue's own says */
export const layered = (base: unknown, own: unknown, lists: readonly string[] = []): unknown =>
  isObject(base) && isObject(own) ? withDerived(merge(keepGeneral(base), own), lists) : own;

/** A sentence, or its plural forms. */
const isSentence = (part: unknown): boolean => !isObject(part) || 'other' in part;

function fillMissing(own: unknown, usual: unknown, onMissing: () => void): unknown {
  if (own !== undefined && (isSentence(usual) || !isObject(own))) return own;
  if (isSentence(usual)) {
    onMissing();
    return usual;
  }
  const filled = Object.entries(asObject(usual)).map(([name, part]) => {
    return [name, fillMissing(valueAt(own, name), part, onMissing)] as const;
  });
  return { ...asObject(own), ...Object.fromEntries(filled) };
}

/** @returns what every table must say, of the optional parts if it has them at all: without them the default language is shown */
function requiredSentences(table: Json, own: Json): Json {
  const { nouns, subject, problems, phrases, pages, commands } = table;
  const lists = Object.entries(asObject(valueAt(table, 'descriptions', 'collections'))).map(([id, texts]) => {
    const { name, schema } = asObject(texts);
    return [id, { name, schema }] as const;
  });
  const optional = { pages, commands, descriptions: { collections: Object.fromEntries(lists) } };
  const present = Object.entries(optional).filter(([name]) => isObject(own[name]));
  const parts = { nouns, subject, problems, phrases, ...Object.fromEntries(present) };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/**
 * Words are never borrowed: a client could not know that one of another language counts.
 *
 * @returns a table with the sentences of another one that it lacks, and how many they are
 */
export function withSentencesBy(
  own: unknown,
  other: unknown,
): { readonly content: unknown; readonly borrowed: number } {
  if (!isObject(own)) return { content: own, borrowed: 0 };
  let borrowed = 0;
  const content = fillMissing(own, requiredSentences(asObject(other), own), () => {
    borrowed += 1;
  });
  return { content, borrowed };
}

/** @returns the words and sentences of a table that are about no catalogue */
export const generalPart = (table: object): Json => keepGeneral({ ...table });
