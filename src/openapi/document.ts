import manifest from '../../package.json' with { type: 'json' };
import { TARGET_LIMIT } from '../http/target.ts';
import type { Tree } from '../http/tree.ts';
import { problemPath } from '../http/urls.ts';
import { collectionOperations } from './collection-operations.ts';
import { type Context, contextOf, type DocumentOptions, type Json } from './context.ts';
import { headerComponents } from './headers.ts';
import { neutralOperations } from './neutral-operations.ts';
import { parameterComponents } from './parameters.ts';
import { pathsOf, usedProblems } from './paths.ts';
import { problemResponses } from './problem-answers.ts';
import { problemSchemas } from './problem-schemas.ts';
import { itemSchemas } from './schemas.ts';

const infoOf = ({ say, trees, catalogue, bodyLimit }: Context): Json => {
  const [top] = catalogue;
  const lists = top ? trees.map(({ paths, language }) => `\`${paths(top).list([])}\` (${language.tag})`) : [];
  return {
    title: say('title'),
    version: manifest.version,
    description: say('about', {
      trees: lists.join(', '),
      problems: problemPath('<code>'),
      target: TARGET_LIMIT,
      body: bodyLimit,
    }),
    license: { name: manifest.license, identifier: manifest.license },
  };
};

const tagsOf = ({ tree: { language }, say, catalogue }: Context): readonly Json[] => [
  ...catalogue.map((collection) => {
    const { name, about } = language.describeCollection(collection);
    return { name, description: about };
  }),
  { name: say('service-name'), description: say('service-about') },
  { name: say('methods-name'), description: say('methods-about') },
];

/** Those of the components that are referred to: most codes come only beside others of their status. */
const referred = (from: Json, components: Json): Json => {
  const text = JSON.stringify(from);
  return Object.fromEntries(Object.entries(components).filter(([name]) => text.includes(`/responses/${name}"`)));
};

/**
 * @param tree the language whose words the document holds, and whose paths it describes beside those of no language
 * @returns an OpenAPI 3.1 document
 */
export const documentOf = (tree: Tree, options: DocumentOptions): Json => {
  const context = contextOf(tree, options);
  const operations = [
    ...options.catalogue.flatMap((collection) => collectionOperations(context, collection)),
    ...neutralOperations(context),
  ];
  const used = usedProblems(operations);
  const paths = pathsOf(context, operations);
  return {
    openapi: '3.1.1',
    info: infoOf(context),
    servers: [{ url: '/' }],
    // Whoever reaches the service may do everything.
    security: [],
    tags: tagsOf(context),
    paths,
    components: {
      schemas: { ...itemSchemas(context), ...problemSchemas(context, used) },
      parameters: parameterComponents(context),
      headers: headerComponents(context),
      responses: referred(paths, problemResponses(context, used)),
    },
  };
};
