/** A whole document: what it says of problems, of the service, and of the routes in `src/gateway/site`, whose members are the same in every language. */
import manifest from '../../../package.json' with { type: 'json' };
import type { Method } from '../http/context.ts';
import { isPublic, isSafe, TARGET_LIMIT } from '../http/exchange.ts';
import { LANG, openapiUrl, problemPath, type Tree, URLS } from '../http/urls.ts';
import { isAccepted } from '../locale/history.ts';
import { requiredScope } from '../model/access.ts';
import { delimiters } from '../model/csv.ts';
import { kindNames } from '../model/kinds/kinds.ts';
import { subresourceNames } from '../model/query.ts';
import { byteSize, type DocumentText, type SharedSchema } from '../texts/phrase.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import {
  arraySchema,
  CONDITIONS,
  COUNT,
  type Context,
  createContext,
  type DocumentOptions,
  describeHeaders,
  describeItems,
  describeObject,
  describeParameters,
  describeReports,
  type HeaderName,
  type Json,
  jsonContent,
  notModified,
  type Operation,
  object,
  QUERY_PROBLEMS,
  ref,
  refHeaders,
  type Schemas,
  STORE_PROBLEMS,
  success,
  TEXT,
} from './components.ts';
import { collectionOperations } from './operations.ts';

const REFUSALS = ['unauthorized', 'forbidden', 'not-acceptable', 'uri-too-long', 'expectation-failed'] as const;
/** Problems that any request may have, described by one shared response. */
const ANYWHERE: readonly ProblemCode[] = [...REFUSALS, 'rate-limited', 'outcome-unknown'];

function listHeaders(method: Lowercase<Method>, status: number): readonly HeaderName[] {
  if (status === 415 && method === 'patch') return ['Accept-Encoding', 'Accept-Patch'];
  if (status === 415 && method === 'post') return ['Accept-Encoding', 'Accept-Post'];
  if (status === 415) return ['Accept-Encoding'];
  if (status === 410) return ['Link_list'];
  return status === 503 ? ['Retry-After'] : [];
}

function problemResponse({ tree }: Context, codes: readonly ProblemCode[], headers: readonly HeaderName[]): Json {
  const explained = codes.map((code) => ({ code, explanation: tree.language.problem(code).explanation }));
  const [first, ...more] = explained;
  const list = explained.map(({ code, explanation }) => `- \`${code}\`: ${explanation}`).join('\n');
  return {
    description: first && more.length === 0 ? first.explanation : list,
    ...refHeaders(headers),
    content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
    'x-codes': codes,
  };
}

function problemResponses(context: Context, method: Lowercase<Method>, codes: readonly ProblemCode[]): Json {
  const own = codes.filter((code) => !ANYWHERE.includes(code));
  const responses = [...Map.groupBy(own, (code) => problems[code])].map(
    ([status, all]) => [status, problemResponse(context, all, listHeaders(method, status))] as const,
  );
  return { ...Object.fromEntries(responses), default: ref('responses', 'Problem') };
}

function problemComponents(context: Context): Json {
  const headers: readonly HeaderName[] = ['Allow_problem', 'Retry-After_problem', 'WWW-Authenticate'];
  const other = problemResponse(context, [...ANYWHERE, 'method-not-allowed'], headers);
  return { Problem: { ...other, description: `${context.format('response-problem')}\n\n${other.description}` } };
}

function problemSchemas(context: Context) {
  const { format } = context;
  const code = ref('schemas', 'ProblemCode');
  const suggestion = { ...TEXT, 'x-names': 'request' };
  const status = { type: 'integer', format: 'int32' };
  const errors = { type: 'array', minItems: 1, maxItems: 100, items: ref('schemas', 'ProblemError') };
  const report = { description: format('member-report'), ...ref('schemas', 'ImportReport') };
  const detail = { ...TEXT, description: format('member-error-detail') };
  const describe = (members: Schemas, optional: readonly string[]): Json =>
    describeObject(context, 'member', members, optional);
  return {
    Problem: describe(
      {
        ...texts('type', 'title'),
        status,
        code,
        detail: TEXT,
        suggestion,
        ...texts('remedy', 'requestId'),
        errors,
        report,
      },
      ['suggestion', 'remedy', 'errors', 'report'],
    ),
    ProblemError: describe(
      { ...texts('pointer', 'parameter', 'header'), code, ...texts('name', 'value'), detail, suggestion, remedy: TEXT },
      ['pointer', 'parameter', 'header', 'name', 'value', 'suggestion', 'remedy'],
    ),
    ProblemCode: { type: 'string', enum: Object.keys(problems), description: format('member-code') },
  } satisfies Partial<Record<SharedSchema, Json>>;
}

