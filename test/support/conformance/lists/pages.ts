/** Pages of rows that are kept as they were rendered: always what a list reads, whoever wrote in between. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ListFormat, Store } from '../../../../src/store/port.ts';
import { cars, createCar, type ListRequest, queryOf, readList } from '../fixtures.ts';

const PAGES: readonly ListRequest[] = [
  { size: 5 },
  { size: 5, page: 2 },
  { size: 7, sort: 'brand' },
  { size: 7, sort: 'year', order: 'desc' },
  { size: 6, filters: { brand: ['SEAT'] } },
];

export const format: ListFormat = {
  start: '[',
  row: ([revision, ...cells]) => JSON.stringify([revision, ...cells.slice(0, cars.fields.length)]),
  separator: ',',
  end: ']',
};

/** @returns reads a page as a list would; of what is left to `list`, nothing */
export const pagesOf = (store: Store, room: number, written = format) => {
  const read = store.pages?.(cars, written, room);
  return async (asked: ListRequest) => {
    const found = await read?.([], queryOf(cars, asked));
    if (!found) return undefined;
    const { total, change } = found;
    if ('content' in found) return { total, change, rows: JSON.parse(Buffer.from(found.content).toString()) };
    return { total, change, rows: (await found.chunks.next()).value ?? [] };
  };
};

/** @returns expects that each page is what the list reads; rows that were found once are found again */
export const comparing = (store: Store, room: number, asks = PAGES) => {
  const read = pagesOf(store, room);
  return async (): Promise<void> => {
    for (const asked of asks) {
      const [found, listed] = [await read(asked), await readList(store, cars, [], asked)];
      expect(found ?? listed).toEqual(listed);
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
