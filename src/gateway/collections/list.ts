import type { Methods } from '../dispatch/methods.ts';
import type { Representation } from '../formats/representation.ts';
import type { Tree } from '../http/tree.ts';
import type { Query } from '../model/query.ts';
import { fileFormatOf } from '../read/content-type.ts';
import { get } from '../read/get.ts';
import { queryReader } from '../read/query/list-query.ts';
import { itemCreator } from './create-item.ts';
import type { Imports } from './import.ts';
import { listReader } from './read-list.ts';
import type { Resource, ResourceOptions } from './resource.ts';

/** The verbs of a collection. */
export const listRoutes = (tree: Tree, resource: Resource, options: ResourceOptions): Methods => {
  const { collection, parentKeys } = resource;
  const representations = resource.ofList;
  let made: Imports | undefined;
  /** Loaded with the first import, because the readers of all formats are loaded with it. */
  const imports = async (): Promise<Imports> => {
    const { importsOf } = await import('./import.ts');
    made ??= importsOf(tree, resource, options);
    return made;
  };
  const create = itemCreator(tree, resource, options, async (...array) => (await imports()).ofArray(...array));
  const others = options.trees.filter((each) => each !== tree).map(({ language }) => language);
  const named = ({ format }: Query): Representation | undefined =>
    representations.find((each) => each.format.name === format);

  return {
    GET: get(
      representations,
      queryReader(tree.language, others, collection),
      listReader(tree, resource, options),
      named,
    ),

    OPTIONS: (c) => resource.requireKeys(parentKeys(c)),

    POST: (c) => {
      const format = fileFormatOf(c.req.raw.headers.get('content-type'));
      return format ? imports().then(({ ofFile }) => ofFile(c, format)) : create(c);
    },
  };
};
