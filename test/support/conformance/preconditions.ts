import { beforeEach, describe, expect, test } from 'vitest';
import type { Precondition } from '../../../src/gateway/model/precondition.ts';
import type { Keys, Outcome } from '../../../src/gateway/port/port.ts';
import type { Store } from '../../../src/store/store.ts';
import { toChanges } from '../database/cells.ts';
import { getItem } from '../database/reads.ts';
import { cars, createCar, createOil, revisionOf, rowOf } from './fixtures.ts';

type State = (revision: number) => Partial<Precondition>;

const met: readonly (readonly [what: string, state: State])[] = [
  ['the revision is the one asked for', (revision) => ({ match: [revision] })],
  ['the revision is among those asked for', (revision) => ({ match: [revision + 1, revision] })],
  ['any revision will do', () => ({ match: '*' })],
  ['the revision is not the one ruled out', (revision) => ({ noneMatch: [revision + 1] })],
  ['no revision is ruled out', () => ({ noneMatch: [] })],
  ['both hold', (revision) => ({ match: [revision], noneMatch: [revision + 1] })],
];

const unmet: readonly (readonly [what: string, state: State])[] = [
  ['the revision is another one', (revision) => ({ match: [revision + 1] })],
  ['no revision would do', () => ({ match: [] })],
  ['the revision is ruled out', (revision) => ({ noneMatch: [revision + 1, revision] })],
  ['every revision is ruled out', () => ({ noneMatch: '*' })],
  ['one of two does not hold', (revision) => ({ match: [revision], noneMatch: '*' })],
];

const conditionOf = (state: Partial<Precondition>): Precondition => ({
  match: undefined,
  noneMatch: undefined,
  ...state,
});

const setDoors = (store: Store, keys: Keys, doors: number, state: Partial<Precondition>): Promise<Outcome> => {
  const changes = toChanges(cars, { doors });
  return store.write({ kind: 'update', collection: 'cars', keys, changes, precondition: conditionOf(state) });
};
const removeIf = (store: Store, keys: Keys, state: Partial<Precondition>): Promise<Outcome> =>
  store.write({ kind: 'remove', collection: 'cars', keys, precondition: conditionOf(state) });

/** A write that asks for a state of its item. */
export const preconditions = (store: () => Store): void => {
  describe('preconditions', () => {
    let revision: number;
    beforeEach(async () => {
      revision = revisionOf(await createCar(store(), 'a', { doors: 5 }));
    });

    test.each(met)('a write is done where %s', async (_, state) => {
      const row = rowOf(await setDoors(store(), ['a'], 3, state(revision)));
      expect(row[0]).toBeGreaterThan(revision);
      expect(await removeIf(store(), ['a'], state(row[0]))).toEqual({ kind: 'removed', change: expect.any(Number) });
    });

    test.each(unmet)('nothing is written where %s', async (_, state) => {
      const before = await getItem(store(), cars, ['a']);
      expect(await setDoors(store(), ['a'], 3, state(revision))).toMatchObject({ kind: 'precondition-failed' });
      expect(await removeIf(store(), ['a'], state(revision))).toMatchObject({ kind: 'precondition-failed' });
      expect(await getItem(store(), cars, ['a'])).toEqual(before);
    });

    test('they hold for an update that would change nothing', async () => {
      expect(await setDoors(store(), ['a'], 5, { match: [revision + 1] })).toMatchObject({
        kind: 'precondition-failed',
      });
      expect(revisionOf(await setDoors(store(), ['a'], 5, { match: [revision] }))).toBe(revision);
    });

    test('an item that is missing is missing, whatever is asked of it', async () => {
      const precondition = conditionOf({ match: [revision] });
      const noCar = { kind: 'missing', collection: 'cars' };
      expect(await setDoors(store(), ['b'], 3, { match: '*' })).toEqual(noCar);
      expect(await removeIf(store(), ['b'], { noneMatch: '*' })).toEqual(noCar);
      const removal = { kind: 'remove', collection: 'oils', precondition } as const;
      expect(await store().write({ ...removal, keys: ['b', '5W-30'] })).toEqual(noCar);
      expect(await store().write({ ...removal, keys: ['a', '5W-30'] })).toEqual({
        kind: 'missing',
        collection: 'oils',
      });
    });

    test('they look at the nested item, not at what is around it', async () => {
      const oil = revisionOf(await createOil(store(), 'a', '5W-30'));
      const removal = { kind: 'remove', collection: 'oils', keys: ['a', '5W-30'] } as const;
      expect(await store().write({ ...removal, precondition: conditionOf({ match: [revision] }) })).toMatchObject({
        kind: 'precondition-failed',
      });
      expect(await store().write({ ...removal, precondition: conditionOf({ match: [oil] }) })).toMatchObject({
        kind: 'removed',
      });
    });

    test('an old revision never holds again, not even after remove and create', async () => {
      await removeIf(store(), ['a'], { match: [revision] });
      await createCar(store(), 'a', { doors: 5 });
      expect(await setDoors(store(), ['a'], 3, { match: [revision] })).toMatchObject({ kind: 'precondition-failed' });
    });

    test('of twenty concurrent writes that ask for one revision one is done', async () => {
      const writes = Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? setDoors(store(), ['a'], at, { match: [revision] })
          : setDoors(store(), ['a'], 6, { match: [revision] }),
      );
      const kinds = (await Promise.all(writes)).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'written')).toHaveLength(1);
      expect(kinds.filter((kind) => kind === 'precondition-failed')).toHaveLength(19);
    });
  });
};
