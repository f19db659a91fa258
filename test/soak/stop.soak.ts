/** A service is stopped under load: whoever connects then is served, refused or reset, and no response breaks off. `SOAK_ROUNDS` says how often. */
import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { type Serving, serve } from '../support/process/service.ts';

const ROUNDS = Number(process.env.SOAK_ROUNDS || 20);
const CLIENTS = 48;
/** Responses before the stop. */
const BEFORE = 2_000;

const get = (origin: string, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(`${origin}/api/cars?page_size=1`, { agent }, (response) => {
      response.resume().once('end', () => resolve('served'));
      response.once('error', ({ message }) => resolve(`in the middle: ${message}`));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });

/** @returns how many requests ended how; each client ends with its first failure */
const load = async (
  { origin }: Serving,
  keepAlive: boolean,
  onServed: () => void,
): Promise<Readonly<Record<string, number>>> => {
  const ends: string[] = [];
  const ask = async (): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    let end = 'served';
    while (end === 'served') {
      end = await get(origin, agent);
      if (end === 'served') onServed();
    }
    ends.push(end);
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  return Object.fromEntries(
    Object.entries(Object.groupBy(ends, (end) => end)).map(([end, all]) => [end, all?.length ?? 0]),
  );
};

test.each([
  ['on connections that stay', true, ['ECONNREFUSED']],
  // The system resets connections that it has not handed over yet.
  ['on a connection for each request', false, ['ECONNREFUSED', 'ECONNRESET']],
])('clients %s are served or refused when the service stops', async (_, keepAlive, allowed) => {
  for (let round = 1; round <= ROUNDS; round++) {
    const service = await serve();
    let served = 0;
    const ends = await load(service, keepAlive, () => {
      served += 1;
      if (served === BEFORE) service.child.kill('SIGTERM');
    });
    console.log(`  ${round}: ${served} served, ${JSON.stringify(ends)}`);
    expect(await service.exit).toBe(0);
    expect.soft(Object.keys(ends).filter((end) => !allowed.includes(end))).toEqual([]);
  }
});
