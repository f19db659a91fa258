/** Random writes of clients that create, change and delete cars. */
import { trees } from '../app/trees.ts';
import type { Random } from './random.ts';

/** A car's mark, which its power and its version both carry; `undefined` if there is no car. */
export type Mark = number | undefined;

const MARKS = 10_000;
/** The share of deletions among the writes to a car that exists. */
const DELETIONS = 0.25;

export interface Write {
  readonly kind: 'create' | 'change' | 'delete';
  readonly after: Mark;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body?: string;
}

const writeMark = ({ enginePower }: (typeof trees)[number], mark: number) => ({
  [enginePower]: mark,
  version: `mark ${mark}`,
});

/** @returns what a client does next with a car of its own */
export const writeTo = (random: Random, key: string, before: Mark): Write => {
  const tree = random.pick(trees);
  const mark = Math.floor(random.fraction() * MARKS);
  const path = `${tree.cars}/${key}`;
  if (before === undefined) {
    const body = JSON.stringify({
      [tree.identifier]: key,
      [tree.brand]: 'Seat',
      [tree.model]: 'Ibiza',
      ...writeMark(tree, mark),
    });
    return { kind: 'create', after: mark, method: 'POST', path: tree.cars, status: 201, body };
  }
  if (random.chance(DELETIONS)) return { kind: 'delete', after: undefined, method: 'DELETE', path, status: 204 };
  return { kind: 'change', after: mark, method: 'PUT', path, status: 200, body: JSON.stringify(writeMark(tree, mark)) };
};

/** @returns the mark of every car that a service holds, read from either tree */
export const readMarks = async (origin: string, random: Random): Promise<ReadonlyMap<string, Mark>> => {
  const { cars, identifier, enginePower } = random.pick(trees);
  const list: readonly Readonly<Record<string, unknown>>[] = JSON.parse(await (await fetch(origin + cars)).text());
  for (const car of list)
    if (car.version !== `mark ${car[enginePower]}`) throw new Error(`half of a write: ${JSON.stringify(car)}`);
  return new Map(list.map((car) => [String(car[identifier]), Number(car[enginePower])]));
};
