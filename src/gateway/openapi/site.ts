/** The operations and schemas of the routes in `src/gateway/site`, whose names and members are the same in every language. */
import manifest from '../../../package.json' with { type: 'json' };
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { LANG, openapiUrl, problemPath, URLS } from '../http/urls.ts';
import { delimiters } from '../model/csv.ts';
import { kindNames } from '../model/kinds/kinds.ts';
import { viewNames } from '../model/query.ts';
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
  arraySchema,
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

/** A GET whose language `Accept-Language` decides; `texts` begins the names of its summary and of its description. */
type Read = readonly [
  id: string,
  texts: Begins<DocumentText>,
  path: string,
  response: DocumentText,
  schema: Json,
  example: readonly [name: string, value: unknown],
];

/** Reads that are pages, too, whose query may name a language. */
const PAGES = ['indexRead', 'problemsList', 'problemsRead'];
/** Reads that are not the same until the next start. */
const VARYING = ['livenessRead', 'readinessRead'];
const PROBLEMS: Readonly<Record<string, readonly ProblemCode[]>> = {
  indexRead: STORE_PROBLEMS,
  dictionariesRead: ['not-found'],
  problemsRead: ['not-found'],
  readinessRead: STORE_PROBLEMS,
  documentsRead: ['no-such-path'],
};

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

/** @returns a read for each route that belongs to no language */
function listReads(context: Context): readonly Read[] {
  const { language } = context.tree;
  const { tag } = language;
  const totals = Object.fromEntries(topCollections(context.catalogue).map(({ name }) => [name, 2]));
  const index = ['index', describeService(context, language, totals, 0)] as const;
  const links = arraySchema(ref('schemas', 'DictionaryLink'));
  const languages = ['dictionaries', dictionaryLinks(context, tag)] as const;
  const dictionary = ref('schemas', 'Dictionary');
  const explained = ref('schemas', 'ProblemExplanation');
  const explanation = explainProblem(language, EXAMPLE_CODE);
  const health = ['response-healthy', ref('schemas', 'Health'), ['ok', { status: 'ok' }]] as const;
  const info = { title: language.pages.say('title'), version: manifest.version };
  const example = [tag, { openapi: '3.1.1', info, paths: {} }] as const;
  const document = ['response-document', ref('schemas', 'OpenApiDocument'), example] as const;
  const dictionaryUrl = `${URLS.dictionaries}/{language}`;
  return [
    ['indexRead', 'index', URLS.index, 'response-index', ref('schemas', 'ServiceIndex'), index],
    ['dictionariesList', 'dictionaries', URLS.dictionaries, 'response-dictionaries', links, languages],
    [
      'dictionariesRead',
      'dictionary',
      dictionaryUrl,
      'response-dictionary',
      dictionary,
      [tag, shortDictionary(context)],
    ],
    [
      'problemsList',
      'problems',
      URLS.problems,
      'response-explanations',
      arraySchema(explained),
      ['problems', [explanation]],
    ],
    ['problemsRead', 'problem', problemPath('{code}'), 'response-explanation', explained, [EXAMPLE_CODE, explanation]],
    ['livenessRead', 'live', URLS.live, ...health],
    ['readinessRead', 'ready', URLS.ready, ...health],
    ['documentsRead', 'document', openapiUrl('{language}'), ...document],
    ['documentsChoose', 'documents', URLS.openapi, ...document],
  ];
}

export function siteOperations(context: Context): readonly Operation[] {
  return listReads(context).map(([id, texts, path, response, schema, [name, value]]) => {
    const isSteady = !VARYING.includes(id);
    const keys = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
    const always: HeaderName[] = isSteady ? ['ETag_document'] : [];
    if (id === 'documentsChoose') always.push('Content-Location');
    const headers: HeaderName[] = id === 'indexRead' ? [...always, 'Link_index'] : always;
    const content = jsonContent(schema, { [name]: { value } });
    return {
      id,
      method: 'get',
      path,
      group: context.say('service-name'),
      summary: context.say(`${texts}-summary`),
      description: context.say(`${texts}-about`),
      parameters: [...keys, 'Accept-Language', ...(PAGES.includes(id) ? [LANG] : []), ...(isSteady ? CONDITIONS : [])],
      successes: {
        ...success(context, 200, response, headers, content),
        ...(isSteady ? notModified(context, ...always) : {}),
      },
      problems: [...(isSteady ? ([...QUERY_PROBLEMS, 'precondition-failed'] as const) : []), ...(PROBLEMS[id] ?? [])],
    };
  });
}