function describeDocument({ format, tree: { language }, trees, catalogue, bodyLimit }: Context): Json {
  const [top] = catalogue;
  const former = language.deprecatedWords.filter(isAccepted);
  const replacements = former.map(({ word, now, until }) => `\`${word}\` → \`${now}\` (${until})`);
  const sizes = { target: byteSize(TARGET_LIMIT), body: byteSize(bodyLimit) };
  const values = { problems: language.base + problemPath('<code>'), ...sizes };
  const lists = top ? trees.map(({ paths, language: { tag } }) => `\`${paths(top).list([])}\` (${tag})`) : [];
  return {
    title: language.pages.say('title'),
    version: manifest.version,
    description: [
      `${language.pages.say('about')} ${format('about', { trees: lists.join(', '), ...values })}`,
      format('headers-about'),
      format('methods-about'),
      ...(former.length > 0 ? [format('former-about', { list: replacements.join(', ') })] : []),
    ].join('\n\n'),
    license: { name: manifest.license, identifier: manifest.license },
  };
}

const listTags = ({ tree: { language }, format, catalogue }: Context): readonly Json[] => [
  ...catalogue.map(language.documents.collection).map(({ name, about }) => ({ name, description: about })),
  { name: format('service-name'), description: format('service-about') },
];

function securityComponents({ access, format }: Context): Json {
  if (access === 'open') return {};
  const bearer = { type: 'http', scheme: 'bearer', description: format('security-bearer') };
  const apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: format('security-key') };
  return { securitySchemes: { bearer, apiKey } };
}

function operationObject(context: Context, operation: Operation): Json {
  const { id, method, path, group, summary, description, parameters, body, successes, problems } = operation;
  const scope = requiredScope(context.access, !isSafe(method.toUpperCase()), isPublic(path));
  const ofPath: readonly ProblemCode[] = path.includes('{') ? ['malformed-path'] : [];
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    // In each operation and not once for the path: Swagger UI forgets the parameters of a path when another operation is opened first.
    parameters: parameters.map((name) => ref('parameters', name)),
    ...(scope === undefined ? {} : { security: [{ bearer: [scope] }, { apiKey: [scope] }] }),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: { ...successes, ...problemResponses(context, method, ['bad-request', ...ofPath, ...problems]) },
  };
}

type Begins<Text> = Text extends `${infer Beginning}-summary` ? Beginning : never;

/** A GET whose language `Accept-Language` decides; `text` begins the names of its summary and of its description. */
type Read = readonly [id: string, text: Begins<DocumentText>, path: string, response: DocumentText, schema: Json];

const PAGES = ['indexRead', 'problemsList', 'problemsRead'];
/** Reads that are not the same until the next start. */
const VARYING = ['livenessRead', 'readinessRead'];
const PROBLEMS: Readonly<Record<string, readonly ProblemCode[]>> = {
  indexRead: STORE_PROBLEMS,
  dictionariesRead: ['not-found'],
  problemsRead: ['not-found'],
  readinessRead: STORE_PROBLEMS,
  documentsRead: ['no-such-path'],
};

