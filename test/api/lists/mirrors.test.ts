import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { byEvents, byPages } from '../../support/app/mirrors.ts';
import { openServer } from '../../support/app/server.ts';
import { en, es } from '../../support/app/trees.ts';
import { newDatabase, onServer } from '../../support/database/database.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** Numbers that look random, the same each time. */
const randomly = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
};

const json = { 'content-type': 'application/json' };

test('mirrors that ask, that wait and that follow events equal the list in either language, whatever several instances write meanwhile', async () => {
  // One in memory is of one instance.
  const made = onServer ? await newDatabase(true) : undefined;
  const database = made?.url ?? `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;
  if (!made) await (await openApp({ database })).close();
  const servers = await Promise.all([1, 2, 3].map(() => openServer({ database })));
  onTestFinished(async () => {
    for (const { close } of servers) await close();
    await made?.drop?.();
  });
  const origins = servers.map(({ origin }) => origin);
  const write = async (origin: string, seed: number): Promise<void> => {
    const random = randomly(seed);
    const send = (method: string, path: string, body?: unknown, headers = {}) =>
      fetch(origin + path, {
        method,
        ...(body === undefined ? {} : { headers: { ...json, ...headers }, body: JSON.stringify(body) }),
      });
    const car = () => ({ identifier: `k${random(12)}`, brand: 'Seat', model: `M${random(9)}` });
    for (let at = 0; at < 30; at++) {
      const { identifier, ...values } = car();
      const kind = random(10);
      if (kind === 0) {
        const all = Array.from({ length: 6 }, (_, each) => ({ ...car(), identifier: `k${each * 2}` }));
        await send('POST', '/api/cars', all, { prefer: 'resolution=replace-all; allow-deletions' });
      } else if (kind < 4) await send('DELETE', `/api/coches/${identifier}`);
      else if (kind < 7) await send('PATCH', `/api/cars/${identifier}`, { ...values, year: 2000 + random(20) });
      else await send('POST', '/api/cars', { identifier, ...values });
    }
  };
  const mirrors = [en, es].map((tree) =>
    Promise.all([byPages(origins, tree), byPages(origins, tree, 'wait=25'), byEvents(origins, tree)]),
  );
  await Promise.all(origins.map((origin, at) => write(origin, at + 1)));
  const end = JSON.stringify({ identifier: 'end', brand: 'Seat', model: 'M' });
  await fetch(`${origins[0]}/api/cars`, { method: 'POST', headers: json, body: end });
  for (const [at, tree] of [en, es].entries()) {
    const list = await (await fetch(origins[0] + tree.cars)).json();
    for (const items of (await mirrors[at]) ?? []) expect(new Set(items.values())).toEqual(new Set(list as object[]));
  }
});
