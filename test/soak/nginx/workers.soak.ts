/** One instance with two workers is named twice in nginx: it asks again where a worker ends, so hardly any reader notices. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/process/folder.ts';
import { noNginx, startNginx } from '../../support/process/nginx.ts';
import { serve } from '../../support/process/service.ts';
import { childrenOf, onNewConnection, whoServed } from '../../support/process/workers.ts';

/** Fewer than have to end within a minute before the service gives up. */
const KILLS = 3;
const CLIENTS = 8;
const ROUNDS = 8;

test.skipIf(noNginx)('behind nginx hardly anybody who reads notices that a worker is killed', async () => {
  const env = {
    DATABASE_URL: `sqlite:${join(temporaryFolder(onTestFinished), 'catalogue.db')}`,
    WORKERS: '2',
    LOG_LEVEL: 'debug',
  };
  const service = await serve({ env, whenOver: onTestFinished });
  const gateway = await startNginx([service.port, service.port], onTestFinished);
  const askAll = async (): Promise<readonly string[]> => {
    const one = async (): Promise<string> => {
      const { status, text } = await onNewConnection(gateway, 'GET', '/api/cars?brand=none');
      return `${status} ${text}`;
    };
    return Promise.all(Array.from({ length: CLIENTS }, one));
  };
  const found: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const [victim = Number.NaN] = childrenOf(service);
    await askAll();
    process.kill(victim, 'SIGKILL');
    for (let round = 0; round < ROUNDS; round++) found.push(...(await askAll()));
    const [, other] = await service.wrote(new RegExp(`worker ${victim} ended: SIGKILL; worker (\\d+) takes its place`));
    const serves = (): boolean => whoServed(service).includes(Number(other));
    await expect.poll(() => onNewConnection(service, 'GET', '/livez').then(serves), { timeout: 60_000 }).toBe(true);
  }
  // Both tries of one request may reach the worker that ends; where nginx left all alone for ten seconds, most would fail.
  const failed = found.filter((each) => each !== '200 []');
  expect(failed.length).toBeLessThanOrEqual(found.length / 20);
});
