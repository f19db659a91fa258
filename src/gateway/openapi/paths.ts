import { isPublic, isSafe } from '../http/request.ts';
import { requiredScope } from '../model/access.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { problemResponses } from './problems.ts';
import { type Context, type Json, ref } from './shared/context.ts';
import { headerRefs } from './shared/headers.ts';
import type { Content, Operation, Success } from './shared/operation.ts';

const contentOf = (content: readonly Content[]): Json =>
  Object.fromEntries(
    content.map(({ type, schema, item, examples }) => [
      type,
      { schema, ...(item ? { 'x-item-schema': item } : {}), examples },
    ]),
  );

const successOf = (context: Context, { text, headers, content }: Success): Json => ({
  description: context.say(text),
  ...(headers.length > 0 ? { headers: headerRefs(headers) } : {}),
  ...(content ? { content: contentOf(content) } : {}),
});

/** Problems that any request may have, besides faults of the protocol, and those of paths with parameters. */
const ON_EVERY_REQUEST: readonly ProblemCode[] = ['bad-request'];
const OF_PATH: readonly ProblemCode[] = ['malformed-path'];

const responsesOf = (context: Context, { method, path, successes, problems }: Operation): Json => ({
  ...Object.fromEntries(successes.map((success) => [success.status, successOf(context, success)])),
  ...problemResponses(context, method, [...ON_EVERY_REQUEST, ...(path.includes('{') ? OF_PATH : []), ...problems]),
});

/** @returns the security schemes for `components`; none where no key is needed */
export const securityComponents = ({ access, say }: Context): Json => {
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
  const { id, group, summary, description, parameters, body, isFormer } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    ...(isFormer ? { deprecated: true } : {}),
    // In each operation and not once for the path: Swagger UI forgets the parameters of a path when another operation is opened first.
    parameters: parameters.map((name) => ref('parameters', name)),
    ...securityOf(context, operation),
    ...(body ? { requestBody: { required: true, content: contentOf(body) } } : {}),
    responses: responsesOf(context, operation),
  };
};

/** @returns the document's `paths`; HEAD and OPTIONS, which every path supports, are described in words */
export const pathsOf = (context: Context, operations: readonly Operation[]): Json =>
  Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, all]) => [
      path,
      Object.fromEntries(all.map((operation) => [operation.method, operationObject(context, operation)])),
    ]),
  );
