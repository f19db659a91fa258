import { IDEMPOTENCY_HEADER, MERGE_PATCH_TYPE } from '../../http/headers.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { type Context, type Json, keyParameter, ref } from '../shared/context.ts';
import type { HeaderName } from '../shared/headers.ts';
import {
  type Examples,
  jsonContent,
  OF_BODY,
  OF_PATH,
  OF_QUERY,
  OF_STORE,
  type Operation,
  type Success,
} from '../shared/operation.ts';
import { importOperation } from './import-operation.ts';
import { itemContent, listContent } from './item-content.ts';
import { itemQueryParameters, keyParameters, queryParameters } from './parameters.ts';
import { exampleItems, schemaName } from './schemas.ts';

const WRITTEN: readonly HeaderName[] = ['Link.item'];
const IF_MATCH: readonly ProblemCode[] = ['precondition-failed'];
const MISSING: readonly ProblemCode[] = ['not-found'];

const known = (...headers: readonly HeaderName[]): Success => ({ status: 304, text: 'response-known', headers });

/** Converts a route's pattern to a path template of OpenAPI: `/api/coches/:cars` to `/api/coches/{identificador}`. */
const templateOf = (context: Context, pattern: string): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => {
    const collection = context.catalogue.find((each) => each.name === name);
    return `{${collection ? keyParameter(context, collection) : name}}`;
  });

/** Removes the key from examples of a change: the URL identifies the item. */
const withoutKey = (collection: Collection, { tree }: Context, examples: Examples): Examples => {
  const key = tree.language.fields(collection).word(collection.key.name);
  return Object.fromEntries(
    Object.entries(examples).map(([name, example]) => [
      name,
      {
        ...example,
        value: Object.fromEntries(Object.entries(example.value as Json).filter(([word]) => word !== key)),
      },
    ]),
  );
};

/** The operations of a collection, which `src/http/collections` implements. */
export const collectionOperations = (context: Context, collection: Collection): readonly Operation[] => {
  const { tree, say } = context;
  const { name, parent, fields, key } = collection;
  const keyWord = tree.language.fields(collection).word(key.name);
  const { listPattern, itemPattern } = tree.paths(collection);
  const words = tree.language.documents.collection(collection);
  const creation = key.assigned
    ? `${say('create-about')} ${say('create-assigned', { key: keyWord })}`
    : say('create-about');
  const examples = exampleItems(context, collection);
  const item = itemContent(context, collection);
  const lacking: readonly ProblemCode[] = fields.some(({ required }) => required) ? ['missing-field'] : [];
  const ofList = {
    group: words.name,
    path: templateOf(context, listPattern),
    pathParameters: parent ? keyParameters(parent) : [],
    pathProblems: parent ? OF_PATH : [],
  };
  const ofItem = {
    group: words.name,
    path: templateOf(context, itemPattern),
    pathParameters: keyParameters(collection),
    pathProblems: OF_PATH,
  };
  const missingParent = parent ? MISSING : [];
  const change = {
    ...ofItem,
    parameters: ['If-Match', 'If-None-Match.write'],
    problems: [...OF_QUERY, ...OF_BODY, ...MISSING, 'key-mismatch', ...IF_MATCH, ...OF_STORE],
  } as const;
  const changes = jsonContent(
    ref('schemas', schemaName(context, collection, 'changes')),
    withoutKey(collection, context, examples),
  );

  return [
    {
      ...ofList,
      id: `${name}List`,
      method: 'get',
      summary: words.list,
      description: `${say('list-about')}\n\n${say('files-about')}`,
      parameters: [...queryParameters(context, collection), 'If-Match', 'If-None-Match.read'],
      successes: [
        {
          status: 200,
          text: 'response-list',
          headers: ['Link.list', 'ETag.list', 'X-Total-Count', 'Content-Disposition'],
          content: listContent(context, collection),
        },
        known('ETag.list'),
      ],
      problems: [...OF_QUERY, ...missingParent, ...IF_MATCH, ...OF_STORE],
    },
    {
      ...ofList,
      id: `${name}Create`,
      method: 'post',
      summary: words.create,
      description: creation,
      parameters: [IDEMPOTENCY_HEADER],
      body: jsonContent(ref('schemas', schemaName(context, collection, 'new')), examples),
      successes: [
        {
          status: 201,
          text: 'response-created',
          headers: [...WRITTEN, 'ETag.item', 'Location', 'Content-Location'],
          content: item,
        },
      ],
      problems: [
        ...OF_QUERY,
        'invalid-header',
        ...OF_BODY,
        ...lacking,
        ...missingParent,
        'already-exists',
        'idempotency-mismatch',
        ...OF_STORE,
      ],
    },
    importOperation(context, collection, ofList),
    {
      ...ofItem,
      id: `${name}Read`,
      method: 'get',
      summary: words.read,
      description: say('read-about'),
      parameters: [...itemQueryParameters(context, collection), 'If-Match', 'If-None-Match.read'],
      successes: [
        { status: 200, text: 'response-item', headers: [...WRITTEN, 'ETag.item'], content: item },
        known('ETag.item'),
      ],
      problems: [...OF_QUERY, ...MISSING, ...IF_MATCH, ...OF_STORE],
    },
    {
      ...change,
      id: `${name}Update`,
      method: 'put',
      summary: words.update,
      description: say('update-about'),
      body: changes,
      successes: [{ status: 200, text: 'response-item', headers: WRITTEN, content: item }],
    },
    {
      ...change,
      id: `${name}Patch`,
      method: 'patch',
      summary: words.patch,
      description: say('patch-about'),
      body: changes.flatMap((content) => [content, { ...content, type: MERGE_PATCH_TYPE }]),
      successes: [{ status: 200, text: 'response-item', headers: [...WRITTEN, 'ETag.item'], content: item }],
    },
    {
      ...ofItem,
      id: `${name}Remove`,
      method: 'delete',
      summary: words.remove,
      description: say('remove-about'),
      parameters: ['If-Match', 'If-None-Match.write'],
      successes: [{ status: 204, text: 'response-removed', headers: [] }],
      problems: [...OF_QUERY, ...MISSING, ...IF_MATCH, ...OF_STORE],
    },
  ];
};
