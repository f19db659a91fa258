import manifest from '../../../package.json' with { type: 'json' };
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import type { Method } from '../http/context.ts';
import { isPublic, isSafe, PROBLEM_TYPE, TARGET_LIMIT } from '../http/exchange.ts';
import { problemPath, type Tree } from '../http/urls.ts';
import { isAccepted } from '../locale/history.ts';
import { requiredScope } from '../model/access.ts';
import { byteSize, type SharedSchema } from '../texts/phrase.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import {
  type Context,
  createContext,
  type DocumentOptions,
  describeMembers,
  type HeaderName,
  headerComponents,
  headersMember,
  type Json,
  type Operation,
  object,
  ref,
  TEXT,
} from './context.ts';
import { collectionOperations } from './operations.ts';
import { itemSchemas, parameterComponents, reportSchemas } from './schemas.ts';
import { siteOperations, siteSchemas } from './site.ts';

/** Problems that any request may have, described by one shared response. */
const ANYWHERE: readonly ProblemCode[] = [
  'unauthorized',
  'forbidden',
  'not-acceptable',
  'uri-too-long',
  'expectation-failed',
  'rate-limited',
  'outcome-unknown',
];

/** @returns the headers of problems with a status, besides those of every problem */
function listHeaders(method: Lowercase<Method>, status: number): readonly HeaderName[] {
  if (status === 415 && method === 'patch') return ['Accept-Encoding', 'Accept-Patch'];
  if (status === 415 && method === 'post') return ['Accept-Encoding', 'Accept-Post'];
  if (status === 415) return ['Accept-Encoding'];
  if (status === 410) return ['Link_list'];
  return status === 503 ? ['Retry-After'] : [];
}

function explain({ tree: { language } }: Context, codes: readonly ProblemCode[]): string {
  const [first, ...more] = codes;
  if (first && more.length === 0) return language.problem(first).explanation;
  return codes.map((code) => `- \`${code}\`: ${language.problem(code).explanation}`).join('\n');
}

const response = (context: Context, codes: readonly ProblemCode[], headers: readonly HeaderName[]): Json => ({
  description: explain(context, codes),
  ...headersMember(headers),
  content: { [PROBLEM_TYPE]: { schema: ref('schemas', 'Problem') } },
  'x-codes': codes,
});

/**
 * @param codes of the problems of an operation
 * @returns its responses by status, and one for every other
 */
function problemResponses(context: Context, method: Lowercase<Method>, codes: readonly ProblemCode[]): Json {
  const own = Map.groupBy(
    codes.filter((code) => !ANYWHERE.includes(code)),
    (code) => problems[code],
  );
  return {
    ...Object.fromEntries(
      [...own].map(([status, all]) => [status, response(context, all, listHeaders(method, Number(status)))]),
    ),
    default: ref('responses', 'Problem'),
  };
}

/** @returns the response that every operation shares, for every status that it does not list */
function problemComponents(context: Context): Json {
  const headers: readonly HeaderName[] = ['Allow_problem', 'Retry-After_problem', 'WWW-Authenticate'];
  const other = response(context, [...ANYWHERE, 'method-not-allowed'], headers);
  return { Problem: { ...other, description: `${context.say('response-problem')}\n\n${other.description}` } };
}

/** The schemas of a problem (RFC 9457) and of its errors. Their members have the same names in every language. */
function problemSchemas(context: Context) {
  const { say } = context;
  const code = ref('schemas', 'ProblemCode');
  const suggestion = { ...TEXT, 'x-names': 'request' };
  const status = { type: 'integer', format: 'int32' };
  const errors = { type: 'array', minItems: 1, maxItems: 100, items: ref('schemas', 'ProblemError') };
  const report = { description: say('member-report'), ...ref('schemas', 'ImportReport') };
  const detail = { ...TEXT, description: say('member-error-detail') };
  return {
    Problem: object(
      describeMembers(context, 'member', {
        type: TEXT,
        title: TEXT,
        status,
        code,
        detail: TEXT,
        suggestion,
        remedy: TEXT,
        requestId: TEXT,
        errors,
        report,
      }),
      ['suggestion', 'remedy', 'errors', 'report'],
    ),
    ProblemError: object(
      describeMembers(context, 'member', {
        pointer: TEXT,
        parameter: TEXT,
        header: TEXT,
        code,
        name: TEXT,
        value: TEXT,
        detail,
        suggestion,
        remedy: TEXT,
      }),
      ['pointer', 'parameter', 'header', 'name', 'value', 'suggestion', 'remedy'],
    ),
    ProblemCode: { type: 'string', enum: Object.keys(problems), description: say('member-code') },
  } satisfies Partial<Record<SharedSchema, Json>>;
}

