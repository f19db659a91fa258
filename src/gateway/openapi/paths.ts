import { REQUEST_ID_HEADER } from '../http/headers.ts';
import { problemResponses } from './problems.ts';
import { securityOf } from './security.ts';
import { type Context, type Json, ref } from './shared/context.ts';
import { headerRefs } from './shared/headers.ts';
import { type Content, ON_EVERY_REQUEST, type Operation, type Success } from './shared/operation.ts';

const contentOf = (content: readonly Content[]): Json =>
  Object.fromEntries(content.map(({ type, schema, examples }) => [type, { schema, examples }]));

const successOf = (context: Context, { text, headers, content }: Success): Json => ({
  description: context.say(text),
  ...(headers.length > 0 ? { headers: headerRefs(headers) } : {}),
  ...(content ? { content: contentOf(content) } : {}),
});

const responsesOf = (context: Context, { method, successes, problems, pathProblems }: Operation): Json => ({
  ...Object.fromEntries(successes.map((success) => [success.status, successOf(context, success)])),
  ...problemResponses(context, method, [...ON_EVERY_REQUEST, ...pathProblems, ...problems]),
});

const operationObject = (context: Context, operation: Operation): Json => {
  const { id, method, path, group, summary, description, pathParameters, parameters, body } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    // In each operation and not once for the path: Swagger UI forgets the parameters of a path when another operation is opened first.
    parameters: [...pathParameters, ...parameters, REQUEST_ID_HEADER].map((name) => ref('parameters', name)),
    ...securityOf(context, method, path),
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
