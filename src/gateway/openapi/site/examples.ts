/** Examples of responses outside the trees: short ones, derived from the catalogue. */
import manifest from '../../../../package.json' with { type: 'json' };
import { problemPath, type Tree, URLS, urlsIn } from '../../http/urls.ts';
import { autonymOf, directionOf, languageName } from '../../locale/names.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { TOTAL } from '../../model/query.ts';
import { listParameters } from '../../read/query/query.ts';
import { problems } from '../../texts/problem.ts';
import type { Context } from '../shared/context.ts';
import { EXAMPLE_CODE } from './schemas.ts';

const languageIndex = ({ catalogue }: Context, { language, paths }: Tree) => {
  const top = catalogue.filter(({ parent }) => parent === undefined);
  return {
    tag: language.tag,
    name: autonymOf(language.tag),
    collections: Object.fromEntries(top.map((each) => [each.name, paths(each).list([])])),
    ...urlsIn(language),
  };
};

const indexExample = (context: Context) => {
  const { tree, trees, catalogue } = context;
  const [top] = catalogue;
  return {
    title: tree.language.pages.say('title'),
    description: tree.language.pages.say('summary'),
    totals: top ? { [top.name]: 2 } : {},
    openapi: URLS.openapi,
    documentation: URLS.documentation,
    dictionaries: URLS.dictionaries,
    languages: trees.map((each) => languageIndex(context, each)),
  };
};

/** A dictionary with the first field of the first collection, and with one parameter. */
const dictionaryExample = ({ tree, catalogue }: Context) => {
  const { language } = tree;
  const [top] = catalogue;
  const parameter = top && listParameters(language, top).find(({ kind }) => kind !== 'filter');
  const [direction = ''] = language.directions.names;
  const field = top?.fields[0];
  return {
    tag: language.tag,
    name: autonymOf(language.tag),
    direction: directionOf(language.tag),
    collections: top && {
      [top.name]: {
        word: language.paths(undefined).word(top.name),
        paths: { list: tree.paths(top).list([]), item: `${tree.paths(top).list([])}/{${top.name}}` },
        fields: field && {
          [field.name]: {
            word: language.fields(top).word(field.name),
            kind: field.kind,
            required: field.required,
            schema: kindOf(field).jsonSchema(field),
          },
        },
      },
    },
    parameters: parameter && { [parameter.name]: { word: parameter.word, kind: parameter.kind } },
    members: { [TOTAL]: language.members.word(TOTAL) },
    report: { created: language.report.word('created') },
    values: { [direction]: language.directions.word(direction) },
    problems: { [EXAMPLE_CODE]: language.problem(EXAMPLE_CODE).title },
  };
};

export const siteExamples = (context: Context) => {
  const { tree, trees } = context;
  const { title, explanation } = tree.language.problem(EXAMPLE_CODE);
  return {
    index: indexExample(context),
    dictionaries: trees.map(({ language: { tag } }) => ({
      tag,
      name: autonymOf(tag),
      translatedName: languageName(tag, tree.language.tag),
      url: urlsIn({ tag }).dictionary,
    })),
    dictionary: dictionaryExample(context),
    explanation: {
      type: problemPath(EXAMPLE_CODE),
      title,
      status: problems[EXAMPLE_CODE],
      code: EXAMPLE_CODE,
      detail: explanation,
    },
    health: { status: 'ok' },
    document: {
      openapi: '3.1.1',
      info: { title: tree.language.pages.say('title'), version: manifest.version },
      paths: {},
    },
  };
};
