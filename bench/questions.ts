/** What is asked of a million cars, and the right answers. */
import { fold } from './peers/cars.js';
import { PAGE } from './peers.ts';
import type { Car } from './records.ts';

/** `page` where an index gives the rows; `rest` where it cannot; `total` asks for nothing but the number. */
export type Kind = 'page' | 'rest' | 'total';

export interface Question {
  readonly kind: Kind;
  /** Filters and order, without paging. */
  readonly query: string;
  readonly matches?: (car: Car) => boolean;
  readonly sortKey?: (car: Car) => string | number | undefined;
  readonly descending?: true;
}

const isSeat = ({ brand }: Car): boolean => brand === 'Seat';
const isIbiza = ({ model }: Car): boolean => model === 'Ibiza';
const isOf2000 = ({ year }: Car): boolean => year === 2000;
const isDiesel = ({ fuel }: Car): boolean => fuel === 'Diésel';

const indexed: readonly Omit<Question, 'kind'>[] = [
  { query: '' },
  { query: 'brand=seat', matches: isSeat },
  { query: 'model=ibiza', matches: isIbiza },
  { query: 'year=2000', matches: isOf2000 },
];

export const questions: readonly Question[] = [
  ...indexed.map((each): Question => ({ ...each, kind: 'page' })),
  { kind: 'page', query: 'sort_by=brand', sortKey: ({ brand }) => fold(brand) },
  { kind: 'page', query: 'sort_by=model', sortKey: ({ model }) => fold(model) },
  { kind: 'page', query: 'sort_by=year', sortKey: ({ year }) => year },
  { kind: 'page', query: 'sort_by=year&order=desc', sortKey: ({ year }) => year, descending: true },
  ...indexed.map((each): Question => ({ ...each, kind: 'total' })),
  { kind: 'rest', query: 'fuel=diesel', matches: isDiesel },
  { kind: 'rest', query: 'brand=seat&year=2000', matches: (car) => isSeat(car) && isOf2000(car) },
  { kind: 'rest', query: 'brand=seat&brand=audi', matches: (car) => isSeat(car) || car.brand === 'Audi' },
  { kind: 'rest', query: 'brand=seat&sort_by=year', matches: isSeat, sortKey: ({ year }) => year },
  { kind: 'rest', query: 'fuel=diesel&sort_by=brand', matches: isDiesel, sortKey: ({ brand }) => fold(brand) },
  { kind: 'rest', query: 'sort_by=doors', sortKey: ({ doors }) => doors },
  { kind: 'rest', query: 'sort_by=fuel', sortKey: ({ fuel }) => fold(fuel) },
  { kind: 'rest', query: 'sort_by=identifier', sortKey: ({ identifier }) => identifier },
];

/** @returns the cars that match, in order; missing values last in both directions */
export const answerOf = ({ matches, sortKey, descending }: Question, cars: readonly Car[]): readonly Car[] => {
  const found = matches ? cars.filter(matches) : cars;
  if (!sortKey) return found;
  const keyed = found.map((car) => ({ car, key: sortKey(car) }));
  const present = keyed.filter(({ key }) => key !== undefined);
  const absent = keyed.filter(({ key }) => key === undefined);
  // Stable, so that creation decides where keys are equal; reversed as a whole, creation too.
  present.sort((a, b) => (a.key === b.key ? 0 : (a.key ?? 0) < (b.key ?? 0) ? -1 : 1));
  return [...(descending ? present.toReversed() : present), ...absent].map(({ car }) => car);
};

export const pagePath = (collection: string, { query }: Question, page: number): string =>
  `${collection}?${query ? `${query}&` : ''}number_of_elements=${PAGE}&page=${page}`;

export const totalPath = (collection: string, { query }: Question): string => collection + (query ? `?${query}` : '');
