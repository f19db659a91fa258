/** What users ask for: many items, lists that nobody asked for before, while somebody writes. */
import type { LoadRequest } from './load.ts';
import { BRANDS, type Car, carAt } from './records.ts';

/** The words of one tree, typed out, so that a wrong word in the service's tables is found and not repeated. */
export interface Words {
  readonly collection: string;
  readonly brand: string;
  readonly size: string;
  readonly page: string;
  readonly power: string;
}

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

export type Workload = 'uniform' | 'zipf' | 'repeated' | 'lists';

export const TITLES: Readonly<Record<Workload, string>> = {
  uniform: 'GET item, uniformly at random',
  zipf: 'GET item, Zipf (s = 1)',
  repeated: 'GET item, a thousand again and again',
  lists: 'GET list of some 50, filtered, total and links, none asked for twice',
};

/** Requests of one run of the load: more than it sends before it comes to the end, or as many as there are. */
const REQUESTS = 200_000;
const REPEATED = 1_000;
/** Sizes of lists: 50 on average, so that each brand has many lists. */
const SMALLEST = 40;
const SIZES = 21;

/** The same sequence on each run (Mulberry32); from 0 up to 1. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Rank r is drawn as often as 1/r of the first: the inverse of the harmonic sum, near enough for a load. */
const zipfUpTo = (count: number, random: () => number): number =>
  Math.min(count - 1, Math.floor(Math.exp(random() * Math.log(count + 1)) - 1));

/** Popular cars stand anywhere in the catalogue: a prime step spreads the ranks. */
const spread = (rank: number, count: number): number => (rank * 7_919) % count;

const shuffled = <T>(all: readonly T[], random: () => number): readonly T[] =>
  all
    .map((each) => ({ each, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each);

/** Spellings of each value, of which the shortest name has no more: all of them ask for the same list, at an address of its own. */
const SPELLINGS = 8;

/** @returns a text in one of the ways to write it in large and small letters */
const spelt = (text: string, at: number): string =>
  [...text].map((letter, place) => ((at >> place) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

export const itemPath = ({ collection }: Words, { identifier }: Car): string => `${collection}/${identifier}`;

/** None twice, and so many that no run of the load comes to the end. */
const listPaths = ({ collection, brand, size, page }: Words, cars: number, random: () => number): readonly string[] => {
  const lists = BRANDS.flatMap((name) =>
    Array.from({ length: SIZES }, (_, at) => SMALLEST + at).flatMap((elements) => {
      const pages = Math.max(1, Math.floor(cars / BRANDS.length / elements));
      return Array.from({ length: Math.min(pages, 20) }, (_, at) => ({
        name,
        rest: `&${size}=${elements}&${page}=${at + 1}`,
      }));
    }),
  );
  return Array.from({ length: SPELLINGS }, (_, at) =>
    shuffled(lists, random).map(
      ({ name, rest }) => `${collection}?${brand}=${encodeURIComponent(spelt(name, at))}${rest}`,
    ),
  ).flat();
};

/** @returns the paths of a workload, in the order in which they are asked for */
export const pathsOf = (workload: Workload, words: Words, cars: number): readonly string[] => {
  const random = randomFrom(20_261_121);
  const items = (next: () => number): readonly string[] =>
    Array.from({ length: REQUESTS }, () => itemPath(words, carAt(next())));
  switch (workload) {
    case 'uniform':
      return items(() => Math.floor(random() * cars));
    case 'zipf':
      return items(() => spread(zipfUpTo(cars, random), cars));
    case 'repeated':
      return Array.from({ length: REPEATED }, (_, at) => itemPath(words, carAt(spread(at, cars))));
    case 'lists':
      return listPaths(words, cars, random);
  }
};

/** @returns changes of cars anywhere in the catalogue, each another one */
export const changesOf = (words: Words, cars: number): readonly LoadRequest[] => {
  const random = randomFrom(7);
  return Array.from({ length: 10_000 }, (_, at) => ({
    path: itemPath(words, carAt(Math.floor(random() * cars))),
    body: JSON.stringify({ [words.power]: at }),
  }));
};
