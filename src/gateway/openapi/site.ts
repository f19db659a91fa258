/** The operations and schemas of the routes in `src/gateway/site`, whose names and members are the same in every language. */
import manifest from '../../../package.json' with { type: 'json' };
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { LANG, openapiUrl, problemPath, URLS } from '../http/urls.ts';
import { delimiters } from '../model/csv.ts';
import { kindNames } from '../model/kinds/kinds.ts';
import { viewNames } from '../model/views.ts';
import {
  describeLanguage,
  describeService,
  dictionaryLinks,
  explainProblem,
  topCollections,
} from '../site/content/service.ts';
import type { DocumentText, SharedSchema } from '../texts/phrase.ts';
import type { ProblemCode } from '../texts/problem.ts';
import {
  arrayOf,
  CONDITIONS,
  COUNT,
  type Context,
  describeMembers,
  type HeaderName,
  type Json,
  jsonContent,
  notModified,
  type Operation,
  object,
  QUERY_PROBLEMS,
  ref,
  STORE_PROBLEMS,
  success,
  TEXT,
} from './context.ts';

type Begins<Text> = Text extends `${infer Beginning}-summary` ? Beginning : never;

/** What differs between these operations; all of them are GETs whose language `Accept-Language` decides. */
interface Entry {
  readonly id: string;
  /** Begins the names of its summary and of its description. */
  readonly texts: Begins<DocumentText>;
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

const takeFirst = (all: Json): Json => Object.fromEntries(Object.entries(all).slice(0, 1));

/** Members of a dictionary that have a word or an object for each name. */
const WORDS = ['parameters', 'members', 'report', 'values', 'problems'] as const;

/** @returns a dictionary with the first word of each kind */
function shortDictionary(context: Context) {
  const dictionary = describeLanguage({ ...context, catalogue: topCollections(context.catalogue).slice(0, 1) });
  const collections = Object.entries(dictionary.collections);
  return {
    ...dictionary,
    ...Object.fromEntries(WORDS.map((name) => [name, takeFirst(dictionary[name])])),
    collections: Object.fromEntries(
      collections.map(([name, each]) => [name, { ...each, fields: takeFirst(each.fields) }]),
    ),
  };
}

/** @returns an entry for each route that belongs to no language */
function listEntries(context: Context): readonly Entry[] {
  const { language } = context.tree;
  const totals = Object.fromEntries(topCollections(context.catalogue).map(({ name }) => [name, 2]));
  const explanation = explainProblem(language, EXAMPLE_CODE);
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
      example: ['index', describeService(context, language, totals, 0)],
      headers: ['Link_index'],
      problems: STORE_PROBLEMS,
    },
    {
      id: 'dictionariesList',
      texts: 'dictionaries',
      path: URLS.dictionaries,
      response: 'response-dictionaries',
      schema: arrayOf(ref('schemas', 'DictionaryLink')),
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
      schema: arrayOf(ref('schemas', 'ProblemExplanation')),
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
    { id: 'readinessRead', texts: 'ready', path: URLS.ready, ...health, problems: STORE_PROBLEMS },
    { id: 'documentsRead', texts: 'document', path: openapiUrl('{language}'), ...document, problems: ['no-such-path'] },
    { id: 'documentsChoose', texts: 'documents', path: URLS.openapi, ...document, always: ['Content-Location'] },
  ];
}

function createOperation(context: Context, entry: Entry): Operation {
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
      ...(varies ? {} : notModified(context, ...tag, ...always)),
    },
    problems: [...(varies ? [] : ([...QUERY_PROBLEMS, 'precondition-failed'] as const)), ...problems],
  };
}

export const siteOperations = (context: Context): readonly Operation[] =>
  listEntries(context).map((entry) => createOperation(context, entry));

/** @returns the schema of an object with a member for each canonical name */
const mapOf = (values: Json): Json => ({ type: 'object', additionalProperties: values });

const URL_REFERENCE: Json = { type: 'string', format: 'uri-reference' };
const INTEGER: Json = { type: 'integer', format: 'int32' };
const BOOLEAN: Json = { type: 'boolean' };

/** Members of a word that another one has replaced. */
const FORMER: readonly (keyof FormerWord)[] = ['place', 'word', 'now', 'since', 'until'];

