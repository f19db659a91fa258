import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { csv } from './csv.ts';
import type { Format, ReadableFormat } from './format.ts';
import { json } from './json.ts';
import { ndjson } from './ndjson.ts';
import { type Representation, represent } from './representation.ts';
import { xlsx } from './xlsx.ts';

/** Every format, the first for clients that accept any: add a new one here. */
export const formats: readonly Format[] = [json, ndjson, csv, xlsx];

/** The names of the formats of files. */
export const fileFormats = formats.filter(({ isFile }) => isFile).map(({ name }) => name);

export const readableFormats = formats.filter((format): format is ReadableFormat => format.reading !== undefined);

/** @throws TypeError where there is none, which is a bug */
export const readableFormat = (name: string): ReadableFormat => {
  const found = readableFormats.find((each) => each.name === name);
  if (!found) throw new TypeError(`no format to read: ${name}`);
  return found;
};

/** Made once for each collection, at start. */
type Representations = (
  language: Language,
  collection: Collection,
) => readonly [Representation, ...(readonly Representation[])];

const inEach =
  (isWanted: (format: Format) => boolean): Representations =>
  (language, collection) => {
    const others = formats.filter((format) => format !== json && isWanted(format));
    return [represent(json, language, collection), ...others.map((format) => represent(format, language, collection))];
  };

export const itemRepresentations = inEach(({ isOfItems }) => isOfItems);
export const listRepresentations = inEach(() => true);
