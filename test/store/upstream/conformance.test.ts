/**
 * What every store must do, of the gateway before APIs of others. What they lack is in the table of `docs/upstream.md`; parts that
 * are not run say why.
 */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import type { Store } from '../../../src/store/store.ts';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { upstream } from '../../../src/store/upstream/upstream.ts';
import { cars, carsListed, remove } from '../../support/conformance/fixtures.ts';
import { anyList } from '../../support/conformance/lists/any-list.ts';
import { groupLists } from '../../support/conformance/lists/groups.ts';
import { lists } from '../../support/conformance/lists/lists.ts';
import { longLists } from '../../support/conformance/lists/long-lists.ts';
import { searchLists } from '../../support/conformance/lists/search.ts';
import { outcomes } from '../../support/conformance/writes.ts';
import { listening, peers } from '../../support/peers/peers.ts';

/** It chooses every `id` by itself, so that the keys of cars are a member beside it. */
const OWN_KEYS: MappingFile['collections'] = {
  cars: { id: 'id' },
  oils: { path: '/oils', parent: 'car', id: 'id' },
};

const readers = [lists, groupLists, longLists];
// Writes at the same time go by connections of their own, and are in no order.
const writers = [outcomes];
const parts = [
  { peer: 'json-server 0.17', readers, writers: [...writers, anyList, searchLists], collections: {} },
  { peer: 'json-server 1.0', readers, writers: [...writers, anyList, searchLists], collections: OWN_KEYS },
  // Searches without words and ranges that are empty are refused there, as the gateway does before it asks a store.
  { peer: 'this service, in Spanish', readers, writers, collections: {} },
] as const;

describe.each(parts)('$peer', ({ peer, readers, writers, collections }) => {
  const opened = (): (() => Store) => {
    let store: Store | undefined;
    const ends: (() => void)[] = [];
    beforeAll(async () => {
      const { listener, mapping } = await peers[peer]({ cars: [], oils: [] });
      const url = await listening(listener, (end) => void ends.push(end));
      const own = { ...mapping, collections: { ...mapping.collections, ...collections } };
      store = upstream(url, own, catalogue) as Store;
    });
    afterAll(() => {
      for (const end of ends) end();
    });
    return () => {
      if (!store) throw new TypeError('no store is open');
      return store;
    };
  };
  for (const part of readers) describe('filled once', () => part(opened()));
  describe('empty each time', () => {
    const store = opened();
    beforeEach(async () => {
      for (const key of await carsListed(store())) await remove(store(), cars, [key]);
    });
    for (const part of writers) part(store);
  });
});
