/** Reads the table of a catalogue, which is keyed by collections, as a table of this package, which is keyed by schemas. */
import type { Document } from './document.ts';
import type { Table } from './table.ts';
import { asObject, type Dictionary, type Json, readWord, valueAt } from './words.ts';

/** @returns the words of a record whose entries may say more than the word */
function readWords(entries: unknown): Dictionary {
  const words = Object.entries(asObject(entries)).map(([name, entry]) => [name, readWord(entry)] as const);
  return Object.fromEntries(words.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** @returns the words of a collection's fields, and of filters by their ranges, which have a suffix */
function readFields(table: Json, collection: unknown): Dictionary {
  const fields = readWords(valueAt(table.fields, String(collection)));
  const suffixes = Object.entries(readWords(table.suffixes));
  const ranges = Object.entries(fields).flatMap(([name, word]) => {
    return suffixes.map(([suffix, other]) => [`${name}_${suffix}`, `${word}_${other}`] as const);
  });
  return { ...Object.fromEntries(ranges), ...fields };
}

/** @returns the words for those names that there are */
function pick(words: Dictionary, names: readonly string[]): Dictionary {
  return Object.fromEntries(Object.entries(words).filter(([name]) => names.includes(name)));
}

/** @param table the content of `locales/<tag>.json` @param document says by `x-collection` which schemas and parameters are of which collection */
export function readCatalogueTable(table: Json, document: Document): Table {
  const paths = readWords(table.paths);
  const shared = { ...paths, ...readWords(table.members) };
  const members = Object.entries(asObject(valueAt(document.content, 'components', 'schemas'))).map(([name, schema]) => {
    const collection = valueAt(schema, 'x-collection');
    const words = collection === 'report' ? readWords(table.report) : { ...shared, ...readFields(table, collection) };
    return [
      name,
      collection === undefined ? {} : pick(words, Object.keys(asObject(valueAt(schema, 'properties')))),
    ] as const;
  });
  const parameters = document.operations.map(({ id, parameters: all }) => {
    const words = all.map(({ name, source }) => pick(readFields(table, source['x-collection']), [name]));
    return [id, Object.assign({}, ...words) as Dictionary] as const;
  });
  const fields = Object.values(asObject(table.fields)).flatMap((collection) => Object.values(asObject(collection)));
  const values = fields.map((field) => readWords(valueAt(field, 'values')));
  const problems = Object.entries(asObject(table.problems)).flatMap(([code, problem]) => {
    const title = valueAt(problem, 'title');
    return typeof title === 'string' ? [[code, { title }] as const] : [];
  });
  return {
    paths,
    parameters: { ...readWords(table.parameters), ...Object.fromEntries(parameters) },
    members: Object.fromEntries(members),
    values: { '*': Object.assign({}, ...values, readWords(table.values)) },
    problems: Object.fromEntries(problems),
  };
}
