import { fileFormats } from '../formats/formats.ts';
import type { Limits, Method } from '../http/context.ts';
import { LANG, type Tree } from '../http/urls.ts';
import { getValues, listExamples } from '../locale/language.ts';
import type { Access } from '../model/access.ts';
import { type Catalogue, type Collection, findCollection, identifies } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { JsonSchema } from '../model/kinds/kind.ts';
import { getKind } from '../model/kinds/kinds.ts';
import { DEFAULT_SIZE, DELETED, type Subresource, subresourceNames, subresources, TOTAL } from '../model/query.ts';
import { actions, nestedCounts, type ReportMember, reportCounts, reportMembers } from '../model/report.ts';
import { hasUnits, quantities } from '../model/units.ts';
import type { ListParameter } from '../read/query/parameter.ts';
import { findRefused, itemParameters, listParameters } from '../read/query/query.ts';
import { findOrderedFields } from '../read/query/suggestions.ts';
import { unitPairs } from '../read/units.ts';
import type { DocumentText, SharedSchema } from '../texts/phrase.ts';
import { LISTED, type ProblemCode } from '../texts/problem.ts';

export type Json = JsonSchema;
export type Schemas = Readonly<Record<string, Json>>;

export interface DocumentOptions extends Limits {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
  readonly defaultLanguage: string;
  readonly access: Access;
}

export interface Context extends DocumentOptions {
  readonly tree: Tree;
  /** Says a text in the tree's language, with the words of parameters, members, directions, the size of a page, and searched fields. */
  readonly format: (text: DocumentText, values?: Readonly<Record<string, string | number>>) => string;
}

function listSearchedFields({ language }: Tree, catalogue: Catalogue): string {
  const lists = catalogue.flatMap((list) => {
    const searched = list.fields.filter(({ searchable }) => searchable);
    const words = searched.map(({ name }) => `\`${language.fields(list).word(name)}\``).join(', ');
    return words === '' ? [] : [`${language.documents.collection(list).name}: ${words}`];
  });
  return lists.join('; ');
}

export function createContext(tree: Tree, options: DocumentOptions): Context {
  const { language } = tree;
  const words = {
    size: DEFAULT_SIZE,
    searched: listSearchedFields(tree, options.catalogue),
    ...language.parameters.dictionary,
    ...language.members.dictionary,
    ...language.directions.dictionary,
  };
  return { ...options, tree, format: (text, values) => language.documents.format(text, { ...words, ...values }) };
}

