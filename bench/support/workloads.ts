/** What users ask for: many items, lists that nobody asked for before, while somebody writes. */
import { requestText } from './load.ts';
import { BRANDS, carAt, identifierAt, scatter } from './records.ts';

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

/** From 0 up to 1; the same sequence on each run. */
const randomAt = (number: number): number => scatter(number + 20_261_121) / 2 ** 32;

/** Rank r is drawn as often as 1/r of the first: the inverse of the harmonic sum, near enough for a load. */
const zipfUpTo = (count: number, random: number): number =>
  Math.min(count - 1, Math.floor(Math.exp(random * Math.log(count + 1)) - 1));

/** Popular cars stand anywhere in the catalogue: a prime step spreads the ranks. */
const spread = (rank: number, count: number): number => (rank * 7_919) % count;

export const itemPath = ({ collection }: Words, number: number): string => `${collection}/${identifierAt(number)}`;

/** A request of a workload by its place in the order in which they are sent. */
type RequestAt = (words: Words, cars: number, at: number) => string;

const getItem = (words: Words, number: number): string => requestText('GET', itemPath(words, number));
const getAny: RequestAt = (words, cars, at) => getItem(words, Math.floor(randomAt(at) * cars));
const getPopular: RequestAt = (words, cars, at) => getItem(words, spread(zipfUpTo(cars, randomAt(at)), cars));
const getOneOfThousand: RequestAt = (words, cars, at) => getItem(words, spread(at % 1_000, cars));

/** Sizes of lists, 50 on average, so that each brand has many lists; and pages of each. */
const SIZES = 21;
const MOST_ELEMENTS = 60;
const MOST_PAGES = 20;

/** @returns a text in one of the ways to write it in large and small letters, of which the shortest brand has eight */
const spelt = (text: string, at: number): string =>
  [...text].map((letter, place) => ((at >> place) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** So many that no run of the load comes to the end: each list in one spelling, at an address of its own, before any in the next. */
const getList: RequestAt = ({ collection, brand, size, page }, cars, at) => {
  const pages = Math.max(1, Math.min(MOST_PAGES, Math.floor(cars / BRANDS.length / MOST_ELEMENTS)));
  const lists = BRANDS.length * SIZES * pages;
  const list = spread(at % lists, lists);
  const value = encodeURIComponent(spelt(BRANDS[list % BRANDS.length] ?? '', Math.floor(at / lists)));
  const [elements, number] = [Math.floor(list / BRANDS.length) % SIZES, Math.floor(list / BRANDS.length / SIZES)];
  const query = `${brand}=${value}&${size}=${MOST_ELEMENTS - elements}&${page}=${number + 1}`;
  return requestText('GET', `${collection}?${query}`);
};

/** A car without a key, which the server makes. */
const postCar: RequestAt = ({ collection }, _cars, at) => {
  const { identifier: _made, ...car } = carAt(at % 1_000);
  return requestText('POST', collection, car);
};

/** Changes a car anywhere in the catalogue, each another one. */
export const putAny: RequestAt = (words, cars, at) =>
  requestText('PUT', itemPath(words, Math.floor(randomAt(-at) * cars)), { [words.power]: at % 10_000 });

/** `warmUp`: requests before anything is measured. What has run for days is compiled, and has in memory what it can have. */
export const WORKLOADS = {
  uniform: { title: 'GET item, uniformly at random', warmUp: 100_000, requestAt: getAny },
  zipf: { title: 'GET item, Zipf (s = 1)', warmUp: 20_000, requestAt: getPopular },
  repeated: { title: 'GET item, a thousand again and again', warmUp: 10_000, requestAt: getOneOfThousand },
  lists: { title: 'GET list of some 50, filtered, no two alike', warmUp: 4_000, requestAt: getList },
  posts: { title: 'POST, durable, 64 connections', warmUp: 4_000, requestAt: postCar },
} as const;
export type WorkloadName = keyof typeof WORKLOADS;
