/**
 * Two instances on one database, under clients that write through both: at random moments one or both are killed, or one is
 * stopped with writes queued whose clients have hung up; on a server (`TEST_STORE=postgres`) PostgreSQL is killed, too. What was
 * acknowledged holds, nothing is done twice, and a file stays whole. `SOAK_ROUNDS` says how often, `SOAK_SEED` repeats the choices
 * of an earlier run.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { onServer } from '../support/database/database.ts';
import { inFile, pathOf, sqliteUrl } from '../support/database/files.ts';
import { type PostgresServer, startPostgres } from '../support/database/postgres-server.ts';
import { expectReadiness } from '../support/faults/expect-unavailable.ts';
import { acknowledged, emptyPersistentLedger, writePersistently } from '../support/faults/persistent-writers.ts';
import { type Random, randomFrom } from '../support/faults/random.ts';
import { expectAll } from '../support/faults/under-load.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { createInstance, type Instance } from '../support/process/instance.ts';
import { openSocket } from '../support/process/service.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS || 50);
const CLIENTS = 16;
/** Clients that hang up: more than one transaction holds. */
const LEAVING = 400;
/** Milliseconds within which a round's strike comes, and in which all goes on again. */
const [LONGEST, RECOVERY] = [1_000, 60_000];
/** Writes that are acknowledged before the next round. */
const SOME = 200;
const TOLD_EVERY = 10;
const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

interface Place {
  readonly instances: readonly [Instance, Instance];
  readonly server: PostgresServer | undefined;
}

const otherInfo = 'x'.repeat(10_000);
/** An oil long enough for a transaction to take its time. */
const postOil = (type: string): string => {
  const body = JSON.stringify({ type, otherInfo });
  return `POST /api/cars/kept/oils HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

/** Ends instances, and the server if that is meant, and starts all again: whoever needs the server to start comes after it. */
const kill = async (instances: readonly Instance[], server?: PostgresServer): Promise<void> => {
  await Promise.all([...instances.map(({ end }) => end('SIGKILL')), server?.stop('SIGKILL')]);
  await server?.start();
  await Promise.all(instances.map(({ start }) => start()));
};

const stopWhileWriting = async ({ port, end, start }: Instance, random: Random, round: number): Promise<void> => {
  const sockets = await Promise.all(Array.from({ length: LEAVING }, () => openSocket(port)));
  for (const [at, socket] of sockets.entries()) socket.write(postOil(`${round}-${at}`));
  await setTimeout(random.fraction() * 40);
  const ended = end('SIGTERM');
  for (const socket of sockets) socket.destroy();
  await ended;
  await start();
};

type Strike = (place: Place, random: Random, round: number) => Promise<void>;
const strikes: readonly [Strike, ...Strike[]] = [
  ({ instances }, random) => kill([random.pick(instances)]),
  ({ instances }) => kill(instances),
  ({ instances }, random, round) => stopWhileWriting(random.pick(instances), random, round),
];
const strikesOnServer: typeof strikes = [
  ...strikes,
  ({ server }) => kill([], server),
  ({ instances, server }, random) => kill([random.pick(instances)], server),
  ({ instances, server }) => kill(instances, server),
];

test('what was acknowledged before an instance or its database ended is there after it', async () => {
  console.log(`SOAK_SEED=${seed}`);
  const random = randomFrom(seed);
  const server = onServer ? await startPostgres() : undefined;
  onTestFinished(() => server?.remove());
  const file = sqliteUrl(join(temporaryFolder(), 'catalogue.db'));
  const limits = { DATABASE_TIMEOUT: '1000', DATABASE_POOL: '4' };
  const env = server ? { DATABASE_URL: server.url(), ...limits } : { DATABASE_URL: file };
  const instances = [await createInstance(() => env), await createInstance(() => env)] as const;
  for (const { start } of instances) await start();
  const ledger = emptyPersistentLedger();
  const body = JSON.stringify({ identifier: 'kept', brand: 'Seat', model: 'Ibiza', enginePower: 1, version: 'mark 1' });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${instances[0].origin}/api/cars`, { method: 'POST', headers, body })).status).toBe(201);
  ledger.known.set('kept', 1);
  let isOver = false;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, (_, at) => {
      const own = randomFrom(seed + at);
      return writePersistently(
        () => own.pick(instances).origin,
        own,
        at,
        ledger,
        () => isOver,
      );
    }),
  );
  const rounds = async (): Promise<void> => {
    for (let round = 1; round <= ROUNDS; round++) {
      await setTimeout(random.fraction() * LONGEST);
      await random.pick(server ? strikesOnServer : strikes)({ instances, server }, random, round);
      for (const { origin } of instances) await expectReadiness(origin, true);
      if (!server) expect(inFile(pathOf(file), 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      const enough = acknowledged(ledger) + SOME;
      await expect.poll(() => acknowledged(ledger), { timeout: RECOVERY, interval: 20 }).toBeGreaterThan(enough);
      if (round % TOLD_EVERY === 0) console.log(`  ${round} rounds: ${JSON.stringify(ledger.counts)}`);
    }
  };
  // A client that finds something wrong ends the test at once.
  await Promise.race([rounds(), clients]);
  isOver = true;
  await clients;
  for (const { origin } of instances) await expectAll(origin, ledger);
  for (const { end } of instances) await end('SIGTERM');
  const { refused, broken, ...done } = ledger.counts;
  // Fewer would not have been a test.
  for (const count of Object.values(done)) expect(count).toBeGreaterThan(ROUNDS * 10);
  expect(refused + broken).toBeGreaterThan(0);
});
