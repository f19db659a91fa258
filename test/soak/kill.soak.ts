/**
 * SIGKILL at random moments: what was acknowledged is still there. `SOAK_ROUNDS` says how often, `SOAK_SEED` repeats the
 * choices of an earlier run.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Random, randomFrom } from '../support/faults/random.ts';
import { emptyLedger, type Ledger, type Mark, readMarks, writeUntilGone } from '../support/faults/writers.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { serve } from '../support/process/service.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS || 50);
const CLIENTS = 16;
/** Writes that are acknowledged before a round's kill, however slow the machine is; and milliseconds within which it comes then. */
const [LEAST, MOST] = [50, 150];
const LONGEST = 50;
/** Milliseconds between two looks at how many they are. */
const LOOK = 5;
const TOLD_EVERY = 10;

const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

/** Cars that are neither as was acknowledged last nor as a write in flight would have left them. */
const losses = (found: ReadonlyMap<string, Mark>, { acknowledged, inFlight }: Ledger): readonly string[] => {
  const keys = new Set([...found.keys(), ...acknowledged.keys(), ...inFlight.keys()]);
  const possible = (key: string): readonly Mark[] => [
    acknowledged.get(key),
    ...(inFlight.has(key) ? [inFlight.get(key)] : []),
  ];
  return [...keys]
    .filter((key) => !possible(key).includes(found.get(key)))
    .map((key) => `${key} is ${found.get(key)}, not ${possible(key).map(String).join(' or ')}`);
};

/** What a kill left becomes what is known. @returns how many writes in flight had been done */
const settle = (found: ReadonlyMap<string, Mark>, { acknowledged, inFlight }: Ledger): number => {
  const done = [...inFlight].filter(([key, mark]) => found.get(key) === mark);
  for (const key of inFlight.keys()) acknowledged.set(key, found.get(key));
  inFlight.clear();
  return done.length;
};

const writesIn = ({ counts }: Ledger): number => Object.values(counts).reduce((sum, each) => sum + each, 0);

const killOnce = async (env: Readonly<Record<string, string>>, random: Random, ledger: Ledger): Promise<void> => {
  const { origin, end } = await serve({ env });
  const clients = Array.from({ length: CLIENTS }, (_, client) => writeUntilGone(origin, random, client, ledger));
  const enough = writesIn(ledger) + LEAST + random.fraction() * (MOST - LEAST);
  const kill = async (): Promise<number | string> => {
    while (writesIn(ledger) < enough) await setTimeout(LOOK);
    await setTimeout(random.fraction() * LONGEST);
    return end('SIGKILL');
  };
  const killed = kill();
  const [signal] = await Promise.all([killed, ...clients]);
  expect(signal).toBe('SIGKILL');
};

test('what was acknowledged before a SIGKILL is there after it', async () => {
  console.log(`SOAK_SEED=${seed}`);
  const random = randomFrom(seed);
  const env = { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'catalogue.db')}` };
  const ledger = emptyLedger();
  let unanswered = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await killOnce(env, random, ledger);
    const { origin, end } = await serve({ env });
    const found = await readMarks(origin, random);
    expect(losses(found, ledger), `round ${round} of SOAK_SEED=${seed}`).toEqual([]);
    unanswered += settle(found, ledger);
    expect(await end('SIGTERM')).toBe(0);
    const { create, change, delete: deleted } = ledger.counts;
    if (round % TOLD_EVERY === 0)
      console.log(
        `  ${round} kills: ${create} creates, ${change} changes, ${deleted} deletes hold; ${unanswered} done, unanswered`,
      );
  }
  // Fewer would not have been a test.
  for (const count of Object.values(ledger.counts)) expect(count).toBeGreaterThan(ROUNDS * 10);
});
