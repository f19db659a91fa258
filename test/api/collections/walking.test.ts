import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { linkedFrom } from '../../support/app/links.ts';
import { trees } from '../../support/app/trees.ts';
import { runsOf } from '../../support/database/database.ts';
import { carWords } from '../../support/language/car-words.ts';

const brands = ['Seat', 'SEAT', 'seat', 'Citroën', 'citroen', 'Ávila'];

const cars = Array.from({ length: 60 }, (_, at) => ({
  identifier: `k${at}`,
  brand: brands[at % brands.length],
  model: `M${at % 7}`,
  ...(at % 3 === 0 ? {} : { year: 2000 + (at % 5) }),
  ...(at % 4 === 0 ? {} : { clima: at % 8 < 4 }),
  ...(at % 2 === 0 ? {} : { fuel: ['gas', 'Gas', 'gás'][at % 3] }),
}));
const written = useApp();

const names = carWords.en;
type Filters = readonly (readonly [name: (typeof names)[number], value: string])[];
const filters: readonly Filters[] = [
  [],
  [['brand', 'seat']],
  [
    ['brand', 'CITROËN'],
    ['brand', 'avila'],
  ],
  [
    ['year', '2001'],
    ['year', '2004'],
    ['fuel', 'GAS'],
  ],
];
const runs = { numRuns: runsOf(25) };

/** A list, and its order: by fields, by creation, or the best first. Where nobody writes: `test/api/lists/every-link.test.ts`. */
const walked = fc.record({
  tree: fc.constantFrom(...trees),
  filter: fc.constantFrom(...filters),
  search: fc.constantFrom('', 's', 'seat m', 'gas'),
  sort: fc.option(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })),
  order: fc.array(fc.constantFrom('asc' as const, 'desc' as const), { maxLength: 3 }),
  size: fc.integer({ min: 1, max: 12 }),
});
type Generated<A> = A extends fc.Arbitrary<infer T> ? T : never;
const queryOf = ({ tree, filter: pairs, search, sort, order }: Generated<typeof walked>): URLSearchParams => {
  const directions = order.slice(0, sort?.length ?? 1).map((each) => tree[each]);
  return new URLSearchParams([
    ...pairs.map(([name, value]) => [tree[name], value]),
    ...(search === '' ? [] : [[tree.search, search]]),
    ...(sort === null ? [] : [[tree.sort_by, sort.map((name) => tree[name]).join()]]),
    ...(directions.length === 0 ? [] : [[tree.order, directions.join()]]),
  ]);
};

type Car = Readonly<Record<string, unknown>> & { readonly identifier: string };
/** What somebody writes between two pages: `at` chooses the car. */
const writing = fc.record({
  kind: fc.constantFrom('create' as const, 'delete' as const, 'change' as const),
  at: fc.nat(),
  change: fc.constantFrom(
    { doors: 3 },
    { year: 2002 },
    { year: null },
    { brand: 'Ávila' },
    { model: 'M9' },
    { fuel: null },
    { clima: true },
  ),
});

let last = 0;
test('whoever walks by positions misses nothing that stays and gets nothing twice, whatever others write meanwhile', () =>
  fc.assert(
    fc.asyncProperty(walked, fc.array(fc.array(writing, { maxLength: 6 }), { maxLength: 12 }), async (list, turns) => {
      const { tree, size, filter: pairs, sort, search } = list;
      await written.send('POST', '/api/cars', cars, { prefer: 'resolution=replace-all; allow-deletions' });
      const query = queryOf(list);
      query.set(tree.number_of_elements, String(size));
      const read = async (path: string): Promise<readonly string[]> =>
        (await written.send('GET', path)).json.map((car: Record<string, string>) => car[tree.identifier]);
      const everything = `${tree.cars}?${queryOf(list)}`;
      const atFirst = await read(everything);
      const gone = new Set<string>();
      const moved = new Set<string>();
      const bound = new Set<string>([
        ...(sort ?? []),
        ...pairs.map(([name]) => name),
        ...(search === '' ? [] : ['brand', 'model', 'fuel']),
      ]);
      const write = async ({ kind, at, change }: Generated<typeof writing>): Promise<void> => {
        const all: readonly Car[] = (await written.send('GET', '/api/cars?fields=identifier')).json;
        const { identifier } = all[at % Math.max(1, all.length)] ?? { identifier: '' };
        if (kind === 'create') {
          await written.send('POST', '/api/cars', { ...cars[at % cars.length], identifier: `n${last++}` });
        } else if (kind === 'delete') {
          gone.add(identifier);
          await written.send('DELETE', `/api/cars/${identifier}`);
        } else {
          if (Object.keys(change).some((name) => bound.has(name))) moved.add(identifier);
          await written.send('PATCH', `/api/cars/${identifier}`, change);
        }
      };

      const passed: string[] = [];
      let address: string | undefined = `${tree.cars}?${query}`;
      while (address !== undefined) {
        const page = await written.send('GET', address);
        const { json } = page;
        passed.push(...json.map((car: Record<string, string>) => car[tree.identifier]));
        for (const each of turns.shift() ?? []) await write(each);
        address = linkedFrom(page, 'next') || undefined;
        if (address) expect(json.length).toBe(size);
      }
      const stays = (identifier: string): boolean => !gone.has(identifier) && !moved.has(identifier);
      expect(passed.filter((each) => stays(each) && atFirst.includes(each))).toEqual(atFirst.filter(stays));
      const unmoved = passed.filter((each) => !moved.has(each));
      expect(new Set(unmoved).size).toBe(unmoved.length);
      const atLast = (await read(everything)).filter(stays);
      expect(passed.filter((each) => stays(each) && atLast.includes(each))).toEqual(
        atLast.filter((each) => passed.includes(each)),
      );
    }),
    runs,
  ));