const describeDocument = ({ say, tree: { language }, trees, catalogue, bodyLimit }: Context): Json => {
  const [top] = catalogue;
  const former = language.former.filter(isAccepted);
  const replaced = ({ word, now, until }: FormerWord): string => `\`${word}\` → \`${now}\` (${until})`;
  const lists = top ? trees.map(({ paths, language: { tag } }) => `\`${paths(top).list([])}\` (${tag})`) : [];
  return {
    title: language.pages.say('title'),
    version: manifest.version,
    description: [
      `${language.pages.say('about')} ${say('about', {
        trees: lists.join(', '),
        problems: problemPath('<code>'),
        target: byteSize(TARGET_LIMIT),
        body: byteSize(bodyLimit),
      })}`,
      say('headers-about'),
      say('methods-about'),
      ...(former.length > 0 ? [say('former-about', { list: former.map(replaced).join(', ') })] : []),
    ].join('\n\n'),
    license: { name: manifest.license, identifier: manifest.license },
  };
};

const listTags = ({ tree: { language }, say, catalogue }: Context): readonly Json[] => [
  ...catalogue.map((collection) => {
    const { name, about } = language.documents.collection(collection);
    return { name, description: about };
  }),
  { name: say('service-name'), description: say('service-about') },
];

/** @returns the security schemes for `components`; none if no key is needed */
const securityComponents = ({ access, say }: Context): Json => {
  if (access === 'open') return {};
  const bearer = { type: 'http', scheme: 'bearer', description: say('security-bearer') };
  const apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: say('security-key') };
  return { securitySchemes: { bearer, apiKey } };
};

/** @returns the `security` of an operation; the names beside a scheme are scopes */
const operationSecurity = ({ access }: Context, { method, path }: Operation): Json => {
  const scope = requiredScope(access, !isSafe(method.toUpperCase()), isPublic(path));
  return scope === undefined ? {} : { security: [{ bearer: [scope] }, { apiKey: [scope] }] };
};

const operationObject = (context: Context, operation: Operation): Json => {
  const { id, method, path, group, summary, description, parameters, body, successes, problems } = operation;
  const ofPath: readonly ProblemCode[] = path.includes('{') ? ['malformed-path'] : [];
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    // In each operation and not once for the path: Swagger UI forgets the parameters of a path when another operation is opened first.
    parameters: parameters.map((name) => ref('parameters', name)),
    ...operationSecurity(context, operation),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: { ...successes, ...problemResponses(context, method, ['bad-request', ...ofPath, ...problems]) },
  };
};

/** @returns the document's `paths`; HEAD and OPTIONS, which every path supports, are described in words */
const groupByPath = (context: Context, operations: readonly Operation[]): Json =>
  Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, all]) => [
      path,
      Object.fromEntries(all.map((operation) => [operation.method, operationObject(context, operation)])),
    ]),
  );

/**
 * @param tree the language whose words the document contains, and whose paths it describes beside those of no language
 * @returns an OpenAPI 3.1 document
 */
export const createDocument = (tree: Tree, options: DocumentOptions): Json => {
  const context = createContext(tree, options);
  const shared: Readonly<Record<SharedSchema, Json>> = {
    ...siteSchemas(context),
    ...problemSchemas(context),
    ...reportSchemas(context),
  };
  const operations = [
    ...options.catalogue.flatMap((collection) => collectionOperations(context, collection)),
    ...siteOperations(context),
  ];
  return {
    openapi: '3.1.1',
    info: describeDocument(context),
    // No `servers`: the default is `/`, which some generators put before a path's own slash when it is written out. An
    // operation that needs a key has a `security` of its own.
    security: [],
    tags: listTags(context),
    paths: groupByPath(context, operations),
    components: {
      schemas: { ...itemSchemas(context), ...shared },
      parameters: parameterComponents(context),
      headers: headerComponents(context),
      responses: problemComponents(context),
      ...securityComponents(context),
    },
  };
};
