/**
 * SIGKILL of PostgreSQL and of two instances at random moments, under clients that write through both: every acknowledged
 * outcome holds, and nothing is done twice. `SOAK_SEED` repeats the choices of an earlier run.
 */
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { noServer } from '../../support/database/own-postgres.ts';
import { type PostgresServer, startPostgres } from '../../support/database/postgres-server.ts';
import { expectReadiness } from '../../support/faults/expect-unavailable.ts';
import {
  acknowledged,
  emptyPersistentLedger,
  type PersistentLedger,
  writePersistently,
} from '../../support/faults/persistent-writers.ts';
import { randomFrom } from '../../support/faults/random.ts';
import { expectAll } from '../../support/faults/under-load.ts';
import { type Serving, serve } from '../../support/process/service.ts';

const ROUNDS = 20;
const CLIENTS = 16;
/** Milliseconds within which a round's kill comes, and writes that are acknowledged before the next round. */
const LONGEST = 1_000;
const SOME = 200;
const TOLD_EVERY = 5;
/** Milliseconds in which all goes on again. */
const RECOVERY = 60_000;

const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

/** An instance that is started again at the address that it had. */
interface Instance {
  readonly origin: string;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly end: () => Promise<number | string>;
}

const openInstance = async (DATABASE_URL: string): Promise<Instance> => {
  const env = { DATABASE_URL, DATABASE_TIMEOUT: '1000', DATABASE_POOL: '4' };
  let service: Serving = await serve({ env });
  const { origin, port } = service;
  return {
    origin,
    kill: async () => {
      expect(await service.end('SIGKILL')).toBe('SIGKILL');
    },
    start: async () => {
      service = await serve({ env: { ...env, PORT: String(port) } });
    },
    end: () => service.end('SIGTERM'),
  };
};

type Victim = 'PostgreSQL' | 'one' | 'other' | 'one while PostgreSQL is down' | 'all';
const victims: readonly [Victim, ...Victim[]] = ['PostgreSQL', 'one', 'other', 'one while PostgreSQL is down', 'all'];

/** Kills, and starts again: whoever needs PostgreSQL to start comes after it. */
const strike = async (victim: Victim, server: PostgresServer, [one, other]: readonly [Instance, Instance]) => {
  const instances = {
    PostgreSQL: [],
    one: [one],
    other: [other],
    'one while PostgreSQL is down': [one],
    all: [one, other],
  };
  const killed = instances[victim];
  const isServerKilled = !['one', 'other'].includes(victim);
  if (victim === 'all') await Promise.all([...killed.map(({ kill }) => kill()), server.stop('SIGKILL')]);
  else {
    if (isServerKilled) await server.stop('SIGKILL');
    for (const { kill } of killed) await kill();
  }
  if (isServerKilled) await server.start();
  await Promise.all(killed.map(({ start }) => start()));
};

const told = ({ counts }: PersistentLedger): string =>
  `${counts.create} creates, ${counts.change} changes, ${counts.delete} deletes hold; ${counts.refused} refused, ${counts.broken} broken off`;

test.skipIf(noServer)(
  'what was acknowledged before a SIGKILL of PostgreSQL or of an instance is there after it',
  async () => {
    console.log(`SOAK_SEED=${seed}`);
    const random = randomFrom(seed);
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const instances = [await openInstance(server.url()), await openInstance(server.url())] as const;
    const originOf = (): string => random.pick(instances).origin;
    const ledger = emptyPersistentLedger();
    let isOver = false;
    const clients = Promise.all(
      Array.from({ length: CLIENTS }, (_, at) =>
        writePersistently(originOf, randomFrom(seed + at), at, ledger, () => isOver),
      ),
    );
    const rounds = async (): Promise<void> => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        await setTimeout(random.fraction() * LONGEST);
        await strike(random.pick(victims), server, instances);
        for (const { origin } of instances) await expectReadiness(origin, true);
        const enough = acknowledged(ledger) + SOME;
        await expect.poll(() => acknowledged(ledger), { timeout: RECOVERY, interval: 20 }).toBeGreaterThan(enough);
        if (round % TOLD_EVERY === 0) console.log(`  ${round} rounds: ${told(ledger)}`);
      }
    };
    // A client that finds something wrong ends the test at once.
    await Promise.race([rounds(), clients]);
    isOver = true;
    await clients;
    for (const { origin } of instances) await expectAll(origin, ledger);
    for (const { end } of instances) expect(await end()).toBe(0);
    // Fewer would not have been a test.
    for (const count of Object.values(ledger.counts)) expect(count).toBeGreaterThan(ROUNDS);
  },
);
