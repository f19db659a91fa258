import { itemRepresentations, listRepresentations } from '../formats/formats.ts';
import type { Method } from '../http/context.ts';
import { keyNames } from '../http/urls.ts';
import { type Collection, eventPrefix, findReferences } from '../model/catalogue.ts';
import { createValueChecker } from '../model/kinds/kinds.ts';
import type { Subresource } from '../model/query.ts';
import { hasUnits } from '../model/units.ts';
import type { Row } from '../port/port.ts';
import { POST_TYPES } from '../read/body/body.ts';
import { byteSize, type DocumentText } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { writeWhole } from '../write/list.ts';
import {
  arraySchema,
  CONDITIONS,
  type Context,
  createExamples,
  type HeaderName,
  type Json,
  jsonContent,
  nameItemParameters,
  nameParameters,
  nameSchema,
  notModified,
  type Operation,
  type Purpose,
  QUERY_PROBLEMS,
  ref,
  type Schemas,
  STORE_PROBLEMS,
  success,
  TEXT,
  writePath,
} from './components.ts';

const WRITE_CONDITIONS = ['If-Match', 'If-None-Match_write'];
/** Problems of the condition of a write; one that cannot be evaluated is ignored in a read only. */
const CONDITION_PROBLEMS: readonly ProblemCode[] = ['invalid-header', 'precondition-failed'];
const CONTENT: readonly ProblemCode[] = ['malformed-json', 'unknown-field', 'body-too-large', 'unsupported-media-type'];
const BODY_PROBLEMS: readonly ProblemCode[] = [...CONTENT, 'invalid-value', 'invalid-body'];
const ROW_PROBLEMS = ['missing-field', 'invalid-body', 'idempotency-mismatch', 'rejected-rows'] as const;
const FILE_PROBLEMS: readonly ProblemCode[] = ['invalid-header', ...CONTENT, 'malformed-file', ...ROW_PROBLEMS];

type Description = Pick<Operation, 'description' | 'parameters' | 'body' | 'successes' | 'problems'>;

type Parts = ReturnType<typeof collectParts>;
const BYTES: Json = { type: 'string', format: 'binary' };

function collectParts(context: Context, collection: Collection) {
  const files = itemRepresentations(context.tree.language, collection).filter(({ format }) => format.isFile);
  const content = files.map(({ type, pack }) => [type, { schema: pack ? BYTES : TEXT }]);
  const schema = ref('schemas', nameSchema(context, collection, 'item'));
  const item: Schemas = { ...jsonContent(schema), ...Object.fromEntries(content) };
  const applied: readonly HeaderName[] = hasUnits(collection) ? ['Preference-Applied'] : [];
  const disposition: readonly HeaderName[] = files.length > 0 ? ['Content-Disposition'] : [];
  const headers: readonly HeaderName[] = ['Link_item', ...disposition, ...applied];
  const missingParent: readonly ProblemCode[] = collection.parent ? ['not-found'] : [];
  const inUse: readonly ProblemCode[] = findReferences(context.catalogue, collection).length > 0 ? ['in-use'] : [];
  const hints: readonly HeaderName[] = collection.fields.some(({ usualMax }) => usualMax) ? ['X-Hint_write'] : [];
  return { context, collection, item, applied, headers, hints, missingParent, inUse };
}

/** @returns the content of each format of files; the items that the catalogue makes up show how a file looks */
function fileContent(context: Context, collection: Collection): Schemas {
  const { language } = context.tree;
  const { name } = language.documents.collection(collection);
  const item = ref('schemas', nameSchema(context, collection, 'selection'));
  const { key, fields } = collection;
  const rows = key.examples.map(
    (_, at): Row => [0, ...fields.map((field) => createValueChecker(field)(field.examples[at]).cell ?? null)],
  );
  const files = listRepresentations(language, collection).filter(({ format }) => format.isFile);
  files.sort((one, other) => one.format.name.localeCompare(other.format.name));
  return Object.fromEntries(
    files.map(({ type, list, pack }) => {
      if (pack) return [type, { schema: BYTES }];
      return [type, { schema: TEXT, 'x-item-schema': item, examples: { [name]: { value: writeWhole(list, rows) } } }];
    }),
  );
}

