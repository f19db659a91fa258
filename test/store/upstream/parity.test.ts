/** The languages say the same of an API that speaks none of them, or one. */
import { getRequestListener } from '@hono/node-server';
import { expect, test } from 'vitest';
import { command } from '../../../parity/command.ts';
import { gatewayBefore, listening, peers } from '../../support/peers/peers.ts';

const cars = Array.from({ length: 40 }, (_, at) => ({
  id: `car-${at}`,
  brand: ['Seat', 'Citroën', 'CITROEN', 'Audi'][at % 4],
  model: `Model ${at % 7}`,
  year: 1990 + (at % 9),
  ...(at % 3 === 0 ? { doors: 5, clima: true } : {}),
}));
const oils = cars
  .slice(0, 5)
  .map(({ id: carId }, at) => ({ id: String(at), carId, type: '5W-30', otherInfo: 'VW 504' }));

test.each(Object.entries(peers))('before %s', async (_, open) => {
  const { listener, mapping } = await open({ cars, oils });
  const { app } = gatewayBefore(await listening(listener), mapping);
  const lines: string[] = [];
  const url = await listening(getRequestListener(app.fetch));
  const code = await command([url, '--seed', '7', '--cases', '120', '--write'], (line) => void lines.push(line));
  expect([code, code === 0 ? '' : lines.join('\n')]).toEqual([0, '']);
});
