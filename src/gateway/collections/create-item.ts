import type { Handler } from '../http/context.ts';
import { PREFER_HEADER, REPLAYED } from '../http/headers.ts';
import { contentHeaders, itemTag, respondWith } from '../http/respond.ts';
import type { Tree } from '../http/urls.ts';
import type { Cell } from '../model/field.ts';
import { idempotencyReader, payloadOf } from '../read/idempotency.ts';
import { refuseCheck } from '../read/import-preferences.ts';
import type { Imports } from './import.ts';
import type { Resource, ResourceOptions } from './resource.ts';

/** @returns a function that creates the item in the body of a POST to a list */
export const itemCreator = (
  tree: Tree,
  { collection, links, parentKeys, ...resource }: Resource,
  { store, assignKey, idempotencyTtl, clientIdOf }: ResourceOptions,
  importArray: Imports['ofArray'],
): Handler => {
  const paths = tree.paths(collection);
  const readIdempotency = idempotencyReader(idempotencyTtl, clientIdOf);
  return resource.withBody(
    'create',
    async (c, { cells, problem }, representation) => {
      refuseCheck(c.req.raw.headers.get(PREFER_HEADER));
      const parents = parentKeys(c);
      const idempotency = readIdempotency(c);
      if (problem) {
        if (collection.parent) await resource.requireItem(collection.parent, parents);
        throw problem;
      }
      const [sentKey, ...rest] = cells.map((cell): Cell => cell ?? null);
      const key = String(sentKey ?? assignKey());
      const outcome = await store.write({
        kind: 'create',
        collection: collection.name,
        parents,
        cells: [key, ...rest],
        idempotency: idempotency?.(payloadOf(collection, parents, cells)),
      });
      const row = resource.rowOf(outcome, [...parents, key]);
      // The item may be that of an earlier request with this idempotency key, and have another key.
      const keys = [...parents, String(row[1])];
      const Location = paths.item(keys);
      const headers = {
        ...contentHeaders(representation.headers, links.ofItem(keys)),
        Location,
        'Content-Location': Location,
        ETag: itemTag(row[0], representation.tagMark),
        ...(outcome.kind === 'written' && outcome.isUnchanged ? REPLAYED : {}),
      };
      return respondWith(
        c,
        201,
        representation.item(row),
        headers,
        resource.changes.wrote(c, 'created', keys, outcome),
      );
    },
    importArray,
  );
};