/** The reads of a list: their texts, and the purpose of the items in the array; only a file has none. */
const LIST_READS = {
  list: ['list-about', 'response-list', 'item'],
  selections: ['selections-about', 'response-selections', 'selection'],
  groups: ['groups-about', 'response-groups', 'group'],
  exports: ['files-about', 'response-file', undefined],
  changes: ['changes-about', 'response-changes', 'changed'],
} as const satisfies Readonly<Record<string, readonly [DocumentText, DocumentText, Purpose | undefined]>>;

function readList({ context, collection, applied, missingParent }: Parts, at: keyof typeof LIST_READS): Description {
  const [about, text, purpose] = LIST_READS[at];
  const isOfChanges = at === 'changes';
  const headers: HeaderName[] = ['Link_list', 'ETag_list', 'X-Total-Count', 'X-Change', 'X-Hint'];
  if (collection.flattens && at !== 'groups') headers.push('Link-Template');
  if (at === 'exports') headers.push('Content-Disposition');
  headers.push(...(isOfChanges ? (['Preference-Applied'] as const) : applied));
  const content = purpose
    ? jsonContent(arraySchema(ref('schemas', nameSchema(context, collection, purpose))))
    : fileContent(context, collection);
  const parameters = [...nameParameters(context, collection, at === 'list' ? undefined : at), ...CONDITIONS];
  const successes = success(context, 200, text, headers, content);
  return {
    description: context.format(about),
    parameters: isOfChanges ? [...parameters, 'Prefer_wait'] : parameters,
    // A list of changes has no tag.
    successes: isOfChanges ? successes : { ...successes, ...notModified(context, 'ETag_list') },
    problems: [...missingParent, ...(isOfChanges ? (['gone'] as const) : []), 'precondition-failed'],
  };
}

function stream({ context, collection, applied, missingParent }: Parts): Description {
  const prefix = eventPrefix(collection);
  const item = ref('schemas', nameSchema(context, collection, 'changed'));
  return {
    description: context.format('events-about', { prefix }),
    parameters: [...nameParameters(context, collection, 'events'), 'Last-Event-ID'],
    successes: success(context, 200, 'response-events', ['X-Change', 'X-Accel-Buffering', ...applied], {
      'text/event-stream': { schema: TEXT, 'x-item-schema': item },
    }),
    problems: missingParent,
  };
}

function create({ context, collection, item, headers, hints, missingParent }: Parts): Description {
  const { key, fields } = collection;
  const keyWord = context.tree.language.fields(collection).word(key.name);
  const assigned = key.assigned ? ` ${context.format('create-assigned', { key: keyWord })}` : '';
  const schema = ref('schemas', nameSchema(context, collection, 'new'));
  const missing = fields.some(({ required }) => required) ? (['missing-field'] as const) : [];
  const conflicts = ['already-exists', 'idempotency-mismatch'] as const;
  const own = ['ETag_item', 'Location', 'Content-Location', 'X-Change', 'Idempotency-Replayed'] as const;
  return {
    description: context.format('create-about') + assigned,
    parameters: ['Idempotency-Key'],
    body: jsonContent(schema, createExamples(context, collection)),
    successes: success(context, 201, 'response-created', [...headers, ...own, ...hints], item),
    problems: ['invalid-header', ...BODY_PROBLEMS, ...missing, ...missingParent, ...conflicts],
  };
}

/** Imports what a list is exported to. The body is bytes, so that clients send a file as it is. */
function importFile({ context, collection, missingParent, inUse }: Parts): Description {
  const sizes = { file: byteSize(context.importLimit), body: byteSize(context.bodyLimit) };
  const files = Object.entries(fileContent(context, collection)).filter(([type]) => POST_TYPES.includes(type));
  const headers = ['Preference-Applied', 'Idempotency-Replayed', 'X-Change_import'] as const;
  return {
    description: context.format('import-about', sizes),
    parameters: ['Idempotency-Key', 'Prefer'],
    body: Object.fromEntries(files.map(([type, content]) => [type, { ...content, schema: BYTES }])),
    successes: success(context, 200, 'response-imported', headers, jsonContent(ref('schemas', 'ImportReport'))),
    problems: [...FILE_PROBLEMS, ...missingParent, ...inUse],
  };
}

