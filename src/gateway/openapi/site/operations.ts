import { LANG, openapiUrl, problemPath, URLS } from '../../http/urls.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import type { HeaderName } from '../shared/headers.ts';
import { jsonContent, OF_PATH, OF_QUERY, OF_STORE, type Operation, type Success } from '../shared/operation.ts';
import { siteExamples } from './examples.ts';
import { EXAMPLE_CODE } from './schemas.ts';

/** What differs between these operations; all of them are GETs whose language `Accept-Language` decides. */
interface Entry extends Pick<Operation, 'id' | 'path' | 'successes' | 'problems'> {
  readonly texts:
    | 'index'
    | 'dictionaries'
    | 'dictionary'
    | 'problems'
    | 'problem'
    | 'live'
    | 'ready'
    | 'document'
    | 'documents';
  readonly pathParameters?: readonly string[];
  readonly parameters?: readonly string[];
  readonly pathProblems?: readonly ProblemCode[];
}

/** Problems of responses that are the same until the next start. */
const OF_CONSTANT: readonly ProblemCode[] = [...OF_QUERY, 'precondition-failed'];
const CONDITIONS = ['If-Match', 'If-None-Match.read'];

const known = (...headers: readonly HeaderName[]): Success => ({
  status: 304,
  text: 'response-known',
  headers: ['ETag.document', ...headers],
});

const listOf = (schema: string): Json => ({ type: 'array', items: ref('schemas', schema) });

/** @returns a response with one example, named after its schema */
const one = (
  text: Success['text'],
  schema: Json,
  [name, value]: readonly [name: string, value: unknown],
  ...headers: readonly HeaderName[]
): Success => ({
  status: 200,
  text,
  content: jsonContent(schema, { [name]: { value } }),
  headers,
});

/** The same of what stays as it is until the next start, which a client may know already. */
const constant = (text: Success['text'], schema: Json, example: readonly [name: string, value: unknown]) => [
  one(text, schema, example, 'ETag.document'),
  known(),
];

/** An entry for each route that belongs to no language. */
const entries = (context: Context): readonly Entry[] => {
  const examples = siteExamples(context);
  const { tag } = context.tree.language;
  return [
    {
      id: 'readIndex',
      texts: 'index',
      path: URLS.index,
      parameters: [LANG, ...CONDITIONS],
      successes: [
        one('response-index', ref('schemas', 'ServiceIndex'), ['index', examples.index], 'ETag.document', 'Link.index'),
        known(),
      ],
      problems: [...OF_CONSTANT, ...OF_STORE],
    },
    {
      id: 'listDictionaries',
      texts: 'dictionaries',
      path: URLS.dictionaries,
      parameters: CONDITIONS,
      successes: constant('response-dictionaries', listOf('DictionaryLink'), ['dictionaries', examples.dictionaries]),
      problems: OF_CONSTANT,
    },
    {
      id: 'readDictionary',
      texts: 'dictionary',
      path: `${URLS.dictionaries}/{language}`,
      pathParameters: ['language'],
      pathProblems: OF_PATH,
      parameters: CONDITIONS,
      successes: constant('response-dictionary', ref('schemas', 'Dictionary'), [tag, examples.dictionary]),
      problems: [...OF_CONSTANT, 'not-found'],
    },
    {
      id: 'listProblems',
      texts: 'problems',
      path: URLS.problems,
      parameters: [LANG, ...CONDITIONS],
      successes: constant('response-explanations', listOf('ProblemExplanation'), ['problems', [examples.explanation]]),
      problems: OF_CONSTANT,
    },
    {
      id: 'readProblem',
      texts: 'problem',
      path: problemPath('{code}'),
      pathParameters: ['code'],
      pathProblems: OF_PATH,
      parameters: [LANG, ...CONDITIONS],
      successes: constant('response-explanation', ref('schemas', 'ProblemExplanation'), [
        EXAMPLE_CODE,
        examples.explanation,
      ]),
      problems: [...OF_CONSTANT, 'not-found'],
    },
    {
      id: 'readLive',
      texts: 'live',
      path: URLS.live,
      successes: [one('response-healthy', ref('schemas', 'Health'), ['ok', examples.health])],
      problems: [],
    },
    {
      id: 'readReady',
      texts: 'ready',
      path: URLS.ready,
      successes: [one('response-healthy', ref('schemas', 'Health'), ['ok', examples.health])],
      problems: OF_STORE,
    },
    {
      id: 'readDocument',
      texts: 'document',
      path: openapiUrl('{language}'),
      pathParameters: ['language'],
      pathProblems: [...OF_PATH, 'no-such-path'],
      parameters: CONDITIONS,
      successes: constant('response-document', ref('schemas', 'OpenApiDocument'), [tag, examples.document]),
      problems: OF_CONSTANT,
    },
    {
      id: 'chooseDocument',
      texts: 'documents',
      path: URLS.openapi,
      parameters: CONDITIONS,
      successes: [
        one(
          'response-document',
          ref('schemas', 'OpenApiDocument'),
          [tag, examples.document],
          'ETag.document',
          'Content-Location',
        ),
        known('Content-Location'),
      ],
      problems: OF_CONSTANT,
    },
  ];
};

/** The operations of the routes in `src/gateway/site`. */
export const siteOperations = (context: Context): readonly Operation[] =>
  entries(context).map(({ texts, pathParameters = [], parameters = [], pathProblems = [], ...entry }) => ({
    ...entry,
    method: 'get',
    group: context.say('service-name'),
    summary: context.say(`${texts}-summary`),
    description: context.say(`${texts}-about`),
    pathParameters,
    parameters: ['Accept-Language', ...parameters],
    pathProblems,
  }));
