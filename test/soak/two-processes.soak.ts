/**
 * Two processes on one file: while one is written to, the other is stopped, with writes queued whose clients have hung up, and
 * started again. The file stays whole, and holds what was acknowledged. `SOAK_ROUNDS` says how often, `SOAK_SEED` repeats the
 * choices of an earlier run.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { acknowledged, emptyPersistentLedger, writePersistently } from '../support/faults/persistent-writers.ts';
import { randomFrom } from '../support/faults/random.ts';
import { type Mark, trees } from '../support/faults/writers.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { openSocket, type Serving, serve } from '../support/process/service.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS || 100);
const CLIENTS = 8;
/** Clients that hang up: more than one transaction holds. */
const LEAVING = 400;
/** Milliseconds of load before a process is stopped, and from the last write that it is sent until it is. */
const LOAD = 200;
const SHORT = 40;
const TOLD_EVERY = 10;

const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

/** An oil that nobody keeps account of, long enough for a transaction to take its time. */
const post = (path: string, value: object): string => {
  const body = JSON.stringify(value);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};
const otherInfo = 'x'.repeat(10_000);

/** Stops a process in the middle of writes whose clients are gone. @returns its exit code */
const stopWhileWriting = async ({ port, origin, end }: Serving, round: number, pause: number) => {
  const made = await fetch(`${origin}/api/cars`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: `left-${round}`, brand: 'Seat', model: 'Ibiza' }),
  });
  expect(made.status).toBe(201);
  const sockets = await Promise.all(Array.from({ length: LEAVING }, () => openSocket(port)));
  for (const [at, socket] of sockets.entries()) {
    socket.write(post(`/api/cars/left-${round}/oils`, { type: String(at), otherInfo }));
  }
  await setTimeout(pause);
  const ended = end('SIGTERM');
  for (const socket of sockets) socket.destroy();
  return ended;
};

const faultsIn = (file: string): readonly unknown[] => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    const rows = database.prepare('PRAGMA integrity_check').all();
    return rows.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok');
  } finally {
    database.close();
  }
};

/** @returns the mark of every car that somebody keeps account of */
const readKept = async (origin: string): Promise<ReadonlyMap<string, Mark>> => {
  const [{ path, key, power }] = trees;
  const list: readonly Readonly<Record<string, unknown>>[] = JSON.parse(await (await fetch(origin + path)).text());
  const kept = list.filter((car) => !String(car[key]).startsWith('left-'));
  return new Map(kept.map((car) => [String(car[key]), Number(car[power])]));
};

test('two processes on one file, which are stopped by turns, leave it whole', async () => {
  console.log(`SOAK_SEED=${seed}`);
  const random = randomFrom(seed);
  const file = join(temporaryFolder(), 'catalogue.db');
  const env = { DATABASE_URL: `sqlite:${file}` };
  let [staying, going] = [await serve({ env }), await serve({ env })];
  const ledger = emptyPersistentLedger();
  let isOver = false;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, (_, at) =>
      writePersistently(
        () => staying.origin,
        randomFrom(seed + at),
        at,
        ledger,
        () => isOver,
      ),
    ),
  );
  // Told where it is waited for.
  clients.catch(() => {});
  onTestFinished(() => {
    isOver = true;
  });
  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.race([clients, setTimeout(LOAD)]);
    expect(await stopWhileWriting(going, round, random.fraction() * SHORT)).toBe(0);
    expect(faultsIn(file), `round ${round} of SOAK_SEED=${seed}`).toEqual([]);
    [staying, going] = [await serve({ env }), staying];
    if (round % TOLD_EVERY === 0) console.log(`  ${round} stops: ${acknowledged(ledger)} writes hold`);
  }
  isOver = true;
  await clients;
  for (const { origin, end } of [staying, going]) {
    expect(await readKept(origin)).toEqual(new Map([...ledger.known].filter(([, mark]) => mark !== undefined)));
    expect(await end('SIGTERM')).toBe(0);
  }
  expect(faultsIn(file)).toEqual([]);
  // Fewer would not have been a test.
  expect(acknowledged(ledger)).toBeGreaterThan(ROUNDS * 20);
});
