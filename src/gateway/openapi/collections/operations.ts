import { IDEMPOTENCY_HEADER, MERGE_PATCH_TYPE } from '../../http/headers.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import type { HeaderName } from '../shared/headers.ts';
import {
  type Examples,
  jsonContent,
  OF_BODY,
  OF_QUERY,
  OF_STORE,
  type Operation,
  type Success,
} from '../shared/operation.ts';
import { importOperation } from './import-operation.ts';
import { listContent } from './item-content.ts';
import { itemQueryParameters, queryParameters } from './parameters.ts';
import { type Parts, partsOf } from './parts.ts';
import { schemaName } from './schemas.ts';

const IF_MATCH: readonly ProblemCode[] = ['precondition-failed'];
/** A condition that cannot be evaluated is ignored in a read only. */
const CONDITIONAL: readonly ProblemCode[] = ['invalid-header', ...IF_MATCH];
const MISSING: readonly ProblemCode[] = ['not-found'];

const known = (...headers: readonly HeaderName[]): Success => ({ status: 304, text: 'response-known', headers });

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

const listOperation = ({ context, collection, words, ofList, missingParent }: Parts): Operation => {
  return {
    ...ofList,
    id: `${collection.name}List`,
    method: 'get',
    summary: words.list,
    description: `${context.say('list-about')}\n\n${context.say('files-about')}`,
    parameters: [...queryParameters(context, collection), 'If-Match', 'If-None-Match.read'],
    successes: [
      {
        status: 200,
        text: 'response-list',
        headers: ['Link.list', 'ETag.list', 'X-Total-Count', 'X-Hint', 'Content-Disposition'],
        content: listContent(context, collection),
      },
      known('ETag.list'),
    ],
    problems: [...OF_QUERY, ...missingParent, ...IF_MATCH, ...OF_STORE],
  };
};

const createOperation = ({
  context,
  collection,
  words,
  ofList,
  examples,
  item,
  headers,
  missingParent,
}: Parts): Operation => {
  const { say, tree } = context;
  const { key, fields } = collection;
  const keyWord = tree.language.fields(collection).word(key.name);
  const missingField: readonly ProblemCode[] = fields.some(({ required }) => required) ? ['missing-field'] : [];
  return {
    ...ofList,
    id: `${collection.name}Create`,
    method: 'post',
    summary: words.create,
    description: [say('create-about'), ...(key.assigned ? [say('create-assigned', { key: keyWord })] : [])].join(' '),
    parameters: [IDEMPOTENCY_HEADER],
    body: jsonContent(ref('schemas', schemaName(context, collection, 'new')), examples),
    successes: [
      {
        status: 201,
        text: 'response-created',
        headers: [...headers, 'ETag.item', 'Location', 'Content-Location', 'Idempotency-Replayed'],
        content: item,
      },
    ],
    problems: [
      ...OF_QUERY,
      'invalid-header',
      ...OF_BODY,
      ...missingField,
      ...missingParent,
      'already-exists',
      'idempotency-mismatch',
      ...OF_STORE,
    ],
  };
};

const readOperation = ({ context, collection, words, ofItem, item, headers }: Parts): Operation => {
  return {
    ...ofItem,
    id: `${collection.name}Read`,
    method: 'get',
    summary: words.read,
    description: context.say('read-about'),
    parameters: [...itemQueryParameters(context, collection), 'If-Match', 'If-None-Match.read'],
    successes: [
      { status: 200, text: 'response-item', headers: [...headers, 'ETag.item'], content: item },
      known('ETag.item'),
    ],
    problems: [...OF_QUERY, ...MISSING, ...IF_MATCH, ...OF_STORE],
  };
};

/** PUT and PATCH, which change an item in the same way. */
const changeOperations = ({
  context,
  collection,
  words,
  ofItem,
  examples,
  item,
  headers,
}: Parts): readonly Operation[] => {
  const change = {
    ...ofItem,
    parameters: ['If-Match', 'If-None-Match.write'],
    problems: [...OF_QUERY, ...OF_BODY, ...MISSING, 'key-mismatch', ...CONDITIONAL, ...OF_STORE],
  } as const;
  const changes = jsonContent(
    ref('schemas', schemaName(context, collection, 'changes')),
    withoutKey(collection, context, examples),
  );
  return [
    {
      ...change,
      id: `${collection.name}Update`,
      method: 'put',
      summary: words.update,
      description: context.say('update-about'),
      body: changes,
      successes: [{ status: 200, text: 'response-item', headers, content: item }],
    },
    {
      ...change,
      id: `${collection.name}Patch`,
      method: 'patch',
      summary: words.patch,
      description: context.say('patch-about'),
      body: changes.flatMap((content) => [content, { ...content, type: MERGE_PATCH_TYPE }]),
      successes: [{ status: 200, text: 'response-item', headers: [...headers, 'ETag.item'], content: item }],
    },
  ];
};

const removeOperation = ({ context, collection, words, ofItem }: Parts): Operation => {
  return {
    ...ofItem,
    id: `${collection.name}Remove`,
    method: 'delete',
    summary: words.remove,
    description: context.say('remove-about'),
    parameters: ['If-Match', 'If-None-Match.write'],
    successes: [{ status: 204, text: 'response-removed', headers: [] }],
    problems: [...OF_QUERY, ...MISSING, ...CONDITIONAL, ...OF_STORE],
  };
};

/** The operations of a collection, which `src/gateway/http/collections` implements. */
export const collectionOperations = (context: Context, collection: Collection): readonly Operation[] => {
  const parts = partsOf(context, collection);
  return [
    listOperation(parts),
    createOperation(parts),
    importOperation(parts),
    readOperation(parts),
    ...changeOperations(parts),
    removeOperation(parts),
  ];
};
