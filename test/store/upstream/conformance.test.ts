/** What every store must do, of the gateway before APIs of others. */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import type { MappingFile } from '../../../src/store/upstream/mapping/mapping.ts';
import { upstream } from '../../../src/store/upstream/upstream.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, carsListed, remove } from '../../support/conformance/fixtures.ts';
import { idempotencyKeys } from '../../support/conformance/idempotency.ts';
import { anyList } from '../../support/conformance/lists/any-list.ts';
import { changedGroups, groupLists } from '../../support/conformance/lists/groups.ts';
import { lists } from '../../support/conformance/lists/lists.ts';
import { longLists } from '../../support/conformance/lists/long-lists.ts';
import { searchLists } from '../../support/conformance/lists/search.ts';
import { malformedIntents } from '../../support/conformance/malformed.ts';
import { preconditions } from '../../support/conformance/preconditions.ts';
import { outcomes } from '../../support/conformance/writes.ts';
import { listening, peers } from '../../support/peers/peers.ts';

/** It chooses every `id` by itself, so that the keys of cars are a member beside it. */
const OWN_KEYS: MappingFile['collections'] = {
  cars: { id: 'id' },
  oils: { path: '/oils', parent: 'car', id: 'id' },
};

type Peer = keyof typeof peers;
type Part = readonly [name: string, of: 'readers' | 'writers', part: (store: () => Store) => void];

const LACKING = {
  preconditions: 'it has no conditions: they are refused',
  'idempotency keys': 'it keeps no results: they are refused',
};

/** Each part of what every store must do. Those of numbers of changes, imports and nested items are of stores that declare them. */
const PARTS: readonly Part[] = [
  ['lists', 'readers', lists],
  ['groups', 'readers', groupLists],
  ['long lists', 'readers', longLists],
  ['outcomes of writes', 'writers', outcomes],
  ['any list', 'writers', anyList],
  ['searches', 'writers', searchLists],
  ['groups that change', 'writers', changedGroups],
  ['intents that fit no collection', 'writers', malformedIntents],
  ['preconditions', 'writers', preconditions],
  ['idempotency keys', 'writers', idempotencyKeys],
];

/** The differences of each: the parts that it is not put through, and why. */
const DIFFERENCES: Readonly<Record<Peer, Readonly<Record<string, string>>>> = {
  'json-server 0.17': LACKING,
  'json-server 1.0': LACKING,
  'a stand-in for PostgREST': LACKING,
  'this service, in Spanish': {
    'any list': 'ranges that are empty are refused there, as the gateway does before it asks a store',
    searches: 'those without words are refused there, as the gateway does before it asks a store',
    preconditions: 'a revision is a digest of the values, which may come again; `writes.test.ts` has its conditions',
    'idempotency keys':
      'it compares what is sent by itself, where these tests only say that it is the same; `writes.test.ts` has them',
  },
};

describe.each(Object.keys(peers) as Peer[])('%s', (peer) => {
  const partsOf = (kind: Part[1]) =>
    PARTS.filter(([name, of]) => of === kind && DIFFERENCES[peer][name] === undefined).map(([, , part]) => part);
  const opened = (): (() => Store) => {
    let store: Store | undefined;
    const ends: (() => void)[] = [];
    beforeAll(async () => {
      const { listener, mapping } = await peers[peer]({ cars: [], oils: [] });
      const url = await listening(listener, (end) => void ends.push(end));
      const own = { ...mapping, collections: peer === 'json-server 1.0' ? OWN_KEYS : (mapping.collections ?? {}) };
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
  for (const part of partsOf('readers')) describe('filled once', () => part(opened()));
  describe('empty each time', () => {
    const store = opened();
    beforeEach(async () => {
      for (const key of await carsListed(store())) await remove(store(), cars, [key]);
    });
    for (const part of partsOf('writers')) part(store);
  });
});
