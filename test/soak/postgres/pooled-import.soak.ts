/** A file comes in through a pooler with few connections, while others write through it: whole, once, and whatever becomes of the pooler. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../support/database/postgres-server.ts';
import { COMMIT, openRelay, type Relay } from '../../support/faults/relay.ts';
import { noPgbouncer, startPgbouncer } from '../../support/process/pgbouncer.ts';
import { serve } from '../../support/process/service.ts';

const ROWS = 20_000;
const CLIENTS = 4;
/** Fewer than the two services may open. */
const CONNECTIONS = 8;

const body = `identifier,brand,model\n${Array.from({ length: ROWS }, (_, at) => `row-${at},Seat,Ibiza\n`).join('')}`;

const open = async (): Promise<{ readonly origins: readonly [string, string]; readonly relay: Relay }> => {
  const server = await startPostgres();
  onTestFinished(server.remove);
  const url = new URL(await startPgbouncer(server.url(), { connections: CONNECTIONS }));
  const relay = await openRelay(Number(url.port));
  url.port = String(relay.port);
  const env = { DATABASE_URL: url.href, DATABASE_TIMEOUT: '25000', DATABASE_POOL: '4', DATABASE_PREPARE: 'off' };
  const [one, other] = [await serve({ env }), await serve({ env })];
  return { origins: [one.origin, other.origin], relay };
};

const sendFile = async (origin: string): Promise<readonly [number, Readonly<Record<string, unknown>>]> => {
  const headers = { 'content-type': 'text/csv', 'idempotency-key': '"the file"' };
  const response = await fetch(`${origin}/api/cars`, { method: 'POST', headers, body });
  return [response.status, (await response.json()) as Readonly<Record<string, unknown>>];
};

const countOf = async (origin: string, brand: string): Promise<number> => {
  const response = await fetch(`${origin}/api/cars?brand=${brand}&number_of_elements=1`);
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  return Number(response.headers.get('x-total-count'));
};

/** Creates cars until it is told that it is over. @returns how many, and what else it was answered */
const write = async (origin: string, isOver: () => boolean) => {
  let created = 0;
  const others: number[] = [];
  while (!isOver()) {
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${origin}/api/cars`, {
      method: 'POST',
      headers,
      body: '{"brand":"Opel","model":"Corsa"}',
    });
    if (status === 201) created += 1;
    else others.push(status);
  }
  return { created, others };
};

describe.skipIf(noPgbouncer)('behind pgbouncer in transaction mode', () => {
  test('an import is stored once, and everybody else writes on', async () => {
    const { origins } = await open();
    let isOver = false;
    const writers = Array.from({ length: CLIENTS }, (_, at) => write(origins[at % 2] ?? '', () => isOver));
    const [status, report] = await sendFile(origins[0]).finally(() => {
      isOver = true;
    });
    const written = await Promise.all(writers);
    expect([status, report.created]).toEqual([200, ROWS]);
    expect(written.flatMap(({ others }) => others)).toEqual([]);
    const created = written.reduce((sum, each) => sum + each.created, 0);
    expect(created).toBeGreaterThan(0);
    for (const origin of origins) {
      expect([await countOf(origin, 'seat'), await countOf(origin, 'opel')]).toEqual([ROWS, created]);
    }
  });

  test.each([
    ['its rows are written', (piece: Buffer) => piece.includes('INSERT INTO "cars"')],
    ['it is committed', (piece: Buffer) => piece.includes(COMMIT)],
  ])(
    'an import whose connection breaks where %s is whole or not there, and done when it is sent again',
    async (_, isPlace) => {
      const { origins, relay } = await open();
      let cuts = 0;
      relay.inspect({
        sent: (piece) => {
          if (cuts > 0 || !isPlace(piece)) return 'pass';
          cuts += 1;
          return 'cut';
        },
      });
      const [status] = await sendFile(origins[0]);
      expect([cuts, [200, 503].includes(status)]).toEqual([1, true]);
      expect([0, ROWS]).toContain(await countOf(origins[1], 'seat'));
      const [again, report] = await sendFile(origins[1]);
      expect([again, report.created, await countOf(origins[0], 'seat')]).toEqual([200, ROWS, ROWS]);
    },
  );
});
