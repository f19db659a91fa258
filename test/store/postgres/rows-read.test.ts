/**
 * How many rows each statement reads, whatever the planner knew when it was planned: connections keep plans for as long as
 * they live, and a database that nobody analyses has none or old statistics.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp, type Send } from '../../support/app/app.ts';
import { preparedDatabase } from '../../support/database/database.ts';
import { query } from '../../support/database/postgres.ts';

const STORED = 400;
/** As many as may become plans that are kept, on each connection. */
const FEW = 8;

const car = (at: number, more: object = {}) => ({
  identifier: `car-${at}`,
  brand: `Seat ${at % 100}`,
  model: `Ibiza ${at}`,
  year: 1950 + (at % 70),
  ...more,
});
const coche = (at: number) => ({ identificador: `coche-${at}`, marca: 'Seat', modelo: 'León' });

const ndjson = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const numbers = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, at) => from + at);

const importCars = async (send: Send, rows: readonly object[], resolution: string): Promise<void> => {
  const headers = { 'content-type': 'application/x-ndjson', prefer: `resolution=${resolution}` };
  const { status, text } = await send('POST', '/api/cars', ndjson(rows), headers);
  if (status !== 200) throw new Error(text);
};

/** Sends requests at the same time. */
const together = async (status: number, sent: readonly Promise<{ readonly status: number }>[]): Promise<void> =>
  expect(new Set((await Promise.all(sent)).map((answer) => answer.status))).toEqual(new Set([status]));

interface Work {
  /** @param round different each time. @param stored how many cars there are */
  readonly run: (send: Send, round: number, stored: number) => Promise<unknown>;
  /** The most rows that a round may read through indexes, by table: so many, and so many for each stored car. */
  readonly fetches: Readonly<Record<string, number | readonly [number, each: number]>>;
}

const list = (target: string, fetches: Work['fetches']): Work => ({
  run: (send) =>
    together(
      200,
      numbers(FEW).map(() => send('GET', target)),
    ),
  fetches,
});

/**
 * In groups of which each has a database: what one of its works reads too many of is far more than all of them may read.
 */
const groups: Readonly<Record<string, Readonly<Record<string, Work>>>> = {
  'writes of items': {
    'creates over 64 connections': {
      run: (send, round) =>
        together(
          201,
          numbers(64).map((at) => send('POST', '/api/coches', coche(round * 64 + at))),
        ),
      fetches: { cars: 0 },
    },
    'a create that is sent again': {
      run: (send, round) =>
        send('POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' }, { 'idempotency-key': `"${round}"` }),
      fetches: { cars: 0 },
    },
    'a create of a car that there is': {
      run: async (send) => expect((await send('POST', '/api/cars', car(0))).status).toBe(409),
      fetches: { cars: 3 },
    },
    'a nested create and its change': {
      run: async (send, round) => {
        await together(201, [send('POST', '/api/cars/car-1/oils', { type: `oil ${round}` })]);
        await together(200, [send('PUT', `/api/coches/car-1/aceites/oil ${round}`, { otros_datos: `${round}` })]);
      },
      fetches: { cars: 5, oils: 2 * FEW },
    },
    'changes of cars': {
      run: (send, round) =>
        together(
          200,
          numbers(3).map((at) => send('PUT', `/api/cars/car-${at}`, { model: `Ibiza ${round}` })),
        ),
      fetches: { cars: 12 },
    },
    deletes: {
      run: async (send, round) => {
        await send('POST', '/api/cars', car(-1 - round));
        await together(204, [send('DELETE', `/api/cars/car-${-1 - round}`)]);
      },
      fetches: { cars: 3, oils: 0 },
    },
    'an import into a list of oils': {
      run: async (send, round) => {
        const headers = { 'content-type': 'application/x-ndjson', prefer: 'resolution=replace-all; allow-deletions' };
        const { status } = await send('POST', '/api/cars/car-1/oils', ndjson([{ type: `oil ${round}` }]), headers);
        expect(status).toBe(200);
      },
      fetches: { cars: 8, oils: 8 },
    },
  },
  'imports of all cars': {
    'a merge of stored cars': {
      run: (send, round, stored) =>
        importCars(
          send,
          numbers(stored).map((at) => car(at, { doors: round % 20 })),
          'merge-duplicates',
        ),
      fetches: { cars: [0, 3] },
    },
    'replacing all cars': {
      run: (send, round, stored) =>
        importCars(
          send,
          numbers(stored).map((at) => car(at + (round % 2), { doors: round % 20 })),
          'replace-all; allow-deletions',
        ),
      fetches: { cars: [0, 5], oils: 0 },
    },
  },
  reads: {
    items: {
      run: (send) =>
        together(
          200,
          numbers(FEW).map((at) => send('GET', `/api/coches/car-${at % 3}`)),
        ),
      fetches: { cars: FEW },
    },
    'items with their oils': list('/api/cars/car-1?include=oils', { cars: FEW }),
    'oils of a car': list('/api/coches/car-1/aceites', { cars: FEW, oils: 0 }),
    // The rows of a list are counted through an index.
    'the first page': list('/api/cars?number_of_elements=3', { cars: [4 * FEW, FEW] }),
    'a page by brand': list('/api/coches?marca=seat%201&numero_de_elementos=3', { cars: [4 * FEW, FEW] }),
    'a page in the order of a field': list('/api/cars?sort_by=year&number_of_elements=3', { cars: [4 * FEW, FEW] }),
    'a page of a range': list('/api/cars?year_from=1952&sort_by=year&number_of_elements=3', { cars: [4 * FEW, FEW] }),
    'groups by brand': list('/api/coches?agrupar_por=marca', { cars: [0, 2 * FEW] }),
    // What is found is read twice, for the total and for the order, and all is found.
    'a search': list('/api/cars?search=ibiza%20seat&number_of_elements=3', { cars: [4 * FEW, 2 * FEW] }),
  },
};

