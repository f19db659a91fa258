/**
 * What a receiver has that only applies what arrives is what the service has, whatever ends meanwhile. `SOAK_ROUNDS` says how
 * often a service is killed, `SOAK_SEED` repeats the choices of an earlier run.
 */
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runHere } from '../support/commands/given.ts';
import { sharedDatabase } from '../support/database/database.ts';
import { emptyPersistentLedger, writePersistently } from '../support/faults/persistent-writers.ts';
import { randomFrom } from '../support/faults/random.ts';
import { listen } from '../support/process/receiver.ts';
import { serve } from '../support/process/service.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS || 10);
const CLIENTS = 4;
/** Milliseconds of a round, at least and at most. */
const [LEAST, MOST] = [1_000, 4_000];
/** Milliseconds after which another service has a hook whose holder was killed, and some more. */
const TAKEN_OVER = 150_000;
const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

type Item = Readonly<Record<string, unknown>>;

/** Applies each batch once, and refuses one of five, some of them without an answer. */
const mirror = async (refuses: () => number) => {
  const items = new Map<unknown, Item>();
  const seen = new Set<unknown>();
  const counts = { applied: 0, refused: 0, repeated: 0, gone: 0 };
  const origin = await listen(async (request, response) => {
    const content = await text(request);
    const chance = refuses();
    if (chance < 0.2) {
      counts.refused++;
      if (chance < 0.1) request.socket.destroy();
      else response.writeHead(500).end();
      return;
    }
    const id = request.headers['webhook-id'];
    const { type, data } = JSON.parse(content) as { readonly type: string; readonly data: readonly Item[] };
    if (seen.has(id)) counts.repeated++;
    else if (type === 'cars.gone') counts.gone++;
    else {
      for (const item of data) {
        if (item.eliminado === true) items.delete(item.identificador);
        else items.set(item.identificador, item);
      }
      counts.applied++;
    }
    seen.add(id);
    response.writeHead(204).end();
  });
  return { items, counts, url: `${origin}/` };
};

test('a receiver has what the service has, after kills, refusals and lost answers', async () => {
  console.log(`SOAK_SEED=${seed}`);
  const random = randomFrom(seed);
  const DATABASE_URL = await sharedDatabase();
  const env = { DATABASE_URL, HOOK_ADDRESSES: 'any', LOG_CHANGES: 'off' };
  const { items, counts, url } = await mirror(random.fraction);
  const survivor = await serve({ env });
  const [added] = await runHere('src/tools/hooks/main.ts', ['add', url, '--language', 'es'], env);
  expect(added).toBe(0);
  for (let round = 1; round <= ROUNDS; round++) {
    const { origin, end } = await serve({ env });
    let [target, isOver] = [origin, false];
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      writePersistently(
        () => target,
        random,
        round * CLIENTS + client,
        emptyPersistentLedger(),
        () => isOver,
      ),
    );
    await setTimeout(LEAST + random.fraction() * (MOST - LEAST));
    await end('SIGKILL');
    [target, isOver] = [survivor.origin, true];
    await Promise.all(clients);
    console.log(`  ${round} kills: ${JSON.stringify(counts)}`);
  }
  const sort = (some: readonly Item[]): readonly Item[] =>
    some.toSorted((a, b) => (String(a.identificador) < String(b.identificador) ? -1 : 1));
  const all = sort(JSON.parse(await (await fetch(`${survivor.origin}/api/coches`)).text()));
  await expect.poll(() => sort([...items.values()]), { timeout: TAKEN_OVER, interval: 1_000 }).toEqual(all);
  expect(all.length).toBeGreaterThan(ROUNDS);
  expect(counts).toMatchObject({ gone: 0, applied: expect.any(Number) });
  expect(counts.refused).toBeGreaterThan(1);
  expect(await survivor.end('SIGTERM')).toBe(0);
});
