import manifest from '../../../package.json' with { type: 'json' };
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { isPublic, isSafe, TARGET_LIMIT } from '../http/request.ts';
import { problemPath, type Tree } from '../http/urls.ts';
import { isAccepted } from '../locale/history.ts';
import { requiredScope } from '../model/access.ts';
import type { SharedSchema } from '../texts/collection-text.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { byteSize } from '../texts/size.ts';
import { collectionOperations } from './collections/operations.ts';
import { parameterComponents } from './collections/parameters.ts';
import { reportSchemas } from './collections/report.ts';
import { itemSchemas } from './collections/schemas.ts';
import { problemComponents, problemExamples, problemResponses, problemSchemas } from './problems.ts';
import { type Context, contextOf, type DocumentOptions, type Json, ref } from './shared/context.ts';
import { headerComponents } from './shared/headers.ts';
import type { Operation } from './shared/operation.ts';
import { siteOperations } from './site/operations.ts';
import { siteSchemas } from './site/schemas.ts';

const infoOf = ({ say, tree: { language }, trees, catalogue, bodyLimit }: Context): Json => {
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

const tagsOf = ({ tree: { language }, say, catalogue }: Context): readonly Json[] => [
  ...catalogue.map((collection) => {
    const { name, about } = language.documents.collection(collection);
    return { name, description: about };
  }),
  { name: say('service-name'), description: say('service-about') },
];

/** @returns the security schemes for `components`; none where no key is needed */
const securityComponents = ({ access, say }: Context): Json => {
  if (access === 'open') return {};
  const bearer = { type: 'http', scheme: 'bearer', description: say('security-bearer') };
  const apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: say('security-key') };
  return { securitySchemes: { bearer, apiKey } };
};

/** @returns the `security` of an operation; the names beside a scheme are scopes */
const securityOf = ({ access }: Context, { method, path }: Operation): Json => {
  const scope = requiredScope(access, !isSafe(method.toUpperCase()), isPublic(path));
  return scope === undefined ? {} : { security: [{ bearer: [scope] }, { apiKey: [scope] }] };
};

const operationObject = (context: Context, operation: Operation): Json => {
  const { id, method, path, group, summary, description, parameters, body, isFormer, successes, problems } = operation;
  const ofPath: readonly ProblemCode[] = path.includes('{') ? ['malformed-path'] : [];
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    ...(isFormer ? { deprecated: true } : {}),
    // In each operation and not once for the path: Swagger UI forgets the parameters of a path when another operation is opened first.
    parameters: parameters.map((name) => ref('parameters', name)),
    ...securityOf(context, operation),
    ...(body ? { requestBody: { required: true, content: body } } : {}),
    responses: { ...successes, ...problemResponses(context, method, ['bad-request', ...ofPath, ...problems]) },
  };
};

/** @returns the document's `paths`; HEAD and OPTIONS, which every path supports, are described in words */
const pathsOf = (context: Context, operations: readonly Operation[]): Json =>
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
export const documentOf = (tree: Tree, options: DocumentOptions): Json => {
  const context = contextOf(tree, options);
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
    info: infoOf(context),
    // No `servers`: the default is `/`, which some generators put before a path's own slash when it is written out. An
    // operation that needs a key has a `security` of its own.
    security: [],
    tags: tagsOf(context),
    paths: pathsOf(context, operations),
    components: {
      schemas: { ...itemSchemas(context), ...shared },
      parameters: parameterComponents(context),
      headers: headerComponents(context),
      responses: problemComponents(context),
      examples: problemExamples(context),
      ...securityComponents(context),
    },
  };
};
