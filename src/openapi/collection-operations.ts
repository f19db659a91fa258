import type { Collection } from '../model/catalogue.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { type Context, type Json, keyParameter, ref } from './context.ts';
import type { HeaderName } from './headers.ts';
import { type Answer, OF_ACCEPT, OF_BODY, OF_PATH, OF_QUERY, OF_STORE, type Operation } from './operation.ts';
import { keyParameters, queryParameters } from './parameters.ts';
import { exampleItems, listSchema, schemaName } from './schemas.ts';

const WRITTEN: readonly HeaderName[] = ['Content-Language.tree', 'Vary.tree', 'Link.item'];
const IF_MATCH: readonly ProblemCode[] = ['precondition-failed'];
const MISSING: readonly ProblemCode[] = ['not-found'];

const known = (...headers: readonly HeaderName[]): Answer => ({
  status: 304,
  text: 'answer-known',
  headers: [...headers, 'Vary.tree'],
});

/** A route's pattern as a template of OpenAPI: `/api/coches/{identificador}`. */
const templateOf = (context: Context, pattern: string): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => {
    const collection = context.catalogue.find((each) => each.name === name);
    return `{${collection ? keyParameter(context, collection) : name}}`;
  });

const withoutKey = (collection: Collection, context: Context, item: Json | undefined): Json => {
  const key = context.tree.language.fields(collection).word(collection.key.name);
  return Object.fromEntries(Object.entries(item ?? {}).filter(([word]) => word !== key));
};

/** The verbs of a collection, as `http/list-routes` and `http/item-routes` carry them out. */
export const collectionOperations = (context: Context, collection: Collection): readonly Operation[] => {
  const { tree, say } = context;
  const { name, parent, fields } = collection;
  const { listPattern, itemPattern } = tree.paths(collection);
  const words = tree.language.describeCollection(collection);
  const items = exampleItems(context, collection);
  const item = ref('schemas', schemaName(collection, 'item'));
  const lacking: readonly ProblemCode[] = fields.some(({ required }) => required) ? ['missing-field'] : [];
  const body = (purpose: 'new' | 'changes', example: unknown) => ({
    schema: ref('schemas', schemaName(collection, purpose)),
    example,
  });
  const shared = { group: words.name, scope: 'tree' } as const;
  const ofList = {
    ...shared,
    address: `${name}List`,
    path: templateOf(context, listPattern),
    pathParameters: parent ? keyParameters(parent) : [],
    pathProblems: parent ? OF_PATH : [],
  };
  const ofItem = {
    ...shared,
    address: `${name}Item`,
    path: templateOf(context, itemPattern),
    pathParameters: keyParameters(collection),
    pathProblems: OF_PATH,
  };
  const missingParent = parent ? MISSING : [];

  return [
    {
      ...ofList,
      id: `${name}List`,
      method: 'get',
      summary: words.list,
      description: say('list-about'),
      parameters: [...queryParameters(collection), 'If-Match', 'If-None-Match.read'],
      answers: [
        {
          status: 200,
          text: 'answer-list',
          headers: ['Content-Language.tree', 'Vary.tree', 'Link.list', 'ETag.list', 'X-Total-Count'],
          schema: listSchema(collection),
          examples: items.length > 0 ? [items] : [],
        },
        known('ETag.list'),
      ],
      problems: [...OF_QUERY, ...missingParent, ...OF_ACCEPT, ...IF_MATCH, ...OF_STORE],
    },
    {
      ...ofList,
      id: `${name}Create`,
      method: 'post',
      summary: words.create,
      description: say('create-about'),
      parameters: [],
      body: body('new', items[0]),
      answers: [
        {
          status: 201,
          text: 'answer-created',
          headers: [...WRITTEN, 'ETag.item', 'Location', 'Content-Location'],
          schema: item,
          examples: items,
        },
      ],
      problems: [...OF_QUERY, ...OF_BODY, ...lacking, ...missingParent, ...OF_ACCEPT, 'already-exists', ...OF_STORE],
    },
    {
      ...ofItem,
      id: `${name}Read`,
      method: 'get',
      summary: words.read,
      description: say('read-about'),
      parameters: ['If-Match', 'If-None-Match.read'],
      answers: [
        { status: 200, text: 'answer-item', headers: [...WRITTEN, 'ETag.item'], schema: item, examples: items },
        known('ETag.item'),
      ],
      problems: [...OF_QUERY, ...MISSING, ...OF_ACCEPT, ...IF_MATCH, ...OF_STORE],
    },
    {
      ...ofItem,
      id: `${name}Update`,
      method: 'put',
      summary: words.update,
      description: say('update-about'),
      parameters: ['If-Match', 'If-None-Match.write'],
      body: body('changes', withoutKey(collection, context, items[0])),
      answers: [{ status: 200, text: 'answer-item', headers: WRITTEN, schema: item, examples: items }],
      problems: [...OF_QUERY, ...OF_BODY, ...MISSING, ...OF_ACCEPT, 'key-mismatch', ...IF_MATCH, ...OF_STORE],
    },
    {
      ...ofItem,
      id: `${name}Remove`,
      method: 'delete',
      summary: words.remove,
      description: say('remove-about'),
      parameters: ['If-Match', 'If-None-Match.write'],
      answers: [{ status: 204, text: 'answer-removed', headers: [] }],
      problems: [...OF_QUERY, ...MISSING, ...IF_MATCH, ...OF_STORE],
    },
  ];
};
