/** The real cars of the two files, and what to ask a service about them. */
import { join } from 'node:path';
import { readVehicles } from '../../demo/vehicles.ts';

const FIELDS = ['identifier', 'brand', 'model', 'year', 'version', 'fuel'] as const;
type Field = (typeof FIELDS)[number];

/** A car by the names of its fields, whichever file it stands in. */
export type Car = Readonly<Record<Field, string | number>>;

export interface Tree {
  readonly path: string;
  readonly file: string;
  readonly delimiter: string;
  readonly words: Readonly<Record<Field, string>>;
}

/** Words typed out: a test that translated with the code under test could find no wrong one. */
const english: Tree = {
  path: '/api/cars',
  file: 'vehicles.en.csv',
  delimiter: ',',
  words: { identifier: 'identifier', brand: 'brand', model: 'model', year: 'year', version: 'version', fuel: 'fuel' },
};

const spanish: Tree = {
  path: '/api/coches',
  file: 'vehiculos.es.csv',
  delimiter: ';',
  words: {
    identifier: 'identificador',
    brand: 'marca',
    model: 'modelo',
    year: 'anio',
    version: 'version',
    fuel: 'fuel',
  },
};

/** Each tree, which has a file in its words, and the other one. */
export const trees = [
  { own: english, other: spanish, path: english.path },
  { own: spanish, other: english, path: spanish.path },
] as const;

export const readCars = (folder: string, { file, delimiter, words }: Tree): readonly Car[] =>
  readVehicles(join(folder, file), delimiter, [words.year]).map(
    (row) => Object.fromEntries(FIELDS.map((field) => [field, row[words[field]]])) as Car,
  );

/** The very text that a tree says a car with. */
export const textOf = (car: Car, { words }: Tree): string =>
  JSON.stringify(Object.fromEntries(FIELDS.map((field) => [words[field], car[field]])));

export const addressOf = ({ identifier }: Car, { path }: Tree): string =>
  `${path}/${encodeURIComponent(String(identifier))}`;

/** A list's address in a tree's words, filtered by fields. */
export const filtered = ({ path, words }: Tree, filters: Partial<Car>): string =>
  `${path}?${new URLSearchParams(FIELDS.flatMap((field) => (field in filters ? [[words[field], String(filters[field])]] : [])))}`;

/** The cars of each value of a field. */
export const countBy = (cars: readonly Car[], field: Field): ReadonlyMap<string | number, number> =>
  new Map([...Map.groupBy(cars, (car) => car[field])].map(([value, group]) => [value, group.length]));
