/** Instances of 0.1.0 behind nginx are replaced by today's, one after the other, while clients read and write: none gets an error. */
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { trees } from '../../support/app/trees.ts';
import { noServer } from '../../support/database/own-postgres.ts';
import { query } from '../../support/database/postgres.ts';
import { startPostgres } from '../../support/database/postgres-server.ts';
import { type Random, randomFrom } from '../../support/faults/random.ts';
import { type Mark, readMarks, writeTo } from '../../support/faults/writers.ts';
import { firstVersion } from '../../support/process/earlier.ts';
import { noNginx, startNginx } from '../../support/process/nginx.ts';
import { launch, type Serving, serve } from '../../support/process/service.ts';

const CLIENTS = 6;
const KEYS_EACH = 10;
/** Milliseconds between two turns of a client, which leave the machine to instances that start. */
const PAUSE = 20;
/** What each instance has served before the next one is replaced: nginx leaves one that it could not reach alone for a second. */
const SOME = 30;

/** What the clients know of each car. */
type Ledger = Map<string, Mark>;

/** Writes a car, and reads it and a list in either tree. @throws where a response is not what it must be */
const once = async (origin: string, random: Random, key: string, known: Ledger): Promise<void> => {
  const { method, path, body = null, status, after } = writeTo(random, key, known.get(key));
  const written = await fetch(origin + path, { method, body, headers: { 'content-type': 'application/json' } });
  expect([method, written.status, await written.text()]).toEqual([method, status, expect.any(String)]);
  known.set(key, after);
  const tree = random.pick(trees);
  const read = await fetch(`${origin}${tree.cars}/${key}`);
  const car = (await read.json()) as Readonly<Record<string, unknown>>;
  expect([read.status, car[tree.enginePower]]).toEqual(after === undefined ? [404, undefined] : [200, after]);
  const list = await fetch(`${origin}${tree.cars}?${tree.brand}=seat&${tree.model}=ibiza`);
  const listed = (await list.json()) as readonly Readonly<Record<string, unknown>>[];
  const mark = listed.find((each) => each[tree.identifier] === key)?.[tree.enginePower];
  expect([list.status, mark, list.headers.get('x-total-count')]).toEqual([200, after, String(listed.length)]);
};

/** Clients that work until they are stopped. @returns rejects where one of them gets an error */
const work = (origin: string, ledger: Ledger) => {
  let isOver = false;
  const clients = Promise.all(
    Array.from({ length: CLIENTS }, async (_, at) => {
      const random = randomFrom(at);
      while (!isOver) {
        await once(origin, random, `car-${at}-${Math.floor(random.fraction() * KEYS_EACH)}`, ledger);
        await setTimeout(PAUSE);
      }
    }),
  );
  clients.catch(() => {});
  return {
    until: (isReached: () => boolean) =>
      Promise.race([clients, expect.poll(isReached, { timeout: 60_000 }).toBe(true)]),
    stop: async () => {
      isOver = true;
      await clients;
    },
  };
};

const missing = noServer ?? noNginx;

test.skipIf(missing)(
  `two instances of 0.1.0 are replaced, and no client notices${missing ? `: ${missing}` : ''}`,
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const env = { DATABASE_URL: server.url(), DATABASE_POOL: '4' };
    const args = firstVersion();
    const first = await serve({ env, args });
    const instances: Serving[] = [first, await serve({ env, args })];
    const { origin, countServed } = await startNginx(instances.map(({ port }) => port) as [number, number]);
    const known: Ledger = new Map();
    const { until, stop } = work(origin, known);
    /** Resolves once each instance has served some more. */
    const allServe = () => {
      const enough = instances.map(({ port }) => countServed(port) + SOME);
      return until(() => instances.every(({ port }, at) => countServed(port) > (enough[at] ?? 0)));
    };
    for (const [place, { port, end }] of [...instances.entries()]) {
      await allServe();
      expect(await end('SIGTERM')).toBe(0);
      instances[place] = await serve({ env: { ...env, PORT: String(port) } });
    }
    await allServe();
    await stop();
    const expected = new Map([...known].filter(([, mark]) => mark !== undefined));
    for (const { origin: direct } of instances) expect(await readMarks(direct, randomFrom(1))).toEqual(expected);
    expect(await query(env.DATABASE_URL, 'SELECT "version"::int > 1 AS upgraded FROM "_catalogue"')).toEqual([
      { upgraded: true },
    ]);
    // There is no way back.
    const old = launch({ env, args });
    expect([await old.exit, old.output()]).toEqual([
      1,
      expect.stringMatching(/was written by a newer version of this service \(schema \d+; this one knows 1\)/),
    ]);
  },
);
