/** Pages of rows that are kept as they were rendered: always what a list reads, whoever wrote in between. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Row, Store } from '../../../../src/store/port.ts';
import { cars, createCar, type ListRequest, queryOf, readList } from '../fixtures.ts';

const PAGES: readonly ListRequest[] = [
  { size: 5 },
  { size: 5, page: 2 },
  { size: 7, sort: 'brand' },
  { size: 7, sort: 'year', order: 'desc' },
  { size: 6, filters: { brand: ['SEAT'] } },
];

export const render = ([revision, ...cells]: Row): Uint8Array =>
  Buffer.from(JSON.stringify([revision, ...cells.slice(0, cars.fields.length)]));

/** @returns expects that each page is what the list reads; rows that were found once are found again */
export const comparing = (store: Store, room: number, asks = PAGES) => {
  const read = store.pages?.(cars, render, room);
  return async (): Promise<void> => {
    for (const asked of asks) {
      const page = await read?.([], queryOf(cars, asked));
      const rows = page?.rows.map((row) => JSON.parse(Buffer.from(row).toString()));
      expect({ total: page?.total, change: page?.change, rows }).toEqual(await readList(store, cars, [], asked));
    }
  };
};

export const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const BRANDS = ['Seat', 'seat', 'Citroën', 'Opel'];
const key = fc.constantFrom(...KEYS);
const cells = fc.record({ brand: fc.constantFrom(...BRANDS), year: fc.integer({ min: 1990, max: 1994 }) });
const changes = ({ brand, year }: { readonly brand: string; readonly year: number }) =>
  cars.fields.map(({ name }) => (name === 'brand' ? brand : name === 'year' ? year : undefined));

const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('create', 'update', 'remove', 'read'), key, cells), {
  maxLength: 25,
});

export const take = async (store: Store, kind: string, name: string, sent: { brand: string; year: number }) => {
  if (kind === 'create') await createCar(store, name, sent);
  if (kind === 'update') await store.write({ kind, collection: cars.name, keys: [name], changes: changes(sent) });
  if (kind === 'remove') await store.write({ kind, collection: cars.name, keys: [name] });
};

/** Expects that one store's pages are current whatever both write. */
export const expectCurrentPages = async (one: Store, two: Store, room: number, numRuns: number): Promise<void> => {
  const compare = comparing(one, room);
  // One database for all runs: what a run leaves is where the next one begins.
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      for (const [isOther, kind, name, sent] of all) {
        await take(isOther ? two : one, kind, name, sent);
        if (kind === 'read') await compare();
      }
      await compare();
    }),
    { numRuns },
  );
};
