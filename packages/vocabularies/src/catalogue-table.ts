/** Reads the table of a catalogue, which is keyed by collections, as a table of this package, which is keyed by schemas. */
import { asArray, asObject, type Document, type Json } from './document.ts';
import type { Table } from './table.ts';

type Words = Readonly<Record<string, string>>;

/** @returns the words of a record whose entries may say more than the word */
function readWords(entries: unknown): Words {
  return Object.fromEntries(
    Object.entries(asObject(entries)).flatMap(([name, entry]) => {
      const word = typeof entry === 'string' ? entry : asObject(entry).word;
      return typeof word === 'string' ? [[name, word] as const] : [];
    }),
  );
}

/** The words of filters: those of fields, and of their ranges, which have a suffix. */
function readFilters(fields: Words, suffixes: Words): Words {
  const ranges = Object.entries(fields).flatMap(([name, word]) =>
    Object.entries(suffixes).map(([suffix, other]) => [`${name}_${suffix}`, `${word}_${other}`] as const),
  );
  return { ...fields, ...Object.fromEntries(ranges) };
}

function readParameters(fields: (collection: string) => Words, table: Json, document: Document) {
  const suffixes = readWords(table.suffixes);
  const byOperation = document.operations.flatMap(({ id, parameters }) => {
    const words = parameters.flatMap(({ name, collection }) => {
      const word = collection === undefined ? undefined : readFilters(fields(collection), suffixes)[name];
      return word === undefined ? [] : [[name, word] as const];
    });
    return words.length > 0 ? [[id, Object.fromEntries(words)] as const] : [];
  });
  return { ...readWords(table.parameters), ...Object.fromEntries(byOperation) };
}

/** @param table the content of `locales/<tag>.json` @param document says by `x-collection` which schemas and parameters are of which collection */
export function readCatalogueTable(table: Json, document: Document): Table {
  const fields = (collection: string): Words => readWords(asObject(table.fields)[collection]);
  const schemas = Object.entries(asObject(asObject(document.content.components).schemas));
  const paths = readWords(table.paths);
  const members = schemas.flatMap(([name, schema]) => {
    const collection = asObject(schema)['x-collection'];
    if (typeof collection !== 'string') return [];
    const ofItems = { ...paths, ...readWords(table.members), ...fields(collection) };
    const words = Object.entries(collection === 'report' ? readWords(table.report) : ofItems);
    const properties = asObject(asObject(schema).properties);
    return [[name, Object.fromEntries(words.filter(([member]) => Object.hasOwn(properties, member)))] as const];
  });
  const choices = Object.values(asObject(table.fields)).flatMap((each) => Object.values(asObject(each)));
  const values = choices.map((field) => readWords(asObject(field).values));
  const problems = Object.entries(asObject(table.problems)).flatMap(([code, problem]) => {
    const { title } = asObject(problem);
    return typeof title === 'string' ? [[code, { title }] as const] : [];
  });
  return {
    paths,
    parameters: readParameters(fields, table, document),
    members: Object.fromEntries(members),
    values: { '*': Object.assign({}, ...asArray(values), readWords(table.values)) },
    problems: Object.fromEntries(problems),
  };
}
