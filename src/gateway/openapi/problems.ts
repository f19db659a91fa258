import type { Method } from '../http/request.ts';
import { PROBLEM_TYPE } from '../http/respond.ts';
import { referringTo } from '../model/references.ts';
import { explanationOf } from '../site/content/service.ts';
import type { SharedSchema } from '../texts/collection-text.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import { type Context, type Json, object, ref } from './shared/context.ts';
import { type HeaderName, headerRefs } from './shared/headers.ts';

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
const headersOf = (method: Lowercase<Method>, status: number): readonly HeaderName[] => {
  if (status === 415 && method === 'patch') return ['Accept-Encoding', 'Accept-Patch'];
  if (status === 415 && method === 'post') return ['Accept-Encoding', 'Accept-Post'];
  if (status === 415) return ['Accept-Encoding'];
  if (status === 410) return ['Link_list'];
  return status === 503 ? ['Retry-After'] : [];
};

const explained = ({ tree: { language } }: Context, codes: readonly ProblemCode[]): string => {
  const [first, ...more] = codes;
  if (first && more.length === 0) return language.problem(first).explanation;
  return codes.map((code) => `- \`${code}\`: ${language.problem(code).explanation}`).join('\n');
};

const response = (context: Context, codes: readonly ProblemCode[], headers: readonly HeaderName[]): Json => ({
  description: explained(context, codes),
  ...(headers.length > 0 ? { headers: headerRefs(headers) } : {}),
  content: {
    [PROBLEM_TYPE]: {
      schema: ref('schemas', 'Problem'),
      examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
    },
  },
  'x-codes': codes,
});

/**
 * @param codes of the problems of an operation
 * @returns its responses by status, and one for every other
 */
export const problemResponses = (context: Context, method: Lowercase<Method>, codes: readonly ProblemCode[]): Json => {
  const own = Map.groupBy(
    codes.filter((code) => !ANYWHERE.includes(code)),
    (code) => problems[code],
  );
  return {
    ...Object.fromEntries(
      [...own].map(([status, all]) => [status, response(context, all, headersOf(method, Number(status)))]),
    ),
    default: ref('responses', 'Problem'),
  };
};

/** @returns the response that every operation shares, for every status that it does not list */
export const problemComponents = (context: Context): Json => {
  const other = response(
    context,
    [...ANYWHERE, 'method-not-allowed'],
    ['Allow_problem', 'Retry-After_problem', 'WWW-Authenticate'],
  );
  return { Problem: { ...other, description: `${context.say('response-problem')}\n\n${other.description}` } };
};

/** An identifier such as nanoid makes. */
const REQUEST_ID = 'V1StGXR8_Z5jdHi6B-myT';

/** An example for each code that can occur, with the code's explanation. */
export const problemExamples = (context: Context): Json => {
  const { language } = context.tree;
  const isReferred = context.catalogue.some((each) => referringTo(context.catalogue, each).length > 0);
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => code !== 'in-use' || isReferred);
  return Object.fromEntries(
    codes.map((code) => [
      code,
      { value: { ...explanationOf(language, code), remedy: language.remedy(code), requestId: REQUEST_ID } },
    ]),
  );
};

/** The schemas of a problem (RFC 9457) and of its errors. Their members have the same names in every language. */
export const problemSchemas = ({ say }: Context) => {
  const text = (description: string): Json => ({ type: 'string', description });
  const code = ref('schemas', 'ProblemCode');
  const suggestion = { ...text(say('member-suggestion')), 'x-names': 'request' };
  const remedy = text(say('member-remedy'));
  return {
    Problem: object(
      {
        type: text(say('member-type')),
        title: text(say('member-title')),
        status: { type: 'integer', format: 'int32', description: say('member-status') },
        code,
        detail: text(say('member-detail')),
        suggestion,
        remedy,
        requestId: text(say('member-request-id')),
        errors: {
          type: 'array',
          description: say('member-errors'),
          minItems: 1,
          maxItems: 100,
          items: ref('schemas', 'ProblemError'),
        },
        report: { description: say('member-report'), ...ref('schemas', 'ImportReport') },
      },
      ['suggestion', 'remedy', 'errors', 'report'],
    ),
    ProblemError: object(
      {
        pointer: text(say('member-pointer')),
        parameter: text(say('member-parameter')),
        header: text(say('member-header')),
        code,
        name: text(say('member-name')),
        value: text(say('member-value')),
        detail: text(say('member-error-detail')),
        suggestion,
        remedy,
      },
      ['pointer', 'parameter', 'header', 'name', 'value', 'suggestion', 'remedy'],
    ),
    ProblemCode: { type: 'string', enum: Object.keys(problems), description: say('member-code') },
  } satisfies Partial<Record<SharedSchema, Json>>;
};
