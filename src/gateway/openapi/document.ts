import manifest from '../../../package.json' with { type: 'json' };
import { TARGET_LIMIT } from '../http/request.ts';
import { problemPath, type Tree } from '../http/urls.ts';
import { accepted, type FormerWord } from '../locale/former.ts';
import type { SharedSchema } from '../texts/collection-text.ts';
import { byteSize } from '../texts/size.ts';
import { formerPaths } from './collections/former.ts';
import { collectionOperations } from './collections/operations.ts';
import { parameterComponents } from './collections/parameters.ts';
import { reportSchemas } from './collections/report.ts';
import { itemSchemas } from './collections/schemas.ts';
import { pathsOf, securityComponents } from './paths.ts';
import { problemComponents, problemExamples, problemSchemas } from './problems.ts';
import { type Context, contextOf, type DocumentOptions, type Json } from './shared/context.ts';
import { headerComponents } from './shared/headers.ts';
import { siteOperations } from './site/operations.ts';
import { siteSchemas } from './site/schemas.ts';

/** A schema for each name that no schema of a collection may have. */
const sharedSchemasOf = (context: Context): Readonly<Record<SharedSchema, Json>> => ({
  ...siteSchemas(context),
  ...problemSchemas(context),
  ...reportSchemas(context),
});

const infoOf = ({ say, tree: { language }, trees, catalogue, bodyLimit }: Context): Json => {
  const [top] = catalogue;
  const former = accepted(language.former);
  const replaced = ({ word, now, until }: FormerWord): string => `\`${word}\` → \`${now}\` (${until})`;
  const lists = top ? trees.map(({ paths, language: { tag } }) => `\`${paths(top).list([])}\` (${tag})`) : [];
  return {
    title: language.pages.say('title'),
    version: manifest.version,
    description: [
      `${language.pages.say('about')} ${say('about', {
        trees: lists.join(', '),
        problems: problemPath('<code>'),
        target: byteSize(TARGET_LIMIT),
        body: byteSize(bodyLimit),
      })}`,
      say('headers-about'),
      say('methods-about'),
      ...(former.length > 0 ? [say('former-about', { list: former.map(replaced).join(', ') })] : []),
    ].join('\n\n'),
    license: { name: manifest.license, identifier: manifest.license },
  };
};

const tagsOf = ({ tree: { language }, say, catalogue }: Context): readonly Json[] => [
  ...catalogue.map((collection) => {
    const { name, about } = language.documents.collection(collection);
    return { name, description: about };
  }),
  { name: say('service-name'), description: say('service-about') },
];

/**
 * @param tree the language whose words the document contains, and whose paths it describes beside those of no language
 * @returns an OpenAPI 3.1 document
 */
export const documentOf = (tree: Tree, options: DocumentOptions): Json => {
  const context = contextOf(tree, options);
  const operations = [
    ...options.catalogue.flatMap((collection) => {
      const own = collectionOperations(context, collection);
      return [...own, ...formerPaths(context, collection, own)];
    }),
    ...siteOperations(context),
  ];
  return {
    openapi: '3.1.1',
    info: infoOf(context),
    // No `servers`: the default is `/`, which some generators put before a path's own slash when it is written out. An
    // operation that needs a key has a `security` of its own.
    security: [],
    tags: tagsOf(context),
    paths: pathsOf(context, operations),
    components: {
      schemas: { ...itemSchemas(context), ...sharedSchemasOf(context) },
      parameters: parameterComponents(context),
      headers: headerComponents(context),
      responses: problemComponents(context),
      examples: problemExamples(context),
      ...securityComponents(context),
    },
  };
};
