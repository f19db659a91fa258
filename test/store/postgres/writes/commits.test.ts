/** Transactions that fail: which are tried again, how often, and which never are. */
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp, type Send } from '../../../support/app/app.ts';
import { AHEAD } from '../../../support/conformance/fixtures.ts';
import { preparedDatabase } from '../../../support/database/database.ts';
import { openSession } from '../../../support/database/own-postgres.ts';
import { query } from '../../../support/database/postgres.ts';
import { COMMIT, COMMITTED, openRelay, type Relay } from '../../../support/faults/relay.ts';
import { shared, type WhenOver } from '../../../support/process/folder.ts';

/** Tries of a transaction that loses races. */
const TRIES = 5;

const car = (identifier: string) => ({ identifier, brand: 'Seat', model: 'Ibiza' });
const coche = (identificador: string) => ({ identificador, marca: 'Seat', modelo: 'Ibiza' });

const openPlace = async (whenOver: WhenOver) => {
  const url = await preparedDatabase(whenOver);
  const relay = await openRelay(Number(new URL(url).port), whenOver);
  const through = new URL(url);
  through.port = String(relay.port);
  const { send, faults, close } = await openApp({ database: through.href });
  await query(url, `UPDATE "_change" SET "number" = ${AHEAD}`);
  whenOver(close);
  return { url, send, faults, relay };
};

const EMPTY = [
  'DROP TRIGGER IF EXISTS provoked ON "cars"',
  'DROP FUNCTION IF EXISTS fail',
  'DROP SEQUENCE IF EXISTS tries',
];

const place = shared(openPlace);
/** @returns the place that all tests share, as new: opening one takes longer than most of them */
const usePlace = async () => {
  const { url, send, faults, relay } = place();
  relay.inspect({});
  await query(url, ...EMPTY);
  const { json } = await send('GET', '/api/cars');
  await Promise.all(json.map(({ identifier }: { identifier: string }) => send('DELETE', `/api/cars/${identifier}`)));
  faults.length = 0;
  const { run } = await openSession(url);
  const [{ number } = {}] = await run('UPDATE "_change" SET "number" = "number" + 1 RETURNING "number"');
  return {
    url,
    send,
    faults,
    relay,
    run,
    nextChange: async () => (await changeOf(send)) - Number(number),
  };
};

/** @returns the number of one more write */
const changeOf = async (send: Send): Promise<number> => {
  const { headers } = await send('POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' });
  return Number.parseInt(/^"([0-9a-z]+)\.en"$/.exec(headers.get('etag') ?? '')?.[1] ?? '', 36);
};

const BEGIN = Buffer.from('BEGIN ');

/** Breaks the connections that a text travels on, before it arrives. @returns how often it was sent */
const cutAt = (relay: Relay, way: 'sent' | 'answered', text: Buffer, times = Infinity): (() => number) => {
  let seen = 0;
  relay.inspect({
    [way]: (piece: Buffer) => {
      if (!piece.includes(text)) return 'pass';
      seen += 1;
      return seen <= times ? 'cut' : 'pass';
    },
  });
  return () => seen;
};

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly tag: string;
  readonly detail: string;
}

const english = {
  tag: 'en',
  detail:
    'The system that keeps the items of this catalogue did not answer as it should: it is not known whether this was done.',
};
const spanish = {
  tag: 'es',
  detail:
    'El sistema que guarda los elementos de este catálogo no ha respondido como debía: no se sabe si esto se ha hecho.',
};

/** Each, and what the list of cars holds where it was done and where it was not; there is a car `a` before. */
const writes: readonly [name: string, write: Write, done: readonly object[], undone: readonly object[]][] = [
  ['a create', { method: 'POST', path: '/api/coches', body: coche('b'), ...spanish }, [car('a'), car('b')], [car('a')]],
  [
    'a change',
    { method: 'PUT', path: '/api/cars/a', body: { doors: 3 }, ...english },
    [{ ...car('a'), doors: 3 }],
    [car('a')],
  ],
  ['a delete', { method: 'DELETE', path: '/api/coches/a', ...spanish }, [], [car('a')]],
  [
    'an import',
    { method: 'POST', path: '/api/coches', body: [coche('b')], ...spanish },
    [car('a'), car('b')],
    [car('a')],
  ],
];