export function siteSchemas(context: Context) {
  const { say } = context;
  const text = (description: DocumentText): Json => ({ ...TEXT, description: say(description) });
  const tag = text('language-tag');
  const name = text('language-name');
  const url = { ...URL_REFERENCE, description: say('language-dictionary') };
  const [list, view] = [text('dictionary-list'), text('dictionary-view')];
  const status = { ...INTEGER, description: say('member-status') };
  return {
    ServiceIndex: object(
      describeMembers(context, 'index', {
        title: TEXT,
        description: TEXT,
        totals: mapOf(COUNT),
        hooks: COUNT,
        openapi: URL_REFERENCE,
        documentation: URL_REFERENCE,
        dictionaries: URL_REFERENCE,
        languages: arrayOf(ref('schemas', 'LanguageIndex')),
      }),
      ['hooks'],
    ),
    LanguageIndex: object(
      describeMembers(context, 'language', {
        tag: TEXT,
        name: TEXT,
        collections: mapOf(URL_REFERENCE),
        imports: mapOf(URL_REFERENCE),
        openapi: URL_REFERENCE,
        dictionary: URL_REFERENCE,
        documentation: URL_REFERENCE,
      }),
    ),
    DictionaryLink: object(describeMembers(context, 'language', { tag: TEXT, name: TEXT, translatedName: TEXT, url })),
    Dictionary: object(
      describeMembers(context, 'dictionary', {
        tag,
        name,
        direction: { type: 'string', enum: ['ltr', 'rtl'] },
        version: INTEGER,
        isDefault: { ...BOOLEAN, description: say('dictionary-default') },
        schema: { ...URL_REFERENCE, description: say('dictionary-own-schema') },
        collections: mapOf(ref('schemas', 'DictionaryCollection')),
        parameters: mapOf(ref('schemas', 'DictionaryParameter')),
        suffixes: mapOf(TEXT),
        members: mapOf(TEXT),
        report: mapOf(TEXT),
        values: mapOf(TEXT),
        flags: mapOf(arrayOf(TEXT)),
        csv: object(
          describeMembers(context, 'dictionary', {
            delimiter: { type: 'string', enum: Object.values(delimiters) },
            byteOrderMark: { ...BOOLEAN, description: say('dictionary-mark') },
            decimals: { type: 'string', enum: ['.', ','] },
          }),
        ),
        problems: mapOf(TEXT),
        former: arrayOf(object(Object.fromEntries(FORMER.map((member) => [member, TEXT])))),
      }),
      ['former'],
    ),
    DictionaryCollection: object(
      describeMembers(context, 'dictionary', {
        parent: TEXT,
        word: text('dictionary-segment'),
        label: TEXT,
        description: TEXT,
        paths: object({
          list,
          item: text('dictionary-item'),
          ...Object.fromEntries(viewNames.map((each) => [each, view])),
        }),
        fields: mapOf(ref('schemas', 'DictionaryField')),
      }),
      ['parent', 'label', 'description'],
    ),
    DictionaryField: object(
      describeMembers(context, 'dictionary', {
        word: TEXT,
        label: TEXT,
        description: TEXT,
        kind: { type: 'string', enum: kindNames },
        range: object({ from: text('dictionary-word'), to: text('dictionary-word') }),
        required: BOOLEAN,
        searchable: BOOLEAN,
        unique: BOOLEAN,
        refersTo: text('dictionary-refers'),
        unit: TEXT,
        choices: mapOf(TEXT),
        schema: { type: 'object' },
      }),
      ['label', 'description', 'range', 'unique', 'refersTo', 'unit', 'choices'],
    ),
    DictionaryParameter: object(
      describeMembers(context, 'dictionary', {
        word: TEXT,
        description: TEXT,
        kind: { type: 'string', enum: ['field', 'collection', 'value', 'integer', 'text', 'token'] },
        lists: arrayOf(TEXT),
        items: arrayOf(TEXT),
      }),
      ['description'],
    ),
    ProblemExplanation: object({
      type: text('member-type'),
      title: text('member-title'),
      status,
      code: ref('schemas', 'ProblemCode'),
      detail: text('response-explanation'),
    }),
    Health: object(describeMembers(context, 'health', { status: { type: 'string', enum: ['ok'] } })),
    OpenApiDocument: {
      type: 'object',
      properties: describeMembers(context, 'document', {
        openapi: TEXT,
        info: { type: 'object' },
        paths: { type: 'object' },
      }),
      required: ['openapi', 'info', 'paths'],
    },
  } satisfies Partial<Record<SharedSchema, Json>>;
}