function listReads({ tree: { language } }: Context): readonly Read[] {
  const explained = ref('schemas', 'ProblemExplanation');
  const [links, dictionary] = [arraySchema(ref('schemas', 'DictionaryLink')), ref('schemas', 'Dictionary')];
  const health = ['response-healthy', ref('schemas', 'Health')] as const;
  const document = ['response-document', ref('schemas', 'OpenApiDocument')] as const;
  const probes: readonly Read[] = [
    ['livenessRead', 'live', URLS.live, ...health],
    ['readinessRead', 'ready', URLS.ready, ...health],
  ];
  return [
    ['indexRead', 'index', URLS.index, 'response-index', ref('schemas', 'ServiceIndex')],
    ['dictionariesList', 'dictionaries', URLS.dictionaries, 'response-dictionaries', links],
    ['dictionariesRead', 'dictionary', `${URLS.dictionaries}/{language}`, 'response-dictionary', dictionary],
    ['problemsList', 'problems', URLS.problems, 'response-explanations', arraySchema(explained)],
    ['problemsRead', 'problem', problemPath('{code}'), 'response-explanation', explained],
    ...(language.isMounted ? [] : probes),
    ['documentsRead', 'document', openapiUrl('{language}'), ...document],
    ['documentsChoose', 'documents', URLS.openapi, ...document],
  ];
}

function siteOperations(context: Context): readonly Operation[] {
  return listReads(context).map(([id, text, path, response, schema]) => {
    const isSteady = !VARYING.includes(id);
    const keys = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
    const always: HeaderName[] = isSteady ? ['ETag_document'] : [];
    if (id === 'documentsChoose') always.push('Content-Location');
    const headers: HeaderName[] = id === 'indexRead' ? [...always, 'Link_index'] : always;
    return {
      id,
      method: 'get',
      path,
      group: context.format('service-name'),
      summary: context.format(`${text}-summary`),
      description: context.format(`${text}-about`),
      parameters: [...keys, 'Accept-Language', ...(PAGES.includes(id) ? [LANG] : []), ...(isSteady ? CONDITIONS : [])],
      successes: {
        ...success(context, 200, response, headers, jsonContent(schema)),
        ...(isSteady ? notModified(context, ...always) : {}),
      },
      problems: [...(isSteady ? ([...QUERY_PROBLEMS, 'precondition-failed'] as const) : []), ...(PROBLEMS[id] ?? [])],
    };
  });
}

const texts = (...names: readonly string[]): Schemas => Object.fromEntries(names.map((name) => [name, TEXT]));

const mapSchema = (values: Json): Json => ({ type: 'object', additionalProperties: values });

const URL_REFERENCE: Json = { type: 'string', format: 'uri-reference' };
const INTEGER: Json = { type: 'integer', format: 'int32' };
const BOOLEAN: Json = { type: 'boolean' };

