import { PROBLEM_TYPE } from '../http/headers.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import { type Context, type Json, ref } from './context.ts';
import { type HeaderName, headerRefs, ON_EVERY_ANSWER } from './headers.ts';
import { nameOf, type Scope, type Used } from './problem-schemas.ts';

/** Beside those of every problem. */
const HEADERS: Readonly<Partial<Record<ProblemCode, HeaderName>>> = {
  'unsupported-media-type': 'Accept-Encoding',
  unavailable: 'Retry-After',
};

const headersOf = (scope: Scope, more: readonly HeaderName[] = []): Json =>
  headerRefs([
    ...ON_EVERY_ANSWER,
    ...(scope === 'tree'
      ? (['Content-Language.tree'] as const)
      : (['Content-Language.neutral', 'Vary.neutral'] as const)),
    ...more,
  ]);

const contentOf = (schema: Json): Json => ({ [PROBLEM_TYPE]: { schema } });

const responseOf = (context: Context, code: ProblemCode, scope: Scope): Json => {
  const { title, explanation } = context.tree.language.problem(code);
  const more = HEADERS[code];
  return {
    description: `${title}. ${explanation}`,
    headers: headersOf(scope, more ? [more] : []),
    content: contentOf(ref('schemas', nameOf(code, scope))),
  };
};

const anyResponse = (context: Context, scope: Scope): Json => ({
  description: context.say('answer-problem'),
  headers: headersOf(scope, ['Allow.problem']),
  content: contentOf(ref('schemas', nameOf('problem', scope))),
});

export const problemResponses = (context: Context, used: Used): Json => ({
  ...Object.fromEntries(used.map(([code, scope]) => [nameOf(code, scope), responseOf(context, code, scope)])),
  problem: anyResponse(context, 'tree'),
  'problem.neutral': anyResponse(context, 'neutral'),
});

/** Several codes of one status, told apart by their `code`. */
const severalResponse = (context: Context, codes: readonly ProblemCode[], scope: Scope): Json => {
  const refs = codes.map((code) => [code, ref('schemas', nameOf(code, scope))] as const);
  return {
    description: codes.map((code) => `- \`${code}\`: ${context.tree.language.problem(code).explanation}`).join('\n'),
    headers: headersOf(scope),
    content: contentOf({
      oneOf: refs.map(([, schema]) => schema),
      discriminator: {
        propertyName: 'code',
        mapping: Object.fromEntries(refs.map(([code, { $ref }]) => [code, $ref])),
      },
    }),
  };
};

/**
 * @param codes what an operation may answer with
 * @returns its answers by status, and one for everything else
 */
export const problemAnswers = (context: Context, codes: readonly ProblemCode[], scope: Scope): Json => {
  const byStatus = Map.groupBy(codes, (code) => problems[code]);
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, [first, ...more]]) => [
        status,
        first && more.length === 0
          ? ref('responses', nameOf(first, scope))
          : severalResponse(context, byStatus.get(status) ?? [], scope),
      ]),
    ),
    default: ref('responses', nameOf('problem', scope)),
  };
};
