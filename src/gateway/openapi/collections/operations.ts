import { itemRepresentations } from '../../formats/formats.ts';
import { IDEMPOTENCY_HEADER, MERGE_PATCH_TYPE } from '../../http/headers.ts';
import type { Method } from '../../http/request.ts';
import { keyNames } from '../../http/urls.ts';
import type { Collection } from '../../model/catalogue.ts';
import { type View, viewNames } from '../../model/views.ts';
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
import { importFile, inUse } from './import-file.ts';
import { BYTES, exportFile, follow, group, list, select, stream } from './list-reads.ts';
import { itemComponents, pathTemplate } from './parameters.ts';
import { exampleItems, schemaName } from './schemas.ts';

const IF_MATCH: readonly ProblemCode[] = ['precondition-failed'];
/** Of a write; a condition that cannot be evaluated is ignored in a read only. */
const CONDITIONAL: readonly ProblemCode[] = ['invalid-header', ...IF_MATCH];
const WRITE_CONDITIONS = ['If-Match', 'If-None-Match_write'];
const MISSING: readonly ProblemCode[] = ['not-found'];

const partsOf = (context: Context, collection: Collection) => {
  const schema = ref('schemas', schemaName(context, collection, 'item'));
  const files = itemRepresentations(context.tree.language, collection).filter(({ format }) => format.isFile);
  const headers: readonly HeaderName[] = ['Link_item', ...(files.length > 0 ? (['Content-Disposition'] as const) : [])];
  return {
    context,
    collection,
    /** The content of responses with an item, in every format, and headers of these. */
    item: [
      ...jsonContent(schema, exampleItems(context, collection)),
      ...files.map(({ type, pack }) => ({ type, schema: pack ? BYTES : { type: 'string' }, examples: {} })),
    ],
    headers,
    /** Problems where a parent does not exist. */
    missingParent: collection.parent ? MISSING : [],
  };
};

/** What the operations of one collection have in common. */
type Parts = ReturnType<typeof partsOf>;

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
        headers: [...headers, 'ETag_item', 'Location', 'Content-Location', 'X-Change', 'Idempotency-Replayed'],
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
  parameters: [...itemComponents(context, collection), ...CONDITIONS],
  successes: [
    { status: 200, text: 'response-item', headers: [...headers, 'ETag_item'], content: item },
    known('ETag_item'),
  ],
  problems: [...OF_QUERY, ...MISSING, ...IF_MATCH, ...OF_STORE],
});

const update = ({ context, collection, item, headers }: Parts): Own => {
  // The URL identifies the item.
  const changed = collection.fields.filter(({ isKey }) => !isKey);
  const schema = ref('schemas', schemaName(context, collection, 'changes'));
  const taken = collection.fields.some(({ unique }) => unique) ? (['already-exists'] as const) : [];
  return {
    description: context.say('update-about'),
    parameters: WRITE_CONDITIONS,
    body: jsonContent(schema, exampleItems(context, collection, changed)),
    successes: [{ status: 200, text: 'response-item', headers: [...headers, 'X-Change'], content: item }],
    problems: [...OF_QUERY, ...OF_BODY, ...MISSING, 'key-mismatch', ...taken, ...CONDITIONAL, ...OF_STORE],
  };
};

/** Changes an item as PUT does, with one media type more, and tells its tag. */
const patch = (parts: Parts): Own => {
  const { body = [], ...same } = update(parts);
  return {
    ...same,
    description: parts.context.say('patch-about'),
    body: body.flatMap((content) => [content, { ...content, type: MERGE_PATCH_TYPE }]),
    successes: same.successes.map((each) => ({ ...each, headers: [...each.headers, 'ETag_item'] })),
  };
};

const remove = ({ context, collection }: Parts): Own => ({
  description: context.say('remove-about'),
  parameters: WRITE_CONDITIONS,
  successes: [{ status: 204, text: 'response-removed', headers: ['X-Change'] }],
  problems: [...OF_QUERY, ...MISSING, ...inUse(context, collection), ...CONDITIONAL, ...OF_STORE],
});

type Verb = readonly [method: Lowercase<Method>, at: 'list' | 'item' | View, own: (parts: Parts) => Own];

/** By the name of their summaries in a table. */
const VERBS = {
  list: ['get', 'list', list],
  select: ['get', 'selections', select],
  group: ['get', 'groups', group],
  export: ['get', 'exports', exportFile],
  follow: ['get', 'changes', follow],
  stream: ['get', 'events', stream],
  create: ['post', 'list', create],
  import: ['post', 'imports', importFile],
  read: ['get', 'item', read],
  update: ['put', 'item', update],
  patch: ['patch', 'item', patch],
  remove: ['delete', 'item', remove],
} as const satisfies Readonly<Record<string, Verb>>;

/** The operations of a collection, which `src/gateway/collections` implements. */
export const collectionOperations = (context: Context, collection: Collection): readonly Operation[] => {
  const { id, parent, nested } = collection;
  const { listPattern, itemPattern, viewPattern } = context.tree.paths(collection);
  const words = context.tree.language.documents.collection(collection);
  const parts = partsOf(context, collection);
  const [ofParents, ofItem] = [parent ? keyNames(parent) : [], keyNames(collection)];
  const places = ['list', ...(nested ? [] : ['item']), ...viewNames];
  const verbs = (Object.keys(VERBS) as (keyof typeof VERBS)[]).filter(
    (verb) => places.includes(VERBS[verb][1]) && !(nested && verb === 'create'),
  );
  return verbs.map((verb) => {
    const [method, at, own] = VERBS[verb];
    const { parameters, ...rest } = own(parts);
    const pattern = at === 'list' ? listPattern : at === 'item' ? itemPattern : viewPattern(at);
    return {
      id: `${id}${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`,
      method,
      path: pathTemplate(context, pattern),
      group: words.name,
      summary: words[verb],
      parameters: [...(at === 'item' ? ofItem : ofParents).map((each) => `${each}_key`), ...parameters],
      ...rest,
    };
  });
};
