import { problemPath, ROOT, URLS } from '../http/urls.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import type { Context, Json } from './context.ts';
import type { HeaderName } from './headers.ts';
import { dictionaries, dictionary, index, object } from './neutral-schemas.ts';
import { OF_ACCEPT, OF_PATH, OF_QUERY, OF_STORE, type Operation } from './operation.ts';

/** What tells these operations apart; all of them are GETs that choose their language by `Accept-Language`. */
interface Entry extends Pick<Operation, 'id' | 'path' | 'answers' | 'problems'> {
  readonly texts: 'index' | 'dictionaries' | 'dictionary' | 'problem' | 'live' | 'ready' | 'document' | 'documents';
  readonly pathParameters?: readonly string[];
  readonly parameters?: readonly string[];
  readonly pathProblems?: readonly ProblemCode[];
}

const HEADERS: readonly HeaderName[] = ['Content-Language.neutral', 'Vary.neutral'];
const OF_READ: readonly ProblemCode[] = [...OF_QUERY, ...OF_ACCEPT];
const OF_CONSTANT: readonly ProblemCode[] = [...OF_READ, 'precondition-failed'];
const CONDITIONS = ['If-Match', 'If-None-Match.read'];

const explanation = ({ say }: Context): Json =>
  object({
    type: { type: 'string', description: say('member-type') },
    title: { type: 'string', description: say('member-title') },
    status: { type: 'integer', description: say('member-status') },
    code: { type: 'string', enum: Object.keys(problems), description: say('member-code') },
    detail: { type: 'string', description: say('answer-explanation') },
  });

const health = object({ status: { type: 'string', const: 'ok' } });
const anyDocument: Json = {
  type: 'object',
  properties: { openapi: { type: 'string' }, info: { type: 'object' }, paths: { type: 'object' } },
  required: ['openapi', 'info', 'paths'],
};

/** The addresses of no language: an entry each. */
const entries = (context: Context): readonly Entry[] => [
  {
    id: 'readIndex',
    texts: 'index',
    path: URLS.index,
    parameters: ['lang', ...CONDITIONS],
    answers: [
      {
        status: 200,
        text: 'answer-index',
        headers: ['Content-Language.neutral', 'Vary.index', 'ETag.document', 'Link.index'],
        schema: index,
      },
      { status: 304, text: 'answer-known', headers: ['Vary.index', 'ETag.document'] },
    ],
    problems: [...OF_CONSTANT, ...OF_STORE],
  },
  {
    id: 'listDictionaries',
    texts: 'dictionaries',
    path: URLS.dictionaries,
    parameters: CONDITIONS,
    answers: [
      { status: 200, text: 'answer-dictionaries', headers: [...HEADERS, 'ETag.document'], schema: dictionaries },
      { status: 304, text: 'answer-known', headers: ['Vary.neutral', 'ETag.document'] },
    ],
    problems: OF_CONSTANT,
  },
  {
    id: 'readDictionary',
    texts: 'dictionary',
    path: `${URLS.dictionaries}/{language}`,
    pathParameters: ['language'],
    pathProblems: OF_PATH,
    parameters: CONDITIONS,
    answers: [
      { status: 200, text: 'answer-dictionary', headers: [...HEADERS, 'ETag.document'], schema: dictionary },
      { status: 304, text: 'answer-known', headers: ['Vary.neutral', 'ETag.document'] },
    ],
    problems: [...OF_CONSTANT, 'not-found'],
  },
  {
    id: 'readProblem',
    texts: 'problem',
    path: problemPath('{code}'),
    pathParameters: ['code'],
    pathProblems: OF_PATH,
    answers: [{ status: 200, text: 'answer-explanation', headers: HEADERS, schema: explanation(context) }],
    problems: [...OF_READ, 'not-found'],
  },
  {
    id: 'readLive',
    texts: 'live',
    path: URLS.live,
    answers: [{ status: 200, text: 'answer-healthy', headers: HEADERS, schema: health }],
    problems: [],
  },
  {
    id: 'readReady',
    texts: 'ready',
    path: URLS.ready,
    answers: [{ status: 200, text: 'answer-healthy', headers: HEADERS, schema: health }],
    problems: OF_STORE,
  },
  {
    id: 'readDocument',
    texts: 'document',
    path: `${ROOT}/openapi.{language}.json`,
    pathParameters: ['language'],
    pathProblems: [...OF_PATH, 'no-such-path'],
    parameters: CONDITIONS,
    answers: [
      { status: 200, text: 'answer-document', headers: [...HEADERS, 'ETag.document'], schema: anyDocument },
      { status: 304, text: 'answer-known', headers: ['Vary.neutral', 'ETag.document'] },
    ],
    problems: OF_CONSTANT,
  },
  {
    id: 'chooseDocument',
    texts: 'documents',
    path: `${ROOT}/openapi.json`,
    parameters: CONDITIONS,
    answers: [
      {
        status: 200,
        text: 'answer-document',
        headers: [...HEADERS, 'ETag.document', 'Content-Location'],
        schema: anyDocument,
      },
      { status: 304, text: 'answer-known', headers: ['Vary.neutral', 'ETag.document', 'Content-Location'] },
    ],
    problems: OF_CONSTANT,
  },
];

/** What `http/neutral-routes` and `http/openapi-routes` carry out. */
export const neutralOperations = (context: Context): readonly Operation[] =>
  entries(context).map(({ texts, pathParameters = [], parameters = [], pathProblems = [], ...entry }) => ({
    ...entry,
    address: entry.id,
    method: 'get',
    scope: 'neutral',
    group: context.say('service-name'),
    summary: context.say(`${texts}-summary`),
    description: context.say(`${texts}-about`),
    pathParameters,
    parameters: ['Accept-Language', ...parameters],
    pathProblems,
  }));
