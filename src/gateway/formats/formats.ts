import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { csv } from './csv.ts';
import { json, ndjson } from './json.ts';
import {
  type Choices,
  createRepresentation,
  type Format,
  type ReadableFormat,
  type Representation,
} from './representation.ts';
import { xlsx } from './xlsx.ts';

/** Every format, the first for clients that accept any: add a new one here. */
export const formats: readonly [Format, ...(readonly Format[])] = [json, ndjson, csv, xlsx];

export const fileFormats = formats.filter(({ isFile }) => isFile).map(({ name }) => name);

export const readableFormats = formats.filter((format): format is ReadableFormat => format.reading !== undefined);

/** @throws TypeError if no format that can be read has this name, which is a bug */
export function readableFormat(name: string): ReadableFormat {
  const format = readableFormats.find((other) => other.name === name);
  if (!format) throw new TypeError(`no format to read: ${name}`);
  return format;
}

export function listRepresentations(language: Language, collection: Collection): Choices<Representation> {
  const create = (format: Format) => createRepresentation(format, language, collection);
  const [first, ...others] = formats;
  return [create(first), ...others.map(create)];
}

export function itemRepresentations(language: Language, collection: Collection): Choices<Representation> {
  const [first, ...others] = listRepresentations(language, collection);
  return [first, ...others.filter(({ format }) => format.isOfItems)];
}