describe('a connection that breaks', () => {
  const moments = [
    ['when COMMIT is sent', 'sent', COMMIT, false],
    ['before COMMIT is acknowledged', 'answered', COMMITTED, true],
  ] as const;
  const cases = moments.flatMap((moment) => writes.map((write) => [moment[0], write[0], moment, write] as const));

  test.each(cases)('%s leaves %s done at most once', async (_, __, [, way, text, isDone], [, write, done, undone]) => {
    const { send, faults, relay, nextChange } = await usePlace();
    expect((await send('POST', '/api/cars', car('a'))).status).toBe(201);
    const seen = cutAt(relay, way, text);
    const answer = await send(write.method, write.path, write.body);
    relay.inspect({});
    expect([answer.status, answer.json.code, answer.json.detail]).toEqual([504, 'outcome-unknown', write.detail]);
    expect([answer.headers.get('retry-after'), answer.headers.get('content-language')]).toEqual([null, write.tag]);
    expect([seen(), faults.length]).toEqual([1, 1]);
    expect((await send('GET', '/api/cars')).json).toEqual(isDone ? done : undone);
    expect(await nextChange()).toBe(isDone ? 3 : 2);
  });

  test.each(moments)('%s leaves all of a group done, or none', async (_, way, text, isDone) => {
    const { send, relay, nextChange } = await usePlace();
    const seen = cutAt(relay, way, text);
    const keys = Array.from({ length: 20 }, (__, at) => `car-${at}`);
    const answers = await Promise.all(keys.map((key) => send('POST', '/api/coches', coche(key))));
    relay.inspect({});
    expect([new Set(answers.map(({ status }) => status)), seen()]).toEqual([new Set([504]), 1]);
    expect((await send('GET', '/api/cars')).json).toEqual(isDone ? keys.map(car) : []);
    expect(await nextChange()).toBe(isDone ? keys.length + 1 : 1);
  });

  test.each(moments)('%s leaves a create to be sent again with its idempotency key', async (_, way, text) => {
    const { send, relay, nextChange } = await usePlace();
    const key = { 'idempotency-key': `"${randomUUID()}"` };
    cutAt(relay, way, text);
    expect((await send('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza' }, key)).status).toBe(504);
    relay.inspect({});
    const again = await send('POST', '/api/cars', { model: 'Ibiza', brand: 'Seat' }, key);
    const { identifier } = again.json;
    expect([again.status, again.headers.get('location')]).toEqual([201, `/api/cars/${identifier}`]);
    expect((await send('GET', '/api/cars')).json).toEqual([car(identifier)]);
    expect(await nextChange()).toBe(2);
  });

  test('before COMMIT is replaced, and nobody notices; every time, it is replaced so often and no oftener', async () => {
    const { send, faults, relay, nextChange } = await usePlace();
    let seen = cutAt(relay, 'sent', BEGIN, TRIES - 1);
    expect((await send('POST', '/api/cars', car('a'))).status).toBe(201);
    expect([seen(), faults]).toEqual([TRIES, []]);
    seen = cutAt(relay, 'sent', BEGIN);
    expect((await send('POST', '/api/cars', car('b'))).status).toBe(503);
    relay.inspect({});
    expect([seen(), await nextChange()]).toEqual([TRIES, 2]);
  });

  test('while an item or a list is read is replaced, and nobody notices', async () => {
    const { send, faults, relay } = await usePlace();
    await send('POST', '/api/cars', car('a'));
    for (const path of ['/api/coches/a', '/api/coches?marca=seat']) {
      const seen = cutAt(relay, 'answered', Buffer.from('Ibiza'), TRIES - 1);
      expect([path, (await send('GET', path)).status, seen()]).toEqual([path, 200, TRIES]);
    }
    expect(faults).toEqual([]);
  });
});

/** Makes the next so many transactions that create a car fail with an SQLSTATE. */
const failing = (state: string, moment: string, times: number): string => `
  CREATE SEQUENCE tries;
  CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('tries') <= ${times} THEN RAISE EXCEPTION 'provoked' USING ERRCODE = '${state}'; END IF;
    RETURN NEW;
  END $$;
  CREATE ${moment} FOR EACH ROW EXECUTE FUNCTION fail()`;

