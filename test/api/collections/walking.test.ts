import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
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
const { send } = useApp({ given: cars.map((car) => ['/api/cars', car]) });

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
  [['clima', 'true']],
  [['brand', 'nobody & co']],
];
const asked = fc.record({
  tree: fc.constantFrom(...trees),
  filter: fc.constantFrom(...filters),
  sort: fc.option(fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })),
  order: fc.option(fc.constantFrom('asc' as const, 'desc' as const)),
  size: fc.integer({ min: 1, max: 70 }),
});

const runs = { numRuns: runsOf(100) };

const linksIn = (header: string | null): ReadonlyMap<string, string> =>
  new Map(
    [...(header ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, address = '', relation = '']) => [
      relation,
      address,
    ]),
  );

test('walking the pages by their links passes every item of the list once, in order, and back', () =>
  fc.assert(
    fc.asyncProperty(asked, async ({ tree, filter: pairs, sort, order, size }) => {
      const query = new URLSearchParams([
        ...pairs.map(([name, value]) => [tree[name], value]),
        ...(sort === null ? [] : [[tree.sort_by, sort.map((name) => tree[name]).join()]]),
        ...(order === null ? [] : [[tree.order, tree[order]]]),
      ]);
      const whole = await send('GET', `${tree.cars}?${query}`);
      query.set(tree.number_of_elements, String(size));

      const pages: unknown[][] = [];
      let links = linksIn(null);
      let address: string | undefined = `${tree.cars}?${query}`;
      const first = linksIn((await send('GET', address)).headers.get('link')).get('first');
      const visited: string[] = [];
      while (address !== undefined) {
        const { json, headers } = await send('GET', address);
        expect(headers.get('x-total-count')).toBe(String(whole.json.length));
        pages.push(json);
        links = linksIn(headers.get('link'));
        visited.push(address);
        address = links.get('next');
      }
      expect(pages.flat()).toEqual(whole.json);
      expect(pages.length).toBe(Math.max(1, Math.ceil(whole.json.length / size)));
      expect(pages.slice(0, -1).every((page) => page.length === size)).toBe(true);
      expect(links.get('last')).toBe(visited.length > 1 ? visited.at(-1) : first);
      expect(links.get('prev')).toBe(visited.length > 2 ? visited.at(-2) : visited.length > 1 ? first : undefined);
    }),
    runs,
  ));

test('a link that is followed is linked to by the same words', () =>
  fc.assert(
    fc.asyncProperty(
      asked,
      fc.integer({ min: 1, max: 70 }),
      async ({ tree, filter: pairs, sort, order, size }, page) => {
        const query = new URLSearchParams([
          ...pairs.map(([name, value]) => [tree[name], value]),
          [tree.number_of_elements, String(size)],
          [tree.page, String(page)],
          ...(sort === null ? [] : [[tree.sort_by, sort.map((name) => tree[name]).join()]]),
          ...(order === null ? [] : [[tree.order, tree[order]]]),
        ]);
        const links = linksIn((await send('GET', `${tree.cars}?${query}`)).headers.get('link'));
        for (const relation of ['first', 'last']) {
          const followed = linksIn((await send('GET', links.get(relation) ?? '')).headers.get('link'));
          expect(followed.get(relation)).toBe(links.get(relation));
          expect(followed.get('first')).toBe(links.get('first'));
        }
        const other = linksIn((await send('GET', links.get('alternate') ?? '')).headers.get('link'));
        const back = linksIn((await send('GET', other.get('alternate') ?? '')).headers.get('link'));
        expect(back).toEqual(links);
      },
    ),
    runs,
  ));