export const ref = (kind: 'schemas' | 'parameters' | 'headers' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

export const object = (properties: Schemas, optional: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

/** @returns the schema of an object, each member of which has the text of its name behind `prefix` unless it has a description */
export function describeObject({ format }: Context, prefix: string, members: Schemas, optional?: readonly string[]) {
  const described = Object.entries(members).map(([name, schema]) => {
    const text = `${prefix}-${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
    const isDescribed = 'description' in schema || '$ref' in schema;
    return [name, isDescribed ? schema : { ...schema, description: format(text as DocumentText) }];
  });
  return object(Object.fromEntries(described), optional);
}

export const TEXT: Json = { type: 'string' };
export const COUNT: Json = { type: 'integer', format: 'int64', minimum: 0 };

export const arraySchema = (items: Json): Json => ({ type: 'array', items });

type Header = { readonly text: DocumentText; readonly schema: Json; readonly optional?: true };

const matching = (pattern: string): Json => ({ type: 'string', pattern });
const SECONDS: Json = { type: 'integer', minimum: 0 };

/** By component: a suffix tells headers with one name apart. A tag may be absent, because a list of changes has none. */
const headers = {
  'Accept-Encoding': { text: 'header-accept-encoding', schema: TEXT, optional: true },
  'Accept-Post': { text: 'header-accept-post', schema: TEXT },
  'Accept-Patch': { text: 'header-accept-patch', schema: TEXT },
  Allow_problem: { text: 'header-allow', schema: TEXT, optional: true },
  'Content-Disposition': { text: 'header-content-disposition', schema: matching('^attachment; '), optional: true },
  'Content-Location': { text: 'header-content-location', schema: matching('^/') },
  ETag_item: { text: 'header-etag-item', schema: matching('^"[^"]+"$'), optional: true },
  ETag_list: { text: 'header-etag-list', schema: matching('^W/"[^"]+"$'), optional: true },
  ETag_document: { text: 'header-etag-document', schema: matching('^"[^"]+"$'), optional: true },
  'Idempotency-Replayed': { text: 'header-idempotency-replayed', schema: { const: 'true' }, optional: true },
  Link_item: { text: 'header-link-item', schema: matching('^<'), optional: true },
  Link_list: { text: 'header-link-list', schema: matching('^<'), optional: true },
  'Link-Template': { text: 'header-link-template', schema: matching('^"/'), optional: true },
  Link_index: { text: 'header-link-index', schema: matching('^<') },
  Location: { text: 'header-location', schema: matching('^/') },
  'Preference-Applied': { text: 'header-preference-applied', schema: TEXT, optional: true },
  'Retry-After_problem': { text: 'header-retry-after', schema: SECONDS, optional: true },
  'Retry-After': { text: 'header-retry-after', schema: SECONDS },
  'WWW-Authenticate': { text: 'header-www-authenticate', schema: matching('^Bearer '), optional: true },
  'X-Accel-Buffering': { text: 'header-buffering', schema: { const: 'no' } },
  'X-Change': { text: 'header-change', schema: TEXT },
  'X-Change_import': { text: 'header-change', schema: TEXT, optional: true },
  'X-Hint': { text: 'header-hint', schema: TEXT, optional: true },
  'X-Hint_write': { text: 'header-hint-write', schema: TEXT, optional: true },
  'X-Total-Count': { text: 'header-total', schema: COUNT, optional: true },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;

export function describeHeaders({ format, catalogue }: Context): Json {
  const hasTemplates = catalogue.some(({ flattens }) => flattens);
  const used = Object.entries<Header>(headers).filter(([name]) => name !== 'Link-Template' || hasTemplates);
  const describe = ({ text, schema, optional }: Header) => ({ description: format(text), required: !optional, schema });
  return Object.fromEntries(used.map(([name, header]) => [name, describe(header)]));
}

export const refHeaders = (names: readonly HeaderName[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name.replace(/_.*/, ''), ref('headers', name)])) };

type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;

export const jsonContent = (schema: Json, examples?: Examples): Schemas => ({
  'application/json': { schema, ...(examples && { examples }) },
});

export const success = (
  { format }: Context,
  status: number,
  text: DocumentText,
  headers: readonly HeaderName[],
  content?: Schemas,
): Json => ({
  [status]: { description: format(text), ...refHeaders(headers), ...(content ? { content } : {}) },
});

export const notModified = (context: Context, ...headers: readonly HeaderName[]): Json =>
  success(context, 304, 'response-known', headers);

export const CONDITIONS = ['If-Match', 'If-None-Match_read'];

export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly method: Lowercase<Method>;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  /** Names of components: of the path, then of the query and of headers. */
  readonly parameters: readonly string[];
  readonly body?: Schemas;
  readonly successes: Json;
  readonly problems: readonly ProblemCode[];
}

export const QUERY_PROBLEMS: readonly ProblemCode[] = ['unknown-parameter', 'invalid-parameter', 'invalid-query'];
export const STORE_PROBLEMS: readonly ProblemCode[] = ['internal', 'unavailable'];

/** The purposes of a body: a whole item, a new one, changes to one, some of its fields, a group, or what has changed. The locale table names each schema. */
const NAMES = {
  item: 'schema',
  new: 'schema-new',
  changes: 'schema-changes',
  selection: 'schema-selection',
  group: 'schema-group',
  changed: 'schema-changed',
} as const;
export type Purpose = keyof typeof NAMES;

export const nameSchema = ({ tree }: Context, collection: Collection, purpose: Purpose): string =>
  tree.language.documents.collection(collection)[NAMES[purpose]];

/** Purposes of bodies that identify an item, and that have what `include` adds: nested items, and an item in place of its key. */
const IDENTIFIED: readonly Purpose[] = ['item', 'selection', 'changed'];

const isRequired = (field: Field, purpose: Purpose): boolean =>
  (identifies(field) && IDENTIFIED.includes(purpose)) || (field.required && (purpose === 'item' || purpose === 'new'));

/** `null` clears an optional member, and asks the service to assign a key; responses never contain it. */
const mayBeNull = ({ isKey, required }: Field, purpose: Purpose): boolean =>
  !required && (purpose === 'new' || (purpose === 'changes' && !isKey));

function describeMember(context: Context, collection: Collection, field: Field, purpose: Purpose): Json {
  const { language } = context.tree;
  const { refersTo, unique, default: fallback } = field;
  const { examples: usual = [], ...plain } = getKind(field).jsonSchema(field, language.valueWords(collection, field));
  const examples = [...new Set([...(usual as readonly unknown[]), ...listExamples(language, collection, field)])];
  const about = language.documents.field(collection, field.name)?.about;
  const description = [about, field.compact && context.format('member-compact')].filter(Boolean).join(' ');
  const values = Array.isArray(plain.enum) ? { enum: [...plain.enum, null] } : {};
  const schema = mayBeNull(field, purpose) ? { ...plain, type: [plain.type, 'null'], ...values } : plain;
  const isIncluded = refersTo !== undefined && IDENTIFIED.includes(purpose);
  const item = isIncluded && ref('schemas', nameSchema(context, language.collection(refersTo), 'item'));
  return {
    ...(item ? { anyOf: [schema, { ...item, description: context.format('member-nested') }] } : schema),
    ...(description === '' ? {} : { description }),
    ...(unique ? { 'x-unique': true } : {}),
    ...(refersTo ? { 'x-refers-to': language.paths(undefined).word(refersTo) } : {}),
    ...(examples.length > 0 ? { examples } : {}),
    ...(purpose === 'new' && fallback !== undefined
      ? { default: JSON.parse(getValues(language, collection, field).toJson(fallback)) }
      : {}),
  };
}

function describeBody(context: Context, collection: Collection, purpose: Purpose): Json {
  const { language } = context.tree;
  const { paths, members } = language;
  const { word } = language.fields(collection);
  const isGroup = purpose === 'group';
  const fields = isGroup ? findOrderedFields(language, collection).fields : collection.fields;
  const nested = IDENTIFIED.includes(purpose) ? collection.children : [];
  const required = fields.filter((field) => isRequired(field, purpose)).map(({ name }) => word(name));
  const ownMembers = fields.map((field) => [word(field.name), describeMember(context, collection, field, purpose)]);
  const lists = nested.map((child) => {
    const items = arraySchema(ref('schemas', nameSchema(context, child, 'item')));
    return [paths(collection).word(child.name), { ...items, description: context.format('member-nested') }];
  });
  const properties: Json = {
    ...Object.fromEntries([...ownMembers, ...lists]),
    ...(isGroup && { [members.word(TOTAL)]: { ...COUNT, description: context.format('member-total') } }),
    ...(purpose === 'changed' && {
      [members.word(DELETED)]: { type: 'boolean', const: true, description: context.format('member-deleted') },
    }),
  };
  if (isGroup) required.push(members.word(TOTAL));
  return {
    type: 'object',
    'x-collection': collection.name,
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

export function describeItems(context: Context): Json {
  const schemas = context.catalogue.flatMap((list) => {
    const purposes = Object.keys(NAMES) as Purpose[];
    // An item is created and changed where it lies.
    const served = purposes.filter((purpose) => !list.flattens || (purpose !== 'new' && purpose !== 'changes'));
    return served.map((purpose) => [nameSchema(context, list, purpose), describeBody(context, list, purpose)]);
  });
  return Object.fromEntries(schemas);
}

/** @returns the items that the catalogue's examples make up, in the tree's words, by key; of some fields or of all */
export function createExamples({ tree }: Context, collection: Collection, fields = collection.fields): Examples {
  const { word } = tree.language.fields(collection);
  const items = collection.key.examples.map((name, at) => {
    const exemplified = fields.filter(({ examples }) => examples[at] !== undefined);
    const members = exemplified.map((field) => ({ field, value: listExamples(tree.language, collection, field)[at] }));
    const texts = members.filter(({ field }) => field.required && !field.isKey).map(({ value }) => value);
    const value = Object.fromEntries(members.map(({ field, value }) => [word(field.name), value]));
    return [String(name), { summary: texts.join(' ') || String(name), value }];
  });
  return Object.fromEntries(items);
}

/** Members that a report, or a part of one, always has. */
const REQUIRED: readonly ReportMember[] = [...reportCounts, 'count', 'row', 'code', 'key', 'usedRow', 'rows', 'action'];

export function describeReports(context: Context) {
  const { report, actions: actionWords } = context.tree.language;
  const inWords = (members: Readonly<Partial<Record<ReportMember, Json>>>, required = REQUIRED): Json => {
    const described = Object.entries(members).map(([name, schema]) => {
      const description = context.format(`report-${name as ReportMember}`);
      return [report.word(name), { description, ...schema }] as const;
    });
    const optional = reportMembers.filter((name) => !required.includes(name));
    return { 'x-collection': 'report', ...object(Object.fromEntries(described), optional.map(report.word)) };
  };
  const list = (name: SharedSchema, bounds: Json): Json => ({ ...arraySchema(ref('schemas', name)), ...bounds });
  const [some, limited] = [{ minItems: 1 }, { minItems: 1, maxItems: LISTED }];
  const code = ref('schemas', 'ProblemCode');
  const items = context.catalogue.map((collection) => nameSchema(context, collection, 'item'));
  const column: Json = { ...TEXT, 'x-names': items };
  // The item before or after an update has only the members that differ.
  const item: Json = { type: 'object', anyOf: [...items.map((name) => ref('schemas', name)), { type: 'object' }] };
  const states = { before: item, after: item };
  const count: Json = { type: 'integer', format: 'int32', minimum: 0 };
  const number: Json = { ...count, minimum: 1 };
  const counts = (names: readonly ReportMember[]) => Object.fromEntries(names.map((name) => [name, count]));
  const nested = { description: context.format('report-nested'), ...inWords(counts(nestedCounts)) };
  const children = context.catalogue.filter(({ parent }) => parent);
  const nestedLists = children.map(({ name, parent }) => [context.tree.language.paths(parent).word(name), nested]);
  const action = { type: 'string', enum: actions.map(actionWords.word) };
  const suggestion = { ...TEXT, 'x-names': 'request' };
  return {
    ImportReport: inWords({
      dryRun: { type: 'boolean', const: true },
      ...counts(reportCounts),
      nested: { ...object(Object.fromEntries(nestedLists)), required: [] },
      repeated: list('ImportRepetition', limited),
      warnings: list('ImportWarning', some),
      detail: TEXT,
      reasons: list('ImportReason', some),
      errors: list('ImportError', limited),
      changes: list('ImportChange', {}),
    }),
    ImportRepetition: inWords({ row: number, key: TEXT, usedRow: number }),
    ImportWarning: inWords({ column, detail: TEXT, rows: list('ImportWarningCell', limited) }),
    ImportWarningCell: inWords({ row: number, value: TEXT }, ['row', 'value']),
    ImportReason: inWords({ count: number, column, code, detail: TEXT, row: number, value: TEXT }),
    ImportError: inWords({ row: number, column, value: TEXT, code, suggestion, detail: TEXT, ...states }),
    ImportChange: inWords({ row: number, key: TEXT, action, ...states }, ['key', 'action']),
  } satisfies Partial<Record<SharedSchema, Json>>;
}

const nameComponent = ({ routeId }: Collection, parameter: string): string => `${routeId}_${parameter}`;

/** @returns the subresource of a list, such as its exports, whose operation must have a parameter */
const findSubresource = (parameter: string): Subresource | undefined =>
  subresourceNames.find((view) => subresources[view] === parameter);
/** Parameters that one subresource must have, and other operations may. */
const ALSO_IN: Readonly<Record<string, readonly (Subresource | undefined)[]>> = {
  fields: ['exports', 'events'],
  changed_since: ['events'],
};

/** @returns whether a subresource refuses a parameter: its path decides the same as the parameter that it must have */
function isRefused(view: Subresource | undefined, parameter: ListParameter): boolean {
  if (view !== 'groups' && view !== 'changes' && view !== 'events') return false;
  const decides = view === 'groups' ? 'groups' : 'changes';
  return findRefused(decides, [parameter]).length > 0 || findRefused(parameter.decides, [{ decides }]).length > 0;
}

/** @returns the components of the query parameters of a read of a list; the one that is required is first */
export const nameParameters = ({ tree }: Context, collection: Collection, view?: Subresource): readonly string[] => [
  ...(view && subresources[view] ? [nameComponent(collection, view)] : []),
  ...listParameters(tree.language, collection)
    .filter(({ name }) => !findSubresource(name) || ALSO_IN[name]?.includes(view))
    .filter((parameter) => !isRefused(view, parameter))
    .map(({ name }) => nameComponent(collection, name)),
];

export const nameItemParameters = ({ tree }: Context, collection: Collection): readonly string[] =>
  itemParameters(tree.language, collection)
    .filter(({ name }) => !findSubresource(name))
    .map(({ name }) => nameComponent(collection, name));

/** @returns the name of the path parameter of a collection's key: the key's word, unless a parent's key has the same */
function nameKey(context: Context, collection: Collection): string {
  const { language } = context.tree;
  const { name, key, parent } = collection;
  const word = language.fields(collection).word(key.name);
  const isTaken = parent !== undefined && nameKey(context, parent) === word;
  return isTaken ? `${language.paths(parent).word(name)}_${word}` : word;
}

/** Converts a route's pattern to a path template of OpenAPI: `/api/coches/:cars` to `/api/coches/{identificador}`. */
export function writePath(context: Context, pattern: string): string {
  const writeKey = (_: string, name: string) => `{${nameKey(context, findCollection(context.catalogue, name))}}`;
  return pattern.replace(/:(\w+)/g, writeKey);
}

function inPath(name: string, description: string, schema: Json): Json {
  return { name, in: 'path', required: true, description, schema };
}

function describeKey(context: Context, collection: Collection): Json {
  const { language } = context.tree;
  const { key, name } = collection;
  const [example] = key.examples;
  const description = context.format('parameter-key', { of: language.documents.nouns(collection).of });
  const schema = getKind(key).jsonSchema(key, language.valueWords(collection, key));
  return {
    ...inPath(nameKey(context, collection), description, schema),
    'x-collection': name,
    ...(example === undefined ? {} : { example }),
  };
}

/** The style of a parameter whose values are separated by commas; a filter is repeated instead. */
const SEVERAL: Json = { style: 'form', explode: false };

function createParameters(context: Context, collection: Collection): readonly (readonly [string, Json])[] {
  const { language } = context.tree;
  const item = nameSchema(context, collection, 'item');
  const inQuery = listParameters(language, collection).flatMap(({ name, word, kind, field = '', text, schema }) => {
    const known = kind === 'filter' ? language.listEquivalents(collection, name) : '';
    const equivalents = known === '' ? '' : ` ${context.format('filter-equivalents', { known })}`;
    const parameter = {
      name: word,
      in: 'query',
      description: context.format(text, { field }) + equivalents,
      // Programs that translate requests need to know which names a parameter is or holds.
      ...(kind === 'filter' || kind === 'range' ? { 'x-collection': collection.name } : {}),
      ...(kind === 'field' || kind === 'collection' ? { 'x-names': item } : {}),
      ...('anyOf' in schema ? SEVERAL : {}),
      schema,
    };
    const narrow = name === 'format' ? { schema: { ...schema, enum: fileFormats } } : {};
    const view = findSubresource(name);
    return [
      ...(!view || name in ALSO_IN ? [[name, parameter] as const] : []),
      ...(view ? [[view, { ...parameter, ...narrow, required: true }] as const] : []),
    ];
  });
  const key = collection.flattens ? [] : [['key', describeKey(context, collection)] as const];
  return [...key, ...inQuery].map(([name, parameter]) => [nameComponent(collection, name), parameter]);
}

function header(name: string, description: string, schema = TEXT): Json {
  return { name, in: 'header', description, schema };
}

function preference(description: string, example: string): Json {
  return header('Prefer', description, { ...TEXT, examples: [example] });
}

export function describeParameters(context: Context): Json {
  const { catalogue, format, tree, trees, defaultLanguage, deletionShare } = context;
  const tag = { type: 'string', enum: trees.map(({ language }) => language.tag) };
  const units = catalogue.some(hasUnits) ? format('parameter-units') : '';
  const pairs = catalogue.flatMap((list) => quantities(list).map((field) => unitPairs(tree.language, list, field)));
  return {
    ...Object.fromEntries(catalogue.flatMap((collection) => createParameters(context, collection))),
    'If-Match': header('If-Match', format('parameter-if-match')),
    'If-None-Match_read': header('If-None-Match', format('parameter-if-none-match')),
    'If-None-Match_write': header('If-None-Match', format('parameter-unless-match')),
    'Idempotency-Key': header('Idempotency-Key', format('parameter-idempotency-key')),
    Prefer: preference(format('parameter-prefer', { share: deletionShare }), 'handling=check'),
    Prefer_wait: preference(`${format('parameter-wait')} ${units}`.trim(), 'wait=25'),
    ...(units && { Prefer_units: preference(units, `units="${pairs[0]?.[0]}"`) }),
    'Last-Event-ID': header('Last-Event-ID', format('parameter-last-event')),
    'Accept-Language': header('Accept-Language', format('parameter-accept-language', { fallback: defaultLanguage })),
    code: inPath('code', format('parameter-code'), ref('schemas', 'ProblemCode')),
    lang: { name: LANG, in: 'query', description: format('parameter-lang'), schema: tag },
    language: inPath('language', format('parameter-language'), tag),
  };
}
