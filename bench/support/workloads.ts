/** What users ask for: many items, lists that nobody asked for before, while somebody writes. */
import type { LoadRequest } from './load.ts';
import { BRANDS, type Car, carAt, carsUpTo, scatter } from './records.ts';

/** The words of one tree, typed out, so that a wrong word in the service's tables is found and not repeated. */
export type Words = Readonly<Record<'collection' | 'brand' | 'size' | 'page' | 'power', string>>;

export const ENGLISH: Words = {
  collection: '/api/cars',
  brand: 'brand',
  size: 'number_of_elements',
  page: 'page',
  power: 'enginePower',
};
export const SPANISH: Words = {
  collection: '/api/coches',
  brand: 'marca',
  size: 'numero_de_elementos',
  page: 'pagina',
  power: 'cilindrada',
};

export type Workload = 'uniform' | 'zipf' | 'repeated' | 'lists' | 'posts';

/** Requests of one run of the load: more than it sends before it comes to the end, or as many as there are. */
const REQUESTS = 200_000;
const REPEATED = 1_000;
/** Sizes of lists, 50 on average, so that each brand has many lists; and pages of each. */
const SIZES = 21;
const MOST_ELEMENTS = 60;
const MOST_PAGES = 20;
/** Spellings of each value, of which the shortest name has no more: all of them ask for the same list, at an address of its own. */
const SPELLINGS = 8;

/** From 0 up to 1; the same sequence on each run. */
const randomAt = (number: number): number => scatter(number + 20_261_121) / 2 ** 32;

/** Rank r is drawn as often as 1/r of the first: the inverse of the harmonic sum, near enough for a load. */
const zipfUpTo = (count: number, random: number): number =>
  Math.min(count - 1, Math.floor(Math.exp(random * Math.log(count + 1)) - 1));

/** Popular cars stand anywhere in the catalogue: a prime step spreads the ranks. */
const spread = (rank: number, count: number): number => (rank * 7_919) % count;

/** @returns a text in one of the ways to write it in large and small letters */
const spelt = (text: string, at: number): string =>
  [...text].map((letter, place) => ((at >> place) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

export const itemPath = ({ collection }: Words, { identifier }: Car): string => `${collection}/${identifier}`;

/** None twice, and so many that no run of the load comes to the end; each list in one spelling before any in the next. */
const listPaths = ({ collection, brand, size, page }: Words, cars: number): readonly string[] => {
  const pages = Math.max(1, Math.min(MOST_PAGES, Math.floor(cars / BRANDS.length / MOST_ELEMENTS)));
  const lists = BRANDS.length * SIZES * pages;
  return Array.from({ length: lists * SPELLINGS }, (_, at) => {
    const list = spread(at % lists, lists);
    const value = encodeURIComponent(spelt(BRANDS[list % BRANDS.length] ?? '', Math.floor(at / lists)));
    const [elements, number] = [Math.floor(list / BRANDS.length) % SIZES, Math.floor(list / BRANDS.length / SIZES)];
    return `${collection}?${brand}=${value}&${size}=${MOST_ELEMENTS - elements}&${page}=${number + 1}`;
  });
};

/** @returns the requests of a workload, in the order in which they are sent */
export const requestsOf = (workload: Workload, words: Words, cars: number): readonly LoadRequest[] => {
  const items = (count: number, next: (at: number) => number): readonly LoadRequest[] =>
    Array.from({ length: count }, (_, at) => ({ path: itemPath(words, carAt(next(at))) }));
  switch (workload) {
    case 'uniform':
      return items(REQUESTS, (at) => Math.floor(randomAt(at) * cars));
    case 'zipf':
      return items(REQUESTS, (at) => spread(zipfUpTo(cars, randomAt(at)), cars));
    case 'repeated':
      return items(REPEATED, (at) => spread(at, cars));
    case 'lists':
      return listPaths(words, cars).map((path) => ({ path }));
    case 'posts':
      // Cars without a key, which the server makes.
      return carsUpTo(1_000).map(({ identifier: _made, ...car }) => ({
        path: words.collection,
        body: JSON.stringify(car),
      }));
  }
};

/** @returns changes of cars anywhere in the catalogue, each another one */
export const changesOf = (words: Words, cars: number): readonly LoadRequest[] =>
  Array.from({ length: 10_000 }, (_, at) => ({
    path: itemPath(words, carAt(Math.floor(randomAt(-at) * cars))),
    body: JSON.stringify({ [words.power]: at }),
  }));