const STATEMENT = 'TRIGGER provoked BEFORE INSERT ON "cars"';
const AT_COMMIT = 'CONSTRAINT TRIGGER provoked AFTER INSERT ON "cars" DEFERRABLE INITIALLY DEFERRED';

const triesOf = async (run: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>) =>
  Number((await run('SELECT last_value FROM tries'))[0]?.last_value);

const lasting = [
  ['at COMMIT with an outcome that the server does not know', '40003', AT_COMMIT, 504],
  ['at COMMIT because somebody ends the session', '57P01', AT_COMMIT, 504],
  ['because the disk is full', '53100', STATEMENT, 503],
  ['because it was cancelled', '57014', STATEMENT, 503],
] as const;

describe('a transaction that fails', () => {
  const races = [
    ['by a serialization failure of a statement', '40001', STATEMENT],
    ['by a deadlock of COMMIT', '40P01', AT_COMMIT],
  ] as const;
  test.each(races)(
    '%s is 503 after so many tries, and succeeds if it does so at the last',
    async (_, state, moment) => {
      const { send, faults, run, nextChange } = await usePlace();
      await run(failing(state, moment, 2 * TRIES - 1));
      const provoked = [{ code: state }];
      expect((await send('POST', '/api/coches', coche('a'))).status).toBe(503);
      expect([await triesOf(run), faults]).toMatchObject([TRIES, provoked]);
      expect((await send('POST', '/api/coches', coche('b'))).status).toBe(201);
      expect([await triesOf(run), faults]).toMatchObject([2 * TRIES, provoked]);
      expect([(await send('GET', '/api/cars')).json, await nextChange()]).toEqual([[car('b')], 2]);
    },
  );

  test.each(lasting)('%s is not tried again', async (_, state, moment, status) => {
    const { send, faults, run } = await usePlace();
    await run(failing(state, moment, 1));
    expect((await send('POST', '/api/coches', coche('a'))).status).toBe(status);
    expect([await triesOf(run), faults]).toMatchObject([1, [{ code: state }]]);
    expect((await send('POST', '/api/coches', coche('a'))).status).toBe(201);
  });

  test('by a real deadlock is tried again', async () => {
    const { url, send, faults } = await openPlace(onTestFinished);
    const { run } = await openSession(url);
    await send('POST', '/api/cars', car('a'));
    const [{ name: database } = {}] = await run('SELECT current_database() AS name');
    await run(`ALTER DATABASE ${database} SET deadlock_timeout = '500ms'`);
    // Sessions that begin now look so soon; this one leaves it to them.
    await run(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await run("SET deadlock_timeout = '1min'");
    await run('BEGIN; SELECT * FROM "cars" FOR UPDATE');
    const answer = send('PUT', '/api/coches/a', { puertas: 3 });
    const blocked = 'SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
    await expect.poll(async () => (await run(blocked)).length, { timeout: 30_000, interval: 5 }).toBe(1);
    // It has what this session asks for next, and waits for what this session has.
    expect(await run('SELECT * FROM "_change" FOR UPDATE SKIP LOCKED')).toEqual([]);
    expect(await run('SELECT * FROM "_change" FOR UPDATE')).toEqual([{ number: String(AHEAD + 1) }]);
    await run('COMMIT');
    expect([(await answer).status, (await answer).json.puertas, faults]).toEqual([200, 3, []]);
    expect(await changeOf(send)).toBe(AHEAD + 3);
  });
});

test('a create that waits for another instance, which creates the same, is refused', async () => {
  const { url, send, run } = await usePlace();
  await run('BEGIN; SELECT * FROM "_change" FOR UPDATE');
  const answer = send('POST', '/api/coches', coche('a'));
  const { run: look } = await openSession(url);
  const blocked = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(async () => (await look(blocked)).length, { timeout: 30_000, interval: 5 }).toBe(1);
  const [{ number } = {}] = await run('UPDATE "_change" SET "number" = "number" + 1 RETURNING "number"');
  await run(
    `INSERT INTO "cars" ("_created", "_revision", "identifier", "brand", "model") VALUES (${number}, ${number}, 'a', 'Seat', 'Ibiza')`,
  );
  await run('COMMIT');
  expect((await answer).status).toBe(409);
  expect(await changeOf(send)).toBe(Number(number) + 1);
});
