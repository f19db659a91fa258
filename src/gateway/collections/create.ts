import type { Handler } from '../http/context.ts';
import { PREFER_HEADER, REPLAYED } from '../http/headers.ts';
import { CHANGE_HEADER, contentHeaders, inDigits, itemTag, respondWith } from '../http/respond.ts';
import type { Tree } from '../http/urls.ts';
import { newCells } from '../model/catalogue.ts';
import { idempotencyReader, payloadOf } from '../read/idempotency.ts';
import { refuseCheck } from '../read/import-preferences.ts';
import type { Imports } from './import.ts';
import type { Resource, ResourceOptions } from './resource.ts';

/** @returns creates the item in the body of a POST */
export const itemCreator = (
  tree: Tree,
  { collection, links, parentKeys, ...resource }: Resource,
  { store, assignKey, idempotencyTtl, clientIdOf }: ResourceOptions,
  importArray: Imports['ofArray'],
): Handler => {
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
      const [sentKey = null, ...rest] = newCells(collection, cells);
      const key = String(sentKey ?? assignKey());
      const outcome = await store.write({
        kind: 'create',
        collection: collection.name,
        parents,
        cells: [key, ...rest],
        idempotency: idempotency?.(payloadOf(collection, parents, cells)),
      });
      const row = await resource.rowOf(outcome, [...parents, key]);
      // The item may be that of an earlier request with this idempotency key, and have another key.
      const keys = [...parents, String(row[1])];
      const Location = tree.paths(collection).item(keys);
      const headers = {
        ...contentHeaders(representation.headers, links.ofItem(keys)),
        Location,
        'Content-Location': Location,
        ETag: itemTag(row[0], representation.tagMark),
        [CHANGE_HEADER]: inDigits(row[0]),
        ...(outcome.kind === 'written' && outcome.isUnchanged ? REPLAYED : {}),
      };
      const requestId = resource.changes.wrote(c, 'created', keys, outcome);
      return respondWith(c, 201, representation.list.row(row, 0), headers, requestId);
    },
    importArray,
  );
};