/** @returns rows read since the last reset by sequential scans, and through indexes, by table; once every session has told */
const rowsRead = async (url: string) => {
  const others = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await expect.poll(() => query(url, others), { timeout: 30_000, interval: 20 }).toEqual([]);
  const rows = (await query(
    url,
    `SELECT relname AS "table", seq_tup_read::int AS "scanned", idx_tup_fetch::int AS "fetched" FROM pg_stat_user_tables`,
  )) as readonly { readonly table: string; readonly scanned: number; readonly fetched: number | null }[];
  return new Map(rows.map((row) => [row.table, row]));
};

const states = [
  ['that nobody has ever analysed', undefined],
  ['that was analysed while it had three cars', 'ANALYZE'],
] as const;

describe.each(states)('on a database %s', (_, analyze) => {
  test.each(Object.entries(groups))('%s: no table is read whole, however it has grown', async (_, group) => {
    const works = Object.values(group);
    const database = await preparedDatabase();
    const other = await openApp({ database });
    await importCars(
      other.send,
      numbers(3).map((at) => car(at)),
      'merge-duplicates',
    );
    if (analyze) await query(database, analyze);
    const { send, close } = await openApp({ database });
    onTestFinished(close);
    for (const { run } of works) for (let round = 0; round < FEW; round++) await run(send, round, 3);
    await importCars(
      other.send,
      numbers(STORED).map((at) => car(at)),
      'merge-duplicates',
    );
    await other.close();
    await query(database, 'SELECT pg_stat_reset()');

    const rounds = 2;
    for (const { run } of works) for (let round = 0; round < rounds; round++) await run(send, FEW + round, STORED);
    await close();
    const read = await rowsRead(database);
    const scanned = [...read.values()].filter((each) => each.table !== '_change' && each.scanned > 0);
    expect(scanned).toEqual([]);
    const each = [...Array<number>(FEW).fill(3), ...Array<number>(rounds).fill(STORED)];
    for (const table of ['cars', 'oils']) {
      const most = works.flatMap(({ fetches: { [table]: most = 0 } }) =>
        each.map((stored) => (typeof most === 'number' ? most : most[0] + most[1] * stored)),
      );
      const all = most.reduce((sum, rows) => sum + rows, 0);
      // What connections read before the reset, of three cars, some tell after it.
      expect(read.get(table)?.fetched ?? 0, table).toBeLessThanOrEqual(all + 3 * FEW);
    }
  });
});
