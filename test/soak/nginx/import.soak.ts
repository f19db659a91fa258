/** A file of 30 MB passes nginx while others read and write, and one of the two instances is killed: only what is in flight there notices. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../support/database/postgres-server.ts';
import { noNginx, startNginx } from '../../support/process/nginx.ts';
import { serve } from '../../support/process/service.ts';

const ROWS = 50_000;
const CLIENTS = 4;
/** Requests of each client's that nginx has passed on before the instance is killed. */
const SOME = 50;

const csv = (): Uint8Array<ArrayBuffer> => {
  // Three bytes each.
  const filler = '日'.repeat(190);
  const rows = Array.from({ length: ROWS }, (_, at) => `row-${at},Seat,Ibiza,${filler}\n`);
  return new TextEncoder().encode(`identifier,brand,model,version\n${rows.join('')}`);
};

describe.skipIf(noNginx)('behind nginx', () => {
  test('an import of 30 MB is stored once, whichever instance is killed', async () => {
    const server = await startPostgres({ settings: { fsync: 'on' } });
    onTestFinished(server.remove);
    // Writers wait while the file's rows are stored: longer than by default, and less long than a connection may be idle.
    const env = { DATABASE_URL: server.url(), DATABASE_TIMEOUT: '50000', IDLE_TIMEOUT: '120000', DATABASE_POOL: '6' };
    const instances = [await serve({ env }), await serve({ env })] as const;
    const [first, second] = instances;
    const { origin, countServed } = await startNginx([first.port, second.port]);
    const body = csv();
    expect(body.length).toBeGreaterThan(29_000_000);

    const outcomes: Record<string, number> = {};
    let isOver = false;
    const tell = (outcome: string): void => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    };
    const send = async (method: string, path: string, content: string | null): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(origin + path, { method, body: content, headers });
      await response.arrayBuffer();
      tell(`${method} ${response.status}`);
    };
    await send('POST', '/api/cars', '{"identifier":"mine","brand":"Seat","model":"Ibiza"}');
    const clients = Array.from({ length: CLIENTS }, async (_, at) => {
      while (!isOver) {
        await send('GET', '/api/coches/mine', null);
        await send('GET', '/api/cars?brand=opel', null);
        await send('PUT', '/api/cars/mine', `{"version":"${at}"}`);
        await send('POST', '/api/cars', '{"brand":"Opel","model":"Corsa"}');
      }
    });
    const sendFile = async (): Promise<readonly [number, Record<string, unknown>]> => {
      const headers = { 'content-type': 'text/csv', 'idempotency-key': '"the file"' };
      const response = await fetch(`${origin}/api/cars`, { method: 'POST', body, headers });
      return [response.status, (await response.json()) as Record<string, unknown>];
    };
    const importing = sendFile();
    importing.catch(() => {});
    const enough = instances.map(({ port }) => countServed(port) + SOME);
    const bothServe = () => instances.every(({ port }, at) => countServed(port) > (enough[at] ?? 0));
    await expect.poll(bothServe, { timeout: 120_000 }).toBe(true);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    let [status, report] = await importing;
    tell(`import ${status}`);
    if (status === 503) [status, report] = await sendFile();
    isOver = true;
    await Promise.all(clients);
    console.log(outcomes);
    expect([status, report.created, report.rejected]).toEqual([200, ROWS, 0]);
    expect((await fetch(`${origin}/api/cars?brand=seat&number_of_elements=1`)).headers.get('x-total-count')).toBe(
      String(ROWS + 1),
    );
    const { 'POST 503': lost = 0, 'import 503': cut, 'import 200': whole, ...others } = outcomes;
    expect(lost).toBeLessThanOrEqual(CLIENTS);
    expect([cut, whole]).toContain(1);
    expect(new Set(Object.keys(others))).toEqual(new Set(['GET 200', 'PUT 200', 'POST 201']));
  });
});