function siteSchemas(context: Context) {
  const { format } = context;
  const describe = (prefix: string, members: Schemas, optional?: readonly string[]): Json =>
    describeObject(context, prefix, members, optional);
  const text = (description: DocumentText): Json => ({ ...TEXT, description: format(description) });
  const tag = text('language-tag');
  const name = text('language-name');
  const url = { ...URL_REFERENCE, description: format('language-dictionary') };
  const [list, view] = [text('dictionary-list'), text('dictionary-view')];
  const { additionalProperties: _, ...document } = describe('document', {
    openapi: TEXT,
    info: { type: 'object' },
    paths: { type: 'object' },
  });
  return {
    ServiceIndex: describe(
      'index',
      {
        ...texts('title', 'description'),
        totals: mapSchema(COUNT),
        hooks: COUNT,
        openapi: URL_REFERENCE,
        documentation: URL_REFERENCE,
        dictionaries: URL_REFERENCE,
        languages: arraySchema(ref('schemas', 'LanguageIndex')),
      },
      ['hooks'],
    ),
    LanguageIndex: describe('language', {
      ...texts('tag', 'name'),
      collections: mapSchema(URL_REFERENCE),
      imports: mapSchema(URL_REFERENCE),
      openapi: URL_REFERENCE,
      dictionary: URL_REFERENCE,
      documentation: URL_REFERENCE,
    }),
    DictionaryLink: describe('language', { ...texts('tag', 'name', 'translatedName'), url }),
    Dictionary: describe(
      'dictionary',
      {
        tag,
        name,
        direction: { type: 'string', enum: ['ltr', 'rtl'] },
        version: INTEGER,
        isDefault: { ...BOOLEAN, description: format('dictionary-default') },
        schema: { ...URL_REFERENCE, description: format('dictionary-own-schema') },
        collections: mapSchema(ref('schemas', 'DictionaryCollection')),
        parameters: mapSchema(ref('schemas', 'DictionaryParameter')),
        ...Object.fromEntries(['suffixes', 'members', 'report', 'values'].map((part) => [part, mapSchema(TEXT)])),
        flags: mapSchema(arraySchema(TEXT)),
        csv: describe('dictionary', {
          delimiter: { type: 'string', enum: Object.values(delimiters) },
          byteOrderMark: { ...BOOLEAN, description: format('dictionary-mark') },
          decimals: { type: 'string', enum: ['.', ','] },
        }),
        problems: mapSchema(TEXT),
        former: arraySchema(object(texts('place', 'word', 'now', 'since', 'until'))),
      },
      ['former'],
    ),
    DictionaryCollection: describe(
      'dictionary',
      {
        parent: TEXT,
        word: text('dictionary-segment'),
        ...texts('label', 'description'),
        paths: object({
          list,
          item: text('dictionary-item'),
          ...Object.fromEntries(subresourceNames.map((name) => [name, view])),
        }),
        fields: mapSchema(ref('schemas', 'DictionaryField')),
      },
      ['parent', 'label', 'description'],
    ),
    DictionaryField: describe(
      'dictionary',
      {
        ...texts('word', 'label', 'description'),
        kind: { type: 'string', enum: kindNames },
        range: object({ from: text('dictionary-word'), to: text('dictionary-word') }),
        required: BOOLEAN,
        searchable: BOOLEAN,
        unique: BOOLEAN,
        refersTo: text('dictionary-refers'),
        unit: TEXT,
        choices: mapSchema(TEXT),
        schema: { type: 'object' },
      },
      ['label', 'description', 'range', 'unique', 'refersTo', 'unit', 'choices'],
    ),
    DictionaryParameter: describe(
      'dictionary',
      {
        ...texts('word', 'description'),
        kind: { type: 'string', enum: ['field', 'collection', 'value', 'integer', 'text', 'token'] },
        lists: arraySchema(TEXT),
        items: arraySchema(TEXT),
      },
      ['description'],
    ),
    ProblemExplanation: object({
      type: text('member-type'),
      title: text('member-title'),
      status: { ...INTEGER, description: format('member-status') },
      code: ref('schemas', 'ProblemCode'),
      detail: text('response-explanation'),
    }),
    Health: describe('health', { status: { type: 'string', enum: ['ok'] } }),
    OpenApiDocument: document,
  } satisfies Partial<Record<SharedSchema, Json>>;
}

export function createDocument(tree: Tree, options: DocumentOptions): Json {
  const context = createContext(tree, options);
  const operations = [
    ...options.catalogue.flatMap((collection) => collectionOperations(context, collection)),
    ...siteOperations(context),
  ];
  const paths = [...Map.groupBy(operations, ({ path }) => path)].map(([path, all]) => {
    const byMethod = all.map((operation) => [operation.method, operationObject(context, operation)]);
    return [path, Object.fromEntries(byMethod)];
  });
  return {
    openapi: '3.1.1',
    info: describeDocument(context),
    ...(tree.language.base && { servers: [{ url: tree.language.base }] }),
    // Otherwise no `servers`: the default is `/`, which some generators put before a path's own slash when it is written out. An
    // operation that needs a key has a `security` of its own.
    security: [],
    tags: listTags(context),
    paths: Object.fromEntries(paths),
    components: {
      schemas: {
        ...describeItems(context),
        ...siteSchemas(context),
        ...problemSchemas(context),
        ...describeReports(context),
      },
      parameters: describeParameters(context),
      headers: describeHeaders(context),
      responses: problemComponents(context),
      ...securityComponents(context),
    },
  };
}
