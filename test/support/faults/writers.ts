/** Clients that create, change and delete cars until the service is gone, and remember what they were told. */
import { setImmediate } from 'node:timers/promises';
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
const KEYS_EACH = 10;
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

/** What clients that end with the service know: of each car the last acknowledged mark, and the one that was in flight at the end. */
export interface Ledger {
  readonly acknowledged: Map<string, Mark>;
  readonly inFlight: Map<string, Mark>;
  readonly counts: Record<Write['kind'], number>;
}

export const emptyLedger = (): Ledger => ({
  acknowledged: new Map(),
  inFlight: new Map(),
  counts: { create: 0, change: 0, delete: 0 },
});

/** @returns the status, or `undefined` where the connection broke before there was one */
const send = async (origin: string, { method, path, body }: Write): Promise<number | undefined> => {
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch(origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
    await answer.text().catch(() => '');
    return answer.status;
  } catch {
    return undefined;
  }
};

/**
 * One client, with cars that no other one writes: so it knows how each of its writes must be answered.
 *
 * @throws where one is answered otherwise
 */
export const writeUntilGone = async (
  origin: string,
  random: Random,
  client: number,
  { acknowledged, inFlight, counts }: Ledger,
): Promise<void> => {
  for (;;) {
    const key = `car-${client}-${Math.floor(random.fraction() * KEYS_EACH)}`;
    const write = writeTo(random, key, acknowledged.get(key));
    inFlight.set(key, write.after);
    const status = await send(origin, write);
    if (status === undefined) return;
    if (status !== write.status) throw new Error(`${write.method} ${key} is answered ${status}, not ${write.status}`);
    acknowledged.set(key, write.after);
    inFlight.delete(key);
    counts[write.kind] += 1;
    await setImmediate();
  }
};

/** @returns the mark of every car that a service holds, read from either tree */
export const readMarks = async (origin: string, random: Random): Promise<ReadonlyMap<string, Mark>> => {
  const { path, key, power } = random.pick(trees);
  const list: readonly Readonly<Record<string, unknown>>[] = JSON.parse(await (await fetch(origin + path)).text());
  for (const car of list)
    if (car.version !== `mark ${car[power]}`) throw new Error(`half of a write: ${JSON.stringify(car)}`);
  return new Map(list.map((car) => [String(car[key]), Number(car[power])]));
};
