import { itemRepresentations } from '../../formats/formats.ts';
import type { DocumentTranslator } from '../../locale/translators.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import { type Context, keyParameter } from '../shared/context.ts';
import type { HeaderName } from '../shared/headers.ts';
import { type Content, type Examples, OF_PATH, type Operation } from '../shared/operation.ts';
import { itemContent } from './item-content.ts';
import { keyParameters } from './parameters.ts';
import { exampleItems } from './schemas.ts';

/** Converts a route's pattern to a path template of OpenAPI: `/api/coches/:cars` to `/api/coches/{identificador}`. */
const templateOf = (context: Context, pattern: string): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => {
    const collection = context.catalogue.find((each) => each.name === name);
    return `{${collection ? keyParameter(context, collection) : name}}`;
  });

/** The path of an operation. */
type Location = Pick<Operation, 'group' | 'path' | 'pathParameters' | 'pathProblems'>;

/** What the operations of one collection have in common. */
export interface Parts {
  readonly context: Context;
  readonly collection: Collection;
  readonly words: ReturnType<DocumentTranslator['collection']>;
  readonly ofList: Location;
  readonly ofItem: Location;
  readonly examples: Examples;
  /** The content of responses with an item. */
  readonly item: readonly Content[];
  /** Headers of these responses. */
  readonly headers: readonly HeaderName[];
  /** Problems where a parent does not exist. */
  readonly missingParent: readonly ProblemCode[];
}

export const partsOf = (context: Context, collection: Collection): Parts => {
  const { tree } = context;
  const { parent } = collection;
  const { listPattern, itemPattern } = tree.paths(collection);
  const isFile = itemRepresentations(tree.language, collection).some(({ format }) => format.isFile);
  const words = tree.language.documents.collection(collection);
  const ofList = {
    group: words.name,
    path: templateOf(context, listPattern),
    pathParameters: parent ? keyParameters(parent) : [],
    pathProblems: parent ? OF_PATH : [],
  };
  const ofItem = {
    group: words.name,
    path: templateOf(context, itemPattern),
    pathParameters: keyParameters(collection),
    pathProblems: OF_PATH,
  };
  return {
    context,
    collection,
    words,
    ofList,
    ofItem,
    examples: exampleItems(context, collection),
    item: itemContent(context, collection),
    headers: ['Link.item', ...(isFile ? (['Content-Disposition'] as const) : [])],
    missingParent: parent ? ['not-found'] : [],
  };
};
