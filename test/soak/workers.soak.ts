/**
 * Two workers of one service, on a file or on a server (`TEST_STORE=postgres`). `SOAK_ROUNDS` says how often one is killed,
 * `SOAK_SEED` repeats the choices of an earlier run.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { onServer, preparedDatabase } from '../support/database/database.ts';
import { acknowledged, emptyPersistentLedger, writePersistently } from '../support/faults/persistent-writers.ts';
import { randomFrom } from '../support/faults/random.ts';
import { expectAll } from '../support/faults/under-load.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { type Serving, serve } from '../support/process/service.ts';
import { childrenOf, onNewConnection } from '../support/process/workers.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS || 8);
const CLIENTS = 12;
/** Milliseconds between two kills: five within a minute would end the service. */
const PAUSE = 16_000;
const CHANGES = 2_000;

const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

const start = async (): Promise<Serving> => {
  const DATABASE_URL = onServer ? await preparedDatabase() : `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;
  return serve({ env: { DATABASE_URL, WORKERS: '2' } });
};

test('a worker that is killed under load loses nothing that was acknowledged, by whichever worker', async () => {
  console.log(`SOAK_SEED=${seed}`);
  const random = randomFrom(seed);
  const service = await start();
  const ledger = emptyPersistentLedger();
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, (_, at) =>
      writePersistently(
        () => service.origin,
        randomFrom(seed + at),
        at,
        ledger,
        () => isOver,
      ),
    ),
  );
  // Told where it is waited for.
  clients.catch(() => {});
  const replaced = (): readonly number[] =>
    [...service.output().matchAll(/; worker (\d+) takes its place/g)].map(([, pid]) => Number(pid));
  const kill = async (round: number): Promise<void> => {
    const [first, ...others] = childrenOf(service);
    if (first === undefined) throw new Error('nobody serves');
    process.kill(random.pick([first, ...others]), 'SIGKILL');
    await expect.poll(() => replaced().length, { timeout: 60_000 }).toBe(round);
  };
  for (let round = 1; round <= ROUNDS; round++) {
    await Promise.race([clients, setTimeout(random.fraction() * PAUSE)]);
    const before = acknowledged(ledger);
    await kill(round);
    await Promise.race([clients, setTimeout(PAUSE)]);
    expect(acknowledged(ledger)).toBeGreaterThan(before);
    console.log(`  ${round} kills: ${acknowledged(ledger)} writes hold, ${ledger.counts.broken} broken off`);
  }
  isOver = true;
  await clients;
  await expectAll(service.origin, ledger);
  expect(await service.end('SIGTERM')).toBe(0);
});

test('what was acknowledged is what every later connection sees', async () => {
  const service = await start();
  const made = await onNewConnection(service, 'POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' });
  const path = String(made.headers.location);
  for (let power = 0; power < CHANGES; power++) {
    await onNewConnection(service, 'PUT', path, { enginePower: power });
    const [item, list] = await Promise.all([
      onNewConnection(service, 'GET', path),
      onNewConnection(service, 'GET', '/api/coches?marca=seat'),
    ]);
    expect([JSON.parse(item.text).enginePower, JSON.parse(list.text)[0].cilindrada]).toEqual([power, power]);
  }
  expect(await service.end('SIGTERM')).toBe(0);
});
