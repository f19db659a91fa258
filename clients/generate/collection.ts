/** The source of one collection of a client. */
import { readFileSync } from 'node:fs';
import type { Dictionary } from '../../kit/src/dictionary.ts';
import { type Deployment, type Operation, operationOf, type Parameter, queryOf, referredTo } from './deployment.ts';
import { comment, parameterOf, type TypeNames } from './types.ts';
import { type ClientWords, fill, inTypeName, property } from './words.ts';

const template = readFileSync(new URL('../templates/collection.txt', import.meta.url), 'utf8');

const OPERATIONS = [
  'List',
  'Select',
  'Group',
  'Export',
  'Follow',
  'Import',
  'Read',
  'Create',
  'Patch',
  'Remove',
] as const;
type Operations = Readonly<Record<(typeof OPERATIONS)[number], Operation>>;

/** @throws Error where the service cannot do all that a client can */
const operationsOf = ({ document }: Deployment, name: string): Operations =>
  Object.fromEntries(
    OPERATIONS.map((each) => {
      const found = operationOf(document, `${name}${each}`);
      if (!found) throw new Error(`the OpenAPI document has no operation ${name}${each}`);
      return [each, found];
    }),
  ) as Operations;

/** The collections around one, from the top down. */
const around = ({ collections }: Pick<Dictionary, 'collections'>, name: string): readonly string[] => {
  const parent = collections[name]?.parent;
  return parent === undefined ? [] : [...around({ collections }, parent), parent];
};

/** @returns types of queries; what several of them have is told once */
const queriesOf = (
  { document, dictionary }: Deployment,
  operations: Operations,
  names: TypeNames,
  types: { Filters: string; Query: string },
) => {
  const parameters = (each: keyof Operations): readonly Parameter[] => queryOf(document, operations[each]);
  const without = (each: keyof Operations, others: readonly Parameter[]): readonly Parameter[] =>
    parameters(each).filter(({ name }) => !others.some((other) => other.name === name));
  const members = (all: readonly Parameter[]): string => all.map((each) => parameterOf(each, names)).join('');
  const listed = parameters('List');
  const filters = listed.filter(({ name }) =>
    (['Group', 'Follow'] as const).every((each) => parameters(each).some((other) => other.name === name)),
  );
  const position = parameters('Follow').filter(({ name }) => name === dictionary.parameters.changed_since?.word);
  const also = (base: string, own: readonly Parameter[]): string =>
    own.length === 0 ? base : `${base} & {\n${members(own)}}`;
  return {
    FilterTypes: `export interface ${types.Filters} {\n${members(filters)}}`,
    QueryTypes: `export interface ${types.Query} extends ${types.Filters} {\n${members(without('List', filters))}}`,
    SelectQuery: also(types.Query, without('Select', listed)),
    GroupQuery: also(types.Filters, without('Group', filters)),
    ExportQuery: also(types.Query, without('Export', listed)),
    FollowQuery: also(types.Filters, without('Follow', [...filters, ...position])),
    ReadQuery: `{\n${members(parameters('Read'))}}`,
  };
};

const answered = ({ responses }: Operation, status: string): string =>
  referredTo(responses[status]?.content?.['application/json']?.schema);

const sentTo = ({ requestBody }: Operation): string => referredTo(Object.values(requestBody?.content ?? {})[0]?.schema);

/** @param name of a collection of the dictionary */
export const collectionSource = (
  { dictionary, document }: Deployment,
  words: ClientWords,
  names: TypeNames,
  name: string,
) => {
  const { collections, parameters } = dictionary;
  const collection = collections[name];
  if (!collection) throw new TypeError(`${name} is no collection`);
  const operations = operationsOf({ dictionary, document }, name);
  const namedAfter = (type: 'Filters' | 'Query' | 'Collection', word = collection.word): string =>
    words.types[type].replace('{}', inTypeName(word));
  const own = { Filters: namedAfter('Filters'), Query: namedAfter('Query'), Collection: namedAfter('Collection') };
  const parents = around(dictionary, name);
  const children = Object.entries(collections).filter(([, { parent }]) => parent === name);
  const { key } = words.members;
  const schemas = {
    Item: answered(operations.List, '200'),
    Selection: answered(operations.Select, '200'),
    GroupType: answered(operations.Group, '200'),
    Changed: answered(operations.Follow, '200'),
    Report: answered(operations.Import, '200'),
  };
  const sent = { New: sentTo(operations.Create), Sent: sentTo(operations.Patch) };
  /** A URL template as an expression; the keys of items are its variables. */
  const at = (path: string): string =>
    `\`${path.replaceAll(/\{(\w+)\}/g, (_, each: string) => `\${encodeURIComponent(${each === name ? key : each})}`)}\``;
  const source = fill(template, {
    ...words.members,
    ...words.types,
    ...words.methods,
    ...Object.fromEntries(OPERATIONS.map((each) => [each, operations[each].summary])),
    ...Object.fromEntries(Object.entries(collection.paths).map(([view, path]) => [`at.${view}`, at(path)])),
    ...Object.fromEntries(
      Object.entries({ ...schemas, ...sent }).map(([part, schema]) => [part, names.nameOf(schema)]),
    ),
    ...queriesOf({ document, dictionary }, operations, names, own),
    ...own,
    'text.iterate': words.texts.iterate,
    about: collection.description ?? collection.word,
    paging: `${JSON.stringify(parameters.page?.word)} | ${JSON.stringify(parameters.after?.word)}`,
    make: name,
    parameters: ['service: request.Service', ...parents.map((each) => `${each}: string`)].join(', '),
    NestedTypes: children
      .map(
        ([, { word }]) =>
          `${comment(words.texts.nested)}readonly ${property(word)}: (${key}: string) => ${namedAfter('Collection', word)};\n`,
      )
      .join(''),
    Nested: children
      .map(
        ([child, { word }]) => `${property(word)}: (${key}) => ${child}(${['service', ...parents, key].join(', ')}),\n`,
      )
      .join(''),
  });
  return { source, schemas: Object.values({ ...schemas, ...sent }), sent: Object.values(sent) };
};
