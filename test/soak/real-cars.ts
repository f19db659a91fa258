/** The real cars of the two files, and what to ask a service about them; for the long tests and for those of the sample. */
import { join } from 'node:path';
import { readVehicles } from '../demo/vehicles.ts';

const FIELDS = ['identifier', 'brand', 'model', 'year', 'version', 'fuel'] as const;
type Field = (typeof FIELDS)[number];

/** A car by the names of its fields, whichever file it stands in. */
export type Car = Readonly<Record<Field, string | number>>;

export interface Tree {
  readonly path: string;
  readonly file: string;
  readonly delimiter: string;
  readonly words: Readonly<Record<Field, string>>;
  readonly query: Readonly<Record<'sort' | 'size' | 'page', string>>;
}

/** Words typed out: a test that translated with the code under test could find no wrong one. */
const english: Tree = {
  path: '/api/cars',
  file: 'vehicles.en.csv',
  delimiter: ',',
  words: { identifier: 'identifier', brand: 'brand', model: 'model', year: 'year', version: 'version', fuel: 'fuel' },
  query: { sort: 'sort_by', size: 'number_of_elements', page: 'page' },
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
  query: { sort: 'ordenar_por', size: 'numero_de_elementos', page: 'pagina' },
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

/** Does the work for all items, so many at one time. */
export const inParallel = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> => {
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of queue) await work(item, at);
  };
  await Promise.all(Array.from({ length: width }, worker));
};

/** @throws where the answer is not 201 with the car as it was sent */
export const create = async (origin: string, tree: Tree, car: Car): Promise<void> => {
  const body = textOf(car, tree);
  const answer = await fetch(origin + tree.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (answer.status !== 201 || text !== body) throw new Error(`${body}\nis answered ${answer.status}\n${text}`);
};

export const textAt = async (address: string): Promise<string> => (await fetch(address)).text();

/** Both counts of a list: of what it holds, and what its header tells. */
const countsAt = async (address: string): Promise<readonly number[]> => {
  const answer = await fetch(address);
  return [JSON.parse(await answer.text()).length, Number(answer.headers.get('x-total-count'))];
};

/** The cars of each value of a field. */
export const countBy = (cars: readonly Car[], field: Field): ReadonlyMap<string | number, number> =>
  new Map([...Map.groupBy(cars, (car) => car[field])].map(([value, group]) => [value, group.length]));

/** Lists whose counts, in a tree, are not those of the cars that were sent; empty where all agree. */
export const wrongCounts = async (
  origin: string,
  tree: Tree,
  cars: readonly Car[],
  field: Field,
): Promise<readonly string[]> => {
  const wrong: string[] = [];
  await inParallel([...countBy(cars, field)], 4, async ([value, count]) => {
    const address = filtered(tree, { [field]: value });
    const counts = await countsAt(origin + address);
    if (counts.some((each) => each !== count)) wrong.push(`${address}: ${counts}, not ${count}`);
  });
  return wrong;
};