/** @returns the schema of an object with a member for each canonical name */
const mapSchema = (values: Json): Json => ({ type: 'object', additionalProperties: values });

const URL_REFERENCE: Json = { type: 'string', format: 'uri-reference' };
const INTEGER: Json = { type: 'integer', format: 'int32' };
const BOOLEAN: Json = { type: 'boolean' };

/** Members of a word that another one has replaced. */
const FORMER: readonly (keyof FormerWord)[] = ['place', 'word', 'now', 'since', 'until'];

export function siteSchemas(context: Context) {
  const { say } = context;
  const describe = (prefix: string, members: Readonly<Record<string, Json>>, optional: readonly string[] = []): Json =>
    object(describeMembers(context, prefix, members), optional);
  const text = (description: DocumentText): Json => ({ ...TEXT, description: say(description) });
  const tag = text('language-tag');
  const name = text('language-name');
  const url = { ...URL_REFERENCE, description: say('language-dictionary') };
  const [list, view] = [text('dictionary-list'), text('dictionary-view')];
  const status = { ...INTEGER, description: say('member-status') };
  return {
    ServiceIndex: describe(
      'index',
      {
        title: TEXT,
        description: TEXT,
        totals: mapSchema(COUNT),
        hooks: COUNT,
        openapi: URL_REFERENCE,
        documentation: URL_REFERENCE,
        dictionaries: URL_REFERENCE,
        languages: arraySchema(ref('schemas', 'LanguageIndex')),
      },
      ['hooks'],
    ),
    LanguageIndex: describe('language', {
      tag: TEXT,
      name: TEXT,
      collections: mapSchema(URL_REFERENCE),
      imports: mapSchema(URL_REFERENCE),
      openapi: URL_REFERENCE,
      dictionary: URL_REFERENCE,
      documentation: URL_REFERENCE,
    }),
    DictionaryLink: describe('language', { tag: TEXT, name: TEXT, translatedName: TEXT, url }),
    Dictionary: describe(
      'dictionary',
      {
        tag,
        name,
        direction: { type: 'string', enum: ['ltr', 'rtl'] },
        version: INTEGER,
        isDefault: { ...BOOLEAN, description: say('dictionary-default') },
        schema: { ...URL_REFERENCE, description: say('dictionary-own-schema') },
        collections: mapSchema(ref('schemas', 'DictionaryCollection')),
        parameters: mapSchema(ref('schemas', 'DictionaryParameter')),
        suffixes: mapSchema(TEXT),
        members: mapSchema(TEXT),
        report: mapSchema(TEXT),
        values: mapSchema(TEXT),
        flags: mapSchema(arraySchema(TEXT)),
        csv: describe('dictionary', {
          delimiter: { type: 'string', enum: Object.values(delimiters) },
          byteOrderMark: { ...BOOLEAN, description: say('dictionary-mark') },
          decimals: { type: 'string', enum: ['.', ','] },
        }),
        problems: mapSchema(TEXT),
        former: arraySchema(object(Object.fromEntries(FORMER.map((member) => [member, TEXT])))),
      },
      ['former'],
    ),
    DictionaryCollection: describe(
      'dictionary',
      {
        parent: TEXT,
        word: text('dictionary-segment'),
        label: TEXT,
        description: TEXT,
        paths: object({
          list,
          item: text('dictionary-item'),
          ...Object.fromEntries(viewNames.map((each) => [each, view])),
        }),
        fields: mapSchema(ref('schemas', 'DictionaryField')),
      },
      ['parent', 'label', 'description'],
    ),
    DictionaryField: describe(
      'dictionary',
      {
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
        choices: mapSchema(TEXT),
        schema: { type: 'object' },
      },
      ['label', 'description', 'range', 'unique', 'refersTo', 'unit', 'choices'],
    ),
    DictionaryParameter: describe(
      'dictionary',
      {
        word: TEXT,
        description: TEXT,
        kind: { type: 'string', enum: ['field', 'collection', 'value', 'integer', 'text', 'token'] },
        lists: arraySchema(TEXT),
        items: arraySchema(TEXT),
      },
      ['description'],
    ),
    ProblemExplanation: object({
      type: text('member-type'),
      title: text('member-title'),
      status,
      code: ref('schemas', 'ProblemCode'),
      detail: text('response-explanation'),
    }),
    Health: describe('health', { status: { type: 'string', enum: ['ok'] } }),
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
