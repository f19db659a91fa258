import { itemRepresentations } from '../../formats/formats.ts';
import { IDEMPOTENCY_HEADER, MERGE_PATCH_TYPE } from '../../http/headers.ts';
import type { Method } from '../../http/request.ts';
import { keyNames } from '../../http/urls.ts';
import type { Collection } from '../../model/catalogue.ts';
import { itemParameters, listParameters } from '../../read/query/query.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { type Context, ref } from '../shared/context.ts';
import type { HeaderName } from '../shared/headers.ts';
import {
  CONDITIONS,
  jsonContent,
  known,
  OF_BODY,
  OF_QUERY,
  OF_STORE,
  type Operation,
  type Own,
} from '../shared/operation.ts';
import { importFile } from './import-file.ts';
import { itemContent, listContent } from './item-content.ts';
import { componentsOf, pathTemplate } from './parameters.ts';
import { exampleItems, schemaName } from './schemas.ts';

const IF_MATCH: readonly ProblemCode[] = ['precondition-failed'];
/** Of a write; a condition that cannot be evaluated is ignored in a read only. */
const CONDITIONAL: readonly ProblemCode[] = ['invalid-header', ...IF_MATCH];
const WRITE_CONDITIONS = ['If-Match', 'If-None-Match.write'];
const MISSING: readonly ProblemCode[] = ['not-found'];

const partsOf = (context: Context, collection: Collection) => {
  const { language } = context.tree;
  const isFile = itemRepresentations(language, collection).some(({ format }) => format.isFile);
  const headers: readonly HeaderName[] = ['Link.item', ...(isFile ? (['Content-Disposition'] as const) : [])];
  return {
    context,
    collection,
    /** The content of responses with an item, and headers of these. */
    item: itemContent(context, collection),
    headers,
    /** Problems where a parent does not exist. */
    missingParent: collection.parent ? MISSING : [],
  };
};

/** What the operations of one collection have in common. */
type Parts = ReturnType<typeof partsOf>;

const list = ({ context, collection, missingParent }: Parts): Own => ({
  description: `${context.say('list-about')}\n\n${context.say('files-about')}`,
  parameters: [...componentsOf(collection, listParameters(context.tree.language, collection)), ...CONDITIONS],
  successes: [
    {
      status: 200,
      text: 'response-list',
      headers: ['Link.list', 'ETag.list', 'X-Total-Count', 'X-Change', 'X-Hint', 'Content-Disposition'],
      content: listContent(context, collection),
    },
    known('ETag.list'),
  ],
  problems: [...OF_QUERY, ...missingParent, 'gone', ...IF_MATCH, ...OF_STORE],
});

const create = ({ context, collection, item, headers, missingParent }: Parts): Own => {
  const { key, fields } = collection;
  const keyWord = context.tree.language.fields(collection).word(key.name);
  const assigned = key.assigned ? ` ${context.say('create-assigned', { key: keyWord })}` : '';
  const missingField: readonly ProblemCode[] = fields.some(({ required }) => required) ? ['missing-field'] : [];
  const schema = ref('schemas', schemaName(context, collection, 'new'));
  return {
    description: context.say('create-about') + assigned,
    parameters: [IDEMPOTENCY_HEADER],
    body: jsonContent(schema, exampleItems(context, collection)),
    successes: [
      {
        status: 201,
        text: 'response-created',
        headers: [...headers, 'ETag.item', 'Location', 'Content-Location', 'X-Change', 'Idempotency-Replayed'],
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

const read = ({ context, collection, item, headers }: Parts): Own => ({
  description: context.say('read-about'),
  parameters: [...componentsOf(collection, itemParameters(context.tree.language, collection)), ...CONDITIONS],
  successes: [
    { status: 200, text: 'response-item', headers: [...headers, 'ETag.item'], content: item },
    known('ETag.item'),
  ],
  problems: [...OF_QUERY, ...MISSING, ...IF_MATCH, ...OF_STORE],
});

const update = ({ context, collection, item, headers }: Parts): Own => {
  // The URL identifies the item.
  const changed = collection.fields.filter(({ isKey }) => !isKey);
  const schema = ref('schemas', schemaName(context, collection, 'changes'));
  return {
    description: context.say('update-about'),
    parameters: WRITE_CONDITIONS,
    body: jsonContent(schema, exampleItems(context, collection, changed)),
    successes: [{ status: 200, text: 'response-item', headers: [...headers, 'X-Change'], content: item }],
    problems: [...OF_QUERY, ...OF_BODY, ...MISSING, 'key-mismatch', ...CONDITIONAL, ...OF_STORE],
  };
};

/** Changes an item as PUT does, with one media type more, and tells its tag. */
const patch = (parts: Parts): Own => {
  const { body = [], ...same } = update(parts);
  return {
    ...same,
    description: parts.context.say('patch-about'),
    body: body.flatMap((content) => [content, { ...content, type: MERGE_PATCH_TYPE }]),
    successes: same.successes.map((each) => ({ ...each, headers: [...each.headers, 'ETag.item'] })),
  };
};

const remove = ({ context }: Parts): Own => ({
  description: context.say('remove-about'),
  parameters: WRITE_CONDITIONS,
  successes: [{ status: 204, text: 'response-removed', headers: ['X-Change'] }],
  problems: [...OF_QUERY, ...MISSING, ...CONDITIONAL, ...OF_STORE],
});

type Verb = readonly [method: Lowercase<Method>, isOfItem: boolean, own: (parts: Parts) => Own];

/** By the name of their summaries in a table. */
const VERBS = {
  list: ['get', false, list],
  create: ['post', false, create],
  import: ['post', false, importFile],
  read: ['get', true, read],
  update: ['put', true, update],
  patch: ['patch', true, patch],
  remove: ['delete', true, remove],
} as const satisfies Readonly<Record<string, Verb>>;

/**
 * POST to a list creates an item, or imports a file: two operations with one path and method, which OpenAPI does not allow. A
 * path gets the same response with a slash at its end and without, so the path with the slash describes the import.
 */
const IMPORT_PATH_END = '/';

/** The operations of a collection, which `src/gateway/collections` implements. */
export const collectionOperations = (context: Context, collection: Collection): readonly Operation[] => {
  const { name, parent } = collection;
  const { listPattern, itemPattern } = context.tree.paths(collection);
  const words = context.tree.language.documents.collection(collection);
  const parts = partsOf(context, collection);
  const [ofParents, ofItem] = [parent ? keyNames(parent) : [], keyNames(collection)];
  return (Object.keys(VERBS) as (keyof typeof VERBS)[]).map((verb) => {
    const [method, isOfItem, own] = VERBS[verb];
    const { parameters, ...rest } = own(parts);
    const path = pathTemplate(context, isOfItem ? itemPattern : listPattern);
    return {
      id: `${name}${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`,
      method,
      path: verb === 'import' ? path + IMPORT_PATH_END : path,
      group: words.name,
      summary: words[verb],
      parameters: [...(isOfItem ? ofItem : ofParents).map((each) => `${each}.key`), ...parameters],
      ...rest,
    };
  });
};
