/** What clients write that create, change and delete cars. */
import type { Random } from './random.ts';

/** A car's mark, which its power and its version both carry; `undefined` where there is no car. */
export type Mark = number | undefined;

export interface WriterTree {
  readonly path: string;
  readonly key: string;
  readonly brand: string;
  readonly model: string;
  readonly power: string;
}

/** Words typed out. */
export const trees: readonly [WriterTree, WriterTree] = [
  { path: '/api/cars', key: 'identifier', brand: 'brand', model: 'model', power: 'enginePower' },
  { path: '/api/coches', key: 'identificador', brand: 'marca', model: 'modelo', power: 'cilindrada' },
];

const MARKS = 10_000;
const DELETED = 0.25;

export interface Write {
  readonly kind: 'create' | 'change' | 'delete';
  readonly after: Mark;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body?: string;
}

const marked = ({ power }: WriterTree, mark: number) => ({ [power]: mark, version: `mark ${mark}` });

/** @returns what a client does next with a car of its own */
export const writeTo = (random: Random, key: string, before: Mark): Write => {
  const tree = random.pick(trees);
  const mark = Math.floor(random.fraction() * MARKS);
  const path = `${tree.path}/${key}`;
  if (before === undefined) {
    const body = JSON.stringify({
      [tree.key]: key,
      [tree.brand]: 'Seat',
      [tree.model]: 'Ibiza',
      ...marked(tree, mark),
    });
    return { kind: 'create', after: mark, method: 'POST', path: tree.path, status: 201, body };
  }
  if (random.chance(DELETED)) return { kind: 'delete', after: undefined, method: 'DELETE', path, status: 204 };
  return { kind: 'change', after: mark, method: 'PUT', path, status: 200, body: JSON.stringify(marked(tree, mark)) };
};

/** @returns the mark of every car that a service holds, read from either tree */
export const readMarks = async (origin: string, random: Random): Promise<ReadonlyMap<string, Mark>> => {
  const { path, key, power } = random.pick(trees);
  const list: readonly Readonly<Record<string, unknown>>[] = JSON.parse(await (await fetch(origin + path)).text());
  for (const car of list)
    if (car.version !== `mark ${car[power]}`) throw new Error(`half of a write: ${JSON.stringify(car)}`);
  return new Map(list.map((car) => [String(car[key]), Number(car[power])]));
};
