import { expect, onTestFinished, test } from 'vitest';
import { startHooks } from '../../../src/host/service/hook-thread.ts';
import { catalogue } from '../../support/cars/catalogue.ts';

/** A thread that answers once, and then hears nothing any more. */
const DEAF = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message === 'close') return;
      parentPort.postMessage({ news: { level: 'info', line: 'begun' } });
      parentPort.postMessage({ result: undefined });
    });`)}`,
);

test('a thread that does not end holds up neither the end of the service nor its next thread', async () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const hooks = { count: async () => 1 } as Parameters<typeof startHooks>[0]['hooks'];
  const log = { info: write, warn: write, error: write };
  const { restart, stop } = startHooks({ hooks }, catalogue, { DATABASE_URL: 'sqlite:x.db' }, log, DEAF);
  onTestFinished(stop);
  await expect.poll(() => lines).toContain('begun');
  const restarted = restart();
  await expect.poll(() => lines.filter((line) => line === 'begun').length).toBe(2);
  await restarted;
  await stop();
  const LATE = 'the thread that delivers to hooks has not ended in time';
  expect(lines.filter((line) => line === LATE)).toEqual([LATE, LATE]);
});
