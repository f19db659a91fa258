import manifest from '../../../../package.json' with { type: 'json' };
import { LANG, openapiUrl, problemPath, URLS } from '../../http/urls.ts';
import { dictionaryOf } from '../../site/content/dictionary.ts';
import { atTop, dictionaryLinks, explanationOf, indexOf } from '../../site/content/service.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { DocumentText } from '../../texts/shown-text.ts';
import { type Context, type Json, ref } from '../shared/context.ts';
import type { HeaderName } from '../shared/headers.ts';
import { CONDITIONS, jsonContent, known, OF_QUERY, OF_STORE, type Operation, success } from '../shared/operation.ts';

/** What differs between these operations; all of them are GETs whose language `Accept-Language` decides. */
interface Entry {
  readonly id: string;
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
  readonly path: string;
  readonly response: DocumentText;
  readonly schema: Json;
  readonly example: readonly [name: string, value: unknown];
  /** Whether there is a page, too, whose query may name its language. */
  readonly hasPage?: true;
  /** Whether it is not the same until the next start. */
  readonly varies?: true;
  /** Headers of a 200, and of a 304 too. */
  readonly headers?: readonly HeaderName[];
  readonly always?: readonly HeaderName[];
  readonly problems?: readonly ProblemCode[];
}

/** The problem code that serves as an example. */
const EXAMPLE_CODE: ProblemCode = 'unknown-field';

const first = (all: Json): Json => Object.fromEntries(Object.entries(all).slice(0, 1));

/** Members of a dictionary that have a word or an object for each name. */
const WORDS = ['parameters', 'members', 'report', 'values', 'problems'] as const;

/** A dictionary with the first word of each kind. */
const shortDictionary = (context: Context) => {
  const dictionary = dictionaryOf({ ...context, catalogue: atTop(context.catalogue).slice(0, 1) });
  const collections = Object.entries(dictionary.collections);
  return {
    ...dictionary,
    ...Object.fromEntries(WORDS.map((name) => [name, first(dictionary[name])])),
    collections: Object.fromEntries(collections.map(([name, each]) => [name, { ...each, fields: first(each.fields) }])),
  };
};

/** An entry for each route that belongs to no language. */
const entries = (context: Context): readonly Entry[] => {
  const { tree, catalogue } = context;
  const { language } = tree;
  const totals = Object.fromEntries(atTop(catalogue).map(({ name }) => [name, 2]));
  const explanation = explanationOf(language, EXAMPLE_CODE);
  const info = { title: language.pages.say('title'), version: manifest.version };
  const document = {
    response: 'response-document',
    schema: ref('schemas', 'OpenApiDocument'),
    example: [language.tag, { openapi: '3.1.1', info, paths: {} }],
  } as const;
  const health = {
    response: 'response-healthy',
    schema: ref('schemas', 'Health'),
    example: ['ok', { status: 'ok' }],
    varies: true,
  } as const;
  return [
    {
      id: 'indexRead',
      texts: 'index',
      path: URLS.index,
      hasPage: true,
      response: 'response-index',
      schema: ref('schemas', 'ServiceIndex'),
      example: ['index', indexOf(context, language, totals, 0)],
      headers: ['Link_index'],
      problems: OF_STORE,
    },
    {
      id: 'dictionariesList',
      texts: 'dictionaries',
      path: URLS.dictionaries,
      response: 'response-dictionaries',
      schema: { type: 'array', items: ref('schemas', 'DictionaryLink') },
      example: ['dictionaries', dictionaryLinks(context, language.tag)],
    },
    {
      id: 'dictionariesRead',
      texts: 'dictionary',
      path: `${URLS.dictionaries}/{language}`,
      response: 'response-dictionary',
      schema: ref('schemas', 'Dictionary'),
      example: [language.tag, shortDictionary(context)],
      problems: ['not-found'],
    },
    {
      id: 'problemsList',
      texts: 'problems',
      path: URLS.problems,
      hasPage: true,
      response: 'response-explanations',
      schema: { type: 'array', items: ref('schemas', 'ProblemExplanation') },
      example: ['problems', [explanation]],
    },
    {
      id: 'problemsRead',
      texts: 'problem',
      path: problemPath('{code}'),
      hasPage: true,
      response: 'response-explanation',
      schema: ref('schemas', 'ProblemExplanation'),
      example: [EXAMPLE_CODE, explanation],
      problems: ['not-found'],
    },
    { id: 'livenessRead', texts: 'live', path: URLS.live, ...health },
    { id: 'readinessRead', texts: 'ready', path: URLS.ready, ...health, problems: OF_STORE },
    { id: 'documentsRead', texts: 'document', path: openapiUrl('{language}'), ...document, problems: ['no-such-path'] },
    { id: 'documentsChoose', texts: 'documents', path: URLS.openapi, ...document, always: ['Content-Location'] },
  ];
};

const operationOf = (context: Context, entry: Entry): Operation => {
  const { id, texts, path, response, schema, hasPage, varies, headers = [], always = [], problems = [] } = entry;
  const [name, value] = entry.example;
  const tag: readonly HeaderName[] = varies ? [] : ['ETag_document'];
  return {
    id,
    method: 'get',
    path,
    group: context.say('service-name'),
    summary: context.say(`${texts}-summary`),
    description: context.say(`${texts}-about`),
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter),
      'Accept-Language',
      ...(hasPage ? [LANG] : []),
      ...(varies ? [] : CONDITIONS),
    ],
    successes: {
      ...success(context, 200, response, [...tag, ...headers, ...always], jsonContent(schema, { [name]: { value } })),
      ...(varies ? {} : known(context, ...tag, ...always)),
    },
    problems: [...(varies ? [] : ([...OF_QUERY, 'precondition-failed'] as const)), ...problems],
  };
};

/** The operations of the routes in `src/gateway/site`. */
export const siteOperations = (context: Context): readonly Operation[] =>
  entries(context).map((entry) => operationOf(context, entry));
