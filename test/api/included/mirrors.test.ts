/** A mirror of items with those that they refer to follows the changes of both. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runsOf } from '../../support/database/database.ts';
import { everyKindApps, type Opened } from '../../support/language/every-kind-apps.ts';

const PORTS = ['Gijón', 'Avilés'];
const writing = fc.record({
  kind: fc.constantFrom('boat', 'boat', 'move', 'delete', 'port', 'port', 'import' as const),
  at: fc.nat({ max: 5 }),
  port: fc.constantFrom(...PORTS, null),
  depth: fc.nat({ max: 3 }),
});
const mirrored = fc.record({
  query: fc.constantFrom('include=port', 'include=home,port', 'include=port,trips', 'include=home&port=aviles'),
  size: fc.integer({ min: 1, max: 3 }),
  turns: fc.array(fc.array(writing, { maxLength: 4 }), { maxLength: 10 }),
});

describe.each(everyKindApps(afterAll))('in a %s', (_, open) => {
  let app: Opened;
  beforeAll(async () => {
    app = await open();
    for (const place of PORTS) await app.send('POST', '/api/ports', { place });
  });
  afterAll(() => app.close());

  const write = async ({ kind, at, port, depth }: typeof writing extends fc.Arbitrary<infer T> ? T : never) => {
    const code = `b${at}`;
    if (kind === 'boat') await app.send('POST', '/api/boats', { code, name: code, port, home: PORTS[depth % 2] });
    if (kind === 'move') await app.send('PUT', `/api/barcos/${code}`, { puerto: port });
    if (kind === 'delete') await app.send('DELETE', `/api/boats/${code}`);
    if (kind === 'port')
      await app.send('PUT', `/api/puertos/${encodeURIComponent(port ?? 'Gijón')}`, { calado: depth });
    if (kind !== 'import') return;
    const rows = PORTS.map((place) => `${place};${depth}\r\n`).join('');
    await app.send('POST', '/api/importaciones/puertos', `lugar;calado\r\n${rows}`, {
      prefer: 'resolution=merge-duplicates',
    });
  };

  test('it equals the list, whatever is written meanwhile', () =>
    fc.assert(
      fc.asyncProperty(mirrored, async ({ query, size, turns }) => {
        const items = new Map<string, object>();
        let position = '0';
        /** @returns whether there is more */
        const follow = async (): Promise<boolean> => {
          const path = `/api/boats?changed_since=${position}&number_of_elements=${size}&${query}`;
          const { status, json, change } = await app.send('GET', path);
          expect([status, json.length <= size]).toEqual([200, true]);
          for (const { deleted, ...item } of json) {
            if (deleted) items.delete(item.code);
            else items.set(item.code, item);
          }
          const isMore = change !== position && json.length > 0;
          position = change ?? '';
          return isMore;
        };
        for (const turn of turns) {
          for (const each of turn) await write(each);
          await follow();
        }
        while (await follow());
        expect(new Set(items.values())).toEqual(new Set((await app.send('GET', `/api/boats?${query}`)).json));
      }),
      { numRuns: runsOf(25) },
    ));
});
