/** What users ask for: many items, lists that nobody asked for before, while somebody writes. */
import type { en, es } from '../../test/support/app/trees.ts';
import { requestText } from './load.ts';
import { BRANDS, type Car, carAt, identifierAt, scatter } from './records.ts';

export type Words = typeof en | typeof es;

/** From 0 up to 1; the same sequence on each run. */
const randomAt = (number: number): number => scatter(number + 20_261_121) / 2 ** 32;

/** A prime step, so that neighbours are far apart. */
const spread = (rank: number, count: number): number => (rank * 7_919) % count;

export const itemPath = ({ cars }: Words, number: number): string => `${cars}/${identifierAt(number)}`;

/** A request of a workload by its place in the order in which they are sent. */
type RequestAt = (words: Words, cars: number, at: number) => string;

const getItem = (words: Words, number: number): string => requestText('GET', itemPath(words, number));
const getAny: RequestAt = (words, cars, at) => getItem(words, Math.floor(randomAt(at) * cars));

/** Sizes of lists, 50 on average, so that each brand has many lists; and pages of each. */
const SIZES = 21;
const MOST_ELEMENTS = 60;
const MOST_PAGES = 20;

/** @returns a text in one of the ways to write it in large and small letters, of which the shortest brand has eight */
const spelt = (text: string, at: number): string =>
  [...text].map((letter, place) => ((at >> place) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** So many that no run of the load comes to the end: each list in one spelling, at an address of its own, before any in the next. */
const getList: RequestAt = ({ cars: path, brand, number_of_elements: size, page }, cars, at) => {
  const pages = Math.max(1, Math.min(MOST_PAGES, Math.floor(cars / BRANDS.length / MOST_ELEMENTS)));
  const lists = BRANDS.length * SIZES * pages;
  const list = spread(at % lists, lists);
  const value = encodeURIComponent(spelt(BRANDS[list % BRANDS.length] ?? '', Math.floor(at / lists)));
  const [elements, number] = [Math.floor(list / BRANDS.length) % SIZES, Math.floor(list / BRANDS.length / SIZES)];
  const query = `${brand}=${value}&${size}=${MOST_ELEMENTS - elements}&${page}=${number + 1}`;
  return requestText('GET', `${path}?${query}`);
};

/** A car without a key, which the server makes. */
const postCar: RequestAt = (words, _cars, at) => {
  const { identifier: _made, ...car } = carAt(at % 1_000);
  const members = Object.entries(car).map(([name, value]) => [words[name as keyof Car], value]);
  return requestText('POST', words.cars, Object.fromEntries(members));
};

/** Changes a car anywhere in the catalogue, each another one. */
export const putAny: RequestAt = (words, cars, at) =>
  requestText('PUT', itemPath(words, Math.floor(randomAt(-at) * cars)), { [words.enginePower]: at % 10_000 });

export const WORKLOADS = {
  uniform: { title: 'GET item, at random', requestAt: getAny },
  lists: { title: 'GET list of some 50, filtered, no two alike', requestAt: getList },
  posts: { title: 'POST, durable, 64 connections', requestAt: postCar },
} as const;
export type WorkloadName = keyof typeof WORKLOADS;
