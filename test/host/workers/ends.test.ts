/** How a service of several processes ends where something goes wrong. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/process/folder.ts';
import { isListening, launch, serve } from '../../support/process/service.ts';
import { childrenOf, isRunning, onNewConnection, whoServed } from '../../support/process/workers.ts';

test('SIGKILL of the primary leaves nobody serving, and what was acknowledged is there; where workers end again and again, who comes after it ends with 1', async () => {
  const env = {
    DATABASE_URL: `sqlite:${join(temporaryFolder(), 'catalogue.db')}`,
    WORKERS: '2',
    LOG_LEVEL: 'debug',
  };
  const killed = await serve({ env });
  const made = await Promise.all(
    Array.from({ length: 20 }, () => onNewConnection(killed, 'POST', '/api/cars', { brand: 'Seat', model: 'Ibiza' })),
  );
  await expect.poll(() => whoServed(killed).length, { timeout: 60_000 }).toBe(2);
  const pids = whoServed(killed);
  // Comes when the last of them has closed what it writes to.
  expect(await killed.end('SIGKILL')).toBe('SIGKILL');
  await expect.poll(() => pids.filter(isRunning), { timeout: 60_000 }).toEqual([]);
  expect(await isListening(killed.port)).toBe(false);

  const service = await serve({ env });
  for (const { headers } of made) expect((await fetch(service.origin + headers.location)).status).toBe(200);
  const workers = childrenOf(service);
  expect(workers).toHaveLength(2);
  for (let [next = Number.NaN] = workers, times = 1; times <= 5; times++) {
    process.kill(next, 'SIGKILL');
    const line =
      times < 5 ? `worker ${next} ended: SIGKILL; worker (\\d+) takes` : `worker ${next} ended: SIGKILL, the last`;
    next = Number((await service.wrote(new RegExp(line)))[1]);
  }
  expect(await service.exit).toBe(1);
  expect(service.output()).toMatch(
    / error \[\d+\] worker \d+ ended: SIGKILL, the last of 5 within a minute: the service ends\n/,
  );
});

test('a port that is busy is told once', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { exit, output } = launch({ env: { WORKERS: '2', PORT: String(port), LOG_LEVEL: 'error' } });
  expect([await exit, output()]).toEqual([1, `HOST=127.0.0.1 PORT=${port}: is in use already\n`]);
});