const read = ({ context, collection, item, headers }: Parts): Description => ({
  description: context.format('read-about'),
  parameters: [...nameItemParameters(context, collection), ...CONDITIONS],
  successes: {
    ...success(context, 200, 'response-item', [...headers, 'ETag_item'], item),
    ...notModified(context, 'ETag_item'),
  },
  problems: ['not-found', 'precondition-failed'],
});

function update({ context, collection, item, headers, hints }: Parts): Description {
  // An example that is sent as it is should not replace a whole item.
  const fields = collection.fields.filter(({ isKey, examples }) => !isKey && examples.length > 0);
  const changedField = fields.find(({ required }) => !required) ?? fields[0];
  const schema = ref('schemas', nameSchema(context, collection, 'changes'));
  const conflictCodes = collection.fields.some(({ unique }) => unique) ? (['already-exists'] as const) : [];
  return {
    description: context.format('update-about'),
    parameters: WRITE_CONDITIONS,
    body: jsonContent(schema, createExamples(context, collection, changedField ? [changedField] : [])),
    successes: success(context, 200, 'response-item', [...headers, 'X-Change', ...hints], item),
    problems: [...BODY_PROBLEMS, 'not-found', 'key-mismatch', ...conflictCodes, ...CONDITION_PROBLEMS],
  };
}

function patch(parts: Parts): Description {
  const { context, item, headers, hints } = parts;
  const same = update(parts);
  return {
    ...same,
    description: context.format('patch-about'),
    body: { ...same.body, 'application/merge-patch+json': same.body?.['application/json'] ?? {} },
    successes: success(context, 200, 'response-item', [...headers, 'X-Change', 'ETag_item', ...hints], item),
  };
}

const remove = ({ context, inUse }: Parts): Description => ({
  description: context.format('remove-about'),
  parameters: WRITE_CONDITIONS,
  successes: success(context, 204, 'response-removed', ['X-Change']),
  problems: ['not-found', ...inUse, ...CONDITION_PROBLEMS],
});

type Verb = readonly [
  method: Lowercase<Method>,
  at: 'list' | 'item' | Subresource,
  describe: (parts: Parts) => Description,
];

const VERBS = {
  list: ['get', 'list', (parts) => readList(parts, 'list')],
  select: ['get', 'selections', (parts) => readList(parts, 'selections')],
  group: ['get', 'groups', (parts) => readList(parts, 'groups')],
  export: ['get', 'exports', (parts) => readList(parts, 'exports')],
  follow: ['get', 'changes', (parts) => readList(parts, 'changes')],
  stream: ['get', 'events', stream],
  create: ['post', 'list', create],
  import: ['post', 'imports', importFile],
  read: ['get', 'item', read],
  update: ['put', 'item', update],
  patch: ['patch', 'item', patch],
  remove: ['delete', 'item', remove],
} as const satisfies Readonly<Record<string, Verb>>;

export function collectionOperations(context: Context, collection: Collection): readonly Operation[] {
  const { routeId, parent, flattens } = collection;
  const { listPattern, itemPattern, subresourcePattern } = context.tree.paths(collection);
  const words = context.tree.language.documents.collection(collection);
  const parts = collectParts(context, collection);
  const verbs = Object.keys(VERBS) as (keyof typeof VERBS)[];
  const supported = verbs.filter((verb) => !flattens || (VERBS[verb][1] !== 'item' && verb !== 'create'));
  return supported.map((verb) => {
    const [method, at, describe] = VERBS[verb];
    const { parameters, problems, ...rest } = describe(parts);
    const pattern = at === 'list' ? listPattern : at === 'item' ? itemPattern : subresourcePattern(at);
    const takesUnits = hasUnits(collection) && verb !== 'remove';
    const hasPrefer = parameters.some((name) => name.startsWith('Prefer'));
    const keys = at === 'item' ? keyNames(collection) : parent ? keyNames(parent) : [];
    return {
      id: `${routeId}${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`,
      method,
      path: writePath(context, pattern),
      group: words.name,
      summary: words[verb],
      parameters: [
        ...keys.map((name) => `${name}_key`),
        ...parameters,
        ...(takesUnits && !hasPrefer ? ['Prefer_units'] : []),
      ],
      problems: [
        ...QUERY_PROBLEMS,
        ...(takesUnits && !problems.includes('invalid-header') ? (['invalid-header'] as const) : []),
        ...problems,
        ...STORE_PROBLEMS,
      ],
      ...rest,
    };
  });
}
