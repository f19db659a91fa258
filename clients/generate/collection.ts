/** The source of one collection of a client. */
import { readFileSync } from 'node:fs';
import type { Dictionary } from '../../kit/src/dictionary.ts';
import { type Deployment, type Operation, operationOf, type Parameter, queryOf, referredTo } from './deployment.ts';
import { comment, inComment, parameterOf, type TypeNames } from './types.ts';
import { type ClientWords, fill, property, typeWordOf } from './words.ts';

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
type OperationName = (typeof OPERATIONS)[number];

/** The collections around one, from the top down. */
const around = ({ collections }: Pick<Dictionary, 'collections'>, name: string): readonly string[] => {
  const parent = collections[name]?.parent;
  return parent === undefined ? [] : [...around({ collections }, parent), parent];
};

/** The types of queries; what several of them have is told once. */
const queriesOf = (
  find: (each: OperationName) => Operation | undefined,
  { dictionary, document }: Deployment,
  names: TypeNames,
  types: { readonly Filters: string; readonly Query: string },
) => {
  const parameters = (each: OperationName): readonly Parameter[] => {
    const operation = find(each);
    return operation ? queryOf(document, operation) : [];
  };
  const without = (each: OperationName, others: readonly Parameter[]): readonly Parameter[] =>
    parameters(each).filter(({ name }) => !others.some((other) => other.name === name));
  const members = (all: readonly Parameter[]): string => all.map((each) => parameterOf(each, names)).join('');
  const also = (base: string, own: readonly Parameter[]): string =>
    own.length === 0 ? base : `${base} & {\n${members(own)}}`;
  const listed = parameters('List');
  const filters = listed.filter(({ name }) =>
    (['Group', 'Follow'] as const).every(
      (each) => !find(each) || parameters(each).some((other) => other.name === name),
    ),
  );
  const position = parameters('Follow').filter(({ name }) => name === dictionary.parameters.changed_since?.word);
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

/** Which schema each operation names: of what it answers, and of what is sent to it. */
const ANSWERED = {
  Item: ['List', '200'],
  Selection: ['Select', '200'],
  GroupType: ['Group', '200'],
  Changed: ['Follow', '200'],
  Report: ['Import', '200'],
} as const;
const SENT = { New: 'Create', Sent: 'Patch' } as const;

const schemasOf = (find: (each: OperationName) => Operation | undefined) => {
  const answered = Object.entries(ANSWERED).flatMap(([part, [name, status]]) => {
    const schema = find(name)?.responses[status]?.content?.['application/json']?.schema;
    return schema ? [[part, referredTo(schema)] as const] : [];
  });
  const sent = Object.entries(SENT).flatMap(([part, name]) => {
    const [content] = Object.values(find(name)?.requestBody?.content ?? {});
    return content ? [[part, referredTo(content.schema)] as const] : [];
  });
  return { answered, sent };
};

/**
 * What a service cannot do is no method.
 *
 * @param name of a collection of the dictionary
 */
export const collectionSource = (deployment: Deployment, words: ClientWords, names: TypeNames, name: string) => {
  const { dictionary, document } = deployment;
  const { collections, parameters } = dictionary;
  const collection = collections[name];
  if (!collection) throw new TypeError(`${name} is no collection`);
  const find = (each: OperationName) => operationOf(document, `${name}${each}`);
  const { answered, sent } = schemasOf(find);
  const namedAfter = (type: 'Filters' | 'Query' | 'Collection', of = name): string =>
    words.types[type].replace('{}', typeWordOf(collections, of));
  const own = { Filters: namedAfter('Filters'), Query: namedAfter('Query'), Collection: namedAfter('Collection') };
  const parents = around(dictionary, name);
  const children = Object.entries(collections).filter(([, { parent }]) => parent === name);
  const { key } = words.members;
  /** A URL template as an expression; the keys of items are its variables. */
  const at = (path: string): string =>
    path
      .split(/\{(\w+)\}/)
      .map((part, place) =>
        place % 2 === 0 ? JSON.stringify(part) : `encodeURIComponent(${part === name ? key : part})`,
      )
      .filter((part) => part !== '""')
      .join(' + ');
  const paging = [parameters.page, parameters.after].flatMap((each) => (each ? [JSON.stringify(each.word)] : []));
  const source = fill(template, {
    ...words.members,
    ...words.types,
    ...words.methods,
    ...Object.fromEntries(
      OPERATIONS.flatMap((each) => {
        const found = find(each);
        return found ? [[each, inComment(found.summary)] as const] : [];
      }),
    ),
    ...Object.fromEntries(Object.entries(collection.paths).map(([view, path]) => [`at.${view}`, at(path)])),
    ...Object.fromEntries([...answered, ...sent].map(([part, schema]) => [part, names.nameOf(schema)])),
    ...queriesOf(find, deployment, names, own),
    ...own,
    'text.iterate': words.texts.iterate,
    about: inComment(collection.description ?? collection.word),
    paging: paging.join(' | '),
    make: name,
    parameters: ['service: request.Service', ...parents.map((each) => `${each}: string`)].join(', '),
    NestedTypes: children
      .map(([child, { word }]) => {
        const type = `(${key}: string) => ${namedAfter('Collection', child)}`;
        return `${comment(words.texts.nested)}readonly ${property(word)}: ${type};\n`;
      })
      .join(''),
    Nested: children
      .map(
        ([child, { word }]) => `${property(word)}: (${key}) => ${child}(${['service', ...parents, key].join(', ')}),\n`,
      )
      .join(''),
  });
  const sentSchemas = sent.map(([, schema]) => schema);
  return { source, schemas: [...answered.map(([, schema]) => schema), ...sentSchemas], sent: sentSchemas };
};
