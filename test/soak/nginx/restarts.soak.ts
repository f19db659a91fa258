/** Instances that are stopped and started again behind the gateway's nginx, while clients write: nobody hears of it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/process/folder.ts';
import { noNginx, startNginx } from '../../support/process/nginx.ts';
import { type Serving, serve } from '../../support/process/service.ts';

const RESTARTS = 12;
const CLIENTS = 8;
/** Writes that each instance does between two restarts. */
const WRITES = 100;

describe.skipIf(noNginx)('behind nginx', () => {
  test.each(['0', '1000'])('twelve graceful restarts with STOP_DELAY=%s lose no POST', async (STOP_DELAY) => {
    const env = { DATABASE_URL: `sqlite:${join(temporaryFolder(), 'catalogue.db')}`, STOP_DELAY };
    const instances: [Serving, Serving] = await Promise.all([serve({ env }), serve({ env })]);
    const { origin, countServed } = await startNginx([instances[0].port, instances[1].port]);
    const counts: Record<string, number> = {};
    const tell = (outcome: string | number): void => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    };
    const written = (): number => counts['201'] ?? 0;
    let isOver = false;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        await fetch(`${origin}/api/cars`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"brand":"Seat","model":"Ibiza"}',
        }).then(
          async (response) => {
            const text = await response.text();
            tell(response.status === 201 ? 201 : `${response.status} ${text}`);
          },
          (error: Error) => tell(error.message),
        );
      }
    });
    for (let round = 0; round < RESTARTS; round++) {
      // Both instances are in use: nginx leaves one that it could not reach alone for a second.
      for (const { port } of instances) {
        const enough = countServed(port) + WRITES;
        await expect.poll(() => countServed(port), { timeout: 60_000 }).toBeGreaterThan(enough);
      }
      const place = round % 2 === 0 ? 0 : 1;
      const { port, end } = instances[place];
      expect(await end('SIGTERM')).toBe(0);
      instances[place] = await serve({ env: { ...env, PORT: String(port) } });
    }
    isOver = true;
    await Promise.all(clients);
    expect(counts).toEqual({ 201: written() });
    const { headers } = await fetch(`${instances[0].origin}/api/cars?number_of_elements=1`);
    expect(headers.get('x-total-count')).toBe(String(written()));
  });
});
