import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { csv } from './csv.ts';
import { json, ndjson } from './json.ts';
import { createRepresentation, type Format, type ReadableFormat, type Representation } from './representation.ts';
import { xlsx } from './xlsx.ts';

/** Every format, the first for clients that accept any: add a new one here. */
export const formats: readonly [Format, ...(readonly Format[])] = [json, ndjson, csv, xlsx];

/** The names of the formats of files. */
export const fileFormats = formats.filter(({ isFile }) => isFile).map(({ name }) => name);

export const readableFormats = formats.filter((format): format is ReadableFormat => format.reading !== undefined);

/** @throws TypeError if there is none, which is a bug */
export function readableFormat(name: string): ReadableFormat {
  const format = readableFormats.find((each) => each.name === name);
  if (!format) throw new TypeError(`no format to read: ${name}`);
  return format;
}

type NonEmpty<T> = readonly [T, ...(readonly T[])];

/** @returns the representations of a collection's lists, JSON first, which are made once at start */
export function listRepresentations(language: Language, collection: Collection): NonEmpty<Representation> {
  const [first, ...others] = formats;
  return [
    createRepresentation(first, language, collection),
    ...others.map((format) => createRepresentation(format, language, collection)),
  ];
}

/** @returns the representations of a collection's items */
export function itemRepresentations(language: Language, collection: Collection): NonEmpty<Representation> {
  const [first, ...others] = listRepresentations(language, collection);
  return [first, ...others.filter(({ format }) => format.isOfItems)];
}
