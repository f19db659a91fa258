/** What examples are made of: an item, the words for it, and the requests that send it. */

import { type HeaderRecord, JSON_TYPE } from '../../http/headers.ts';
import type { Tree } from '../../http/urls.ts';
import { examplesIn } from '../../locale/value-words.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { Problem } from '../../texts/problem.ts';
import { atTop, type Site } from './service.ts';

/** A collection with an example item, in one tree and in the others. */
export interface Given {
  readonly catalogue: Catalogue;
  readonly tree: Tree;
  readonly others: readonly Tree[];
  readonly collection: Collection;
  readonly list: string;
  readonly key: string;
  readonly item: (key: string) => string;
  /** The example item, in the tree's words. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly word: (field: Field) => string;
  /** A field's word in another language, with an example value; `undefined` where all languages have the same words. */
  readonly foreign: { readonly word: string; readonly value: unknown } | undefined;
}

/** @returns whether a field helps to recognise an item: an example with all fields would be long */
const isDistinctive = ({ isKey, required, indexed, examples }: Field): boolean =>
  (isKey || required || indexed) && examples.length > 0;

/** @returns `undefined` where the catalogue has no example of an item at the top */
export const givenIn = ({ catalogue, trees }: Site, tree: Tree): Given | undefined => {
  const [collection] = atTop(catalogue);
  if (!collection || collection.key.examples.length === 0) return undefined;
  const at = trees.indexOf(tree);
  // The next language comes first, so that the foreign words are not all of the same language.
  const others = [...trees.slice(at + 1), ...trees.slice(0, at)];
  const paths = tree.paths(collection);
  const word = ({ name }: Field): string => tree.language.fields(collection).word(name);
  const fields = collection.fields.filter(isDistinctive);
  return {
    catalogue,
    tree,
    others,
    collection,
    list: paths.list([]),
    key: String(collection.key.examples[0]),
    item: (key) => paths.item([key]),
    body: Object.fromEntries(fields.map((field) => [word(field), examplesIn(tree.language, collection, field)[0]])),
    word,
    foreign: others
      .flatMap(({ language }) =>
        fields.map((field) => ({ field, theirs: language.fields(collection).word(field.name) })),
      )
      .filter(({ field, theirs }) => !field.isKey && theirs !== word(field))
      .map(({ field, theirs }) => ({ word: theirs, value: examplesIn(tree.language, collection, field)[0] }))[0],
  };
};

/** A request that a page shows as a command. */
export interface ShownRequest {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  readonly headers?: HeaderRecord;
  readonly body?: string;
}

export const JSON_HEADERS: HeaderRecord = { 'Content-Type': JSON_TYPE };

export const indented = (json: unknown): string => JSON.stringify(json, null, 2);

/** @param body JSON, or a text that is sent as it is */
export const post = ({ list }: Given, body: unknown, headers = JSON_HEADERS): ShownRequest => ({
  method: 'POST',
  target: list,
  headers,
  body: typeof body === 'string' ? body : indented(body),
});

/** @returns the query that filters by a word, in any language */
export const filterBy = ({ word, value }: { readonly word: string; readonly value: unknown }): string =>
  `${encodeURIComponent(word)}=${encodeURIComponent(String(value))}`;

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * @param origin scheme and host of the service
 * @returns the command that sends a request
 */
export const curl = (origin: string, { method, target, headers = {}, body }: ShownRequest): string =>
  [
    `curl ${method === undefined ? '' : `-X ${method} `}${quoted(origin + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');

/** A problem, and the request that causes it where a single request can. */
export interface Example {
  readonly sent?: ShownRequest;
  readonly problem: Problem;
}

/** A field of whole numbers, which an example gets a text for. */
export const numberIn = ({ collection }: Given): Field | undefined =>
  collection.fields.find(({ kind }) => kind === 'integer');
