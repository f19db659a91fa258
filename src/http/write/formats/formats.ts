import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import type { Field } from '../../../model/field.ts';
import { type FormatName, formatNames } from '../../../model/query.ts';
import type { Choices } from '../../read/accept.ts';
import type { Format, ItemRepresentation, ListRepresentation } from '../representation.ts';
import { csvFormat } from './csv.ts';
import { jsonFormat } from './json.ts';
import { ndjsonFormat } from './ndjson.ts';
import { xlsxFormat } from './xlsx.ts';

/**
 * Makes representations. Those of whole items are made once, at start.
 *
 * @param collection whose rows are written
 * @param fields the fields to write, in this order, the key's first; all by default
 */
type Representations<T> = (language: Language, collection: Collection, fields?: readonly Field[]) => Choices<T>;

const inEach =
  <T>(first: Format<T>, ...others: readonly Format<T>[]): Representations<T> =>
  (language, collection, fields = collection.fields) => [
    first(language, collection, fields, []),
    ...others.map((format) => format(language, collection, fields, [])),
  ];

/** Every format of items, the first for clients that accept any: add a new one here. */
export const itemRepresentations = inEach<ItemRepresentation>(jsonFormat);

/** Every format of lists, by name. */
const ofLists: Readonly<Record<FormatName, Format<ListRepresentation>>> = {
  json: jsonFormat,
  ndjson: ndjsonFormat,
  csv: csvFormat,
  xlsx: xlsxFormat,
};
const [first, ...others] = formatNames;

export const listRepresentations = inEach(ofLists[first], ...others.map((name) => ofLists[name]));
