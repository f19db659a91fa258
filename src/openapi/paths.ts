import { JSON_TYPE } from '../http/headers.ts';
import type { ProblemCode } from '../texts/problem.ts';
import { type Context, type Json, ref } from './context.ts';
import { headerRefs, ON_EVERY_ANSWER } from './headers.ts';
import { type Answer, ON_EVERY_REQUEST, type Operation } from './operation.ts';
import { problemAnswers, problemResponses } from './problem-answers.ts';
import type { Used } from './problem-schemas.ts';

/** @returns every code that an operation may answer with */
const codesOf = ({ problems, pathProblems }: Pick<Operation, 'problems' | 'pathProblems'>): readonly ProblemCode[] => [
  ...ON_EVERY_REQUEST,
  ...pathProblems,
  ...problems,
];

/** @returns the codes of all operations, each once in each scope */
export const usedProblems = (operations: readonly Operation[]): Used => {
  const used = operations.flatMap((operation) =>
    codesOf(operation).map((code) => [`${code} ${operation.scope}`, [code, operation.scope] as const] as const),
  );
  return [...new Map(used).values()];
};

const contentOf = ({ schema, examples = [] }: Answer): Json => {
  if (!schema) return {};
  const named = Object.fromEntries(examples.map((value, at) => [String(at + 1), { value }]));
  return { content: { [JSON_TYPE]: { schema, ...(examples.length > 0 ? { examples: named } : {}) } } };
};

const answerOf = (context: Context, answer: Answer): Json => ({
  description: context.say(answer.text),
  headers: headerRefs([...ON_EVERY_ANSWER, ...answer.headers]),
  ...contentOf(answer),
});

const answersOf = (context: Context, { answers, scope, ...operation }: Operation): Json => ({
  ...Object.fromEntries(answers.map((answer) => [answer.status, answerOf(context, answer)])),
  ...problemAnswers(context, codesOf(operation), scope),
});

const parameterRefs = (names: readonly string[]): readonly Json[] => names.map((name) => ref('parameters', name));

const operationObject = (context: Context, operation: Operation): Json => {
  const { id, group, summary, description, parameters, body } = operation;
  return {
    operationId: id,
    tags: [group],
    summary,
    description,
    parameters: parameterRefs([...parameters, 'X-Request-Id']),
    ...(body
      ? { requestBody: { required: true, content: { [JSON_TYPE]: { schema: body.schema, example: body.example } } } }
      : {}),
    responses: answersOf(context, operation),
  };
};

/** Answers to HEAD have the headers of those to GET and no content (RFC 9110 §9.3.2). */
const withoutContent = (responses: Json, components: Json): Json =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { $ref } = response as { $ref?: string };
      const { description, headers } = ($ref ? components[$ref.replace(/.*\//, '')] : response) as Json;
      return [status, { description, headers }];
    }),
  );

const headObject = (context: Context, operation: Operation, used: Used): Json => {
  const { summary, id } = operation;
  const get = operationObject(context, operation);
  return {
    ...get,
    operationId: `${id}Head`,
    tags: [context.say('methods-name')],
    summary: context.say('head-summary', { summary }),
    description: context.say('head-about'),
    responses: withoutContent(get.responses as Json, problemResponses(context, used)),
  };
};

const optionsObject = (context: Context, { address, path, scope, pathProblems }: Operation): Json => ({
  operationId: `${address}Options`,
  tags: [context.say('methods-name')],
  summary: context.say('options-summary', { path }),
  description: context.say('options-about'),
  parameters: parameterRefs(['X-Request-Id']),
  responses: {
    204: answerOf(context, {
      status: 204,
      text: 'answer-methods',
      headers: ['Allow', ...(scope === 'neutral' ? (['Vary.neutral'] as const) : [])],
    }),
    ...problemAnswers(context, codesOf({ problems: [], pathProblems }), scope),
  },
});

/** @returns the document's `paths`, HEAD and OPTIONS included */
export const pathsOf = (context: Context, operations: readonly Operation[]): Json => {
  const used = usedProblems(operations);
  return Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, all]) => [
      path,
      {
        ...(all[0] ? { parameters: parameterRefs(all[0].pathParameters) } : {}),
        ...Object.fromEntries(all.map((operation) => [operation.method, operationObject(context, operation)])),
        ...Object.fromEntries(
          all
            .filter(({ method }) => method === 'get')
            .map((operation) => ['head', headObject(context, operation, used)]),
        ),
        ...(all[0] ? { options: optionsObject(context, all[0]) } : {}),
      },
    ]),
  );
};
