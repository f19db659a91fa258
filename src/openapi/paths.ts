import { JSON_TYPE, REQUEST_ID_HEADER } from '../http/headers.ts';
import { type Context, type Json, ref } from './context.ts';
import { headerRefs } from './headers.ts';
import { ON_EVERY_REQUEST, type Operation, type Success } from './operation.ts';
import { problemResponses } from './problems.ts';
import { securityOf } from './security.ts';

const contentOf = ({ schema, examples = {} }: Success): Json =>
  schema ? { content: { [JSON_TYPE]: { schema, examples } } } : {};

const successOf = (context: Context, success: Success): Json => ({
  description: context.say(success.text),
  ...(success.headers.length > 0 ? { headers: headerRefs(success.headers) } : {}),
  ...contentOf(success),
});

const responsesOf = (context: Context, { method, successes, problems, pathProblems }: Operation): Json => ({
  ...Object.fromEntries(successes.map((success) => [success.status, successOf(context, success)])),
  ...problemResponses(context, method, [...ON_EVERY_REQUEST, ...pathProblems, ...problems]),
});

const requestBodyOf = ({ types, schema, examples }: NonNullable<Operation['body']>): Json => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, { schema, examples }])),
});

const operationObject = (context: Context, operation: Operation): Json => {
  const { id, method, path, group, summary, description, pathParameters, parameters, body } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    // With each operation and not once at the path: Swagger UI forgets those when another operation is opened first.
    parameters: [...pathParameters, ...parameters, REQUEST_ID_HEADER].map((name) => ref('parameters', name)),
    ...securityOf(context, method, path),
    ...(body ? { requestBody: requestBodyOf(body) } : {}),
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
