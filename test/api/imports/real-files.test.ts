/** Real files: sent again, and in the tree of another language. Any texts in any format: `test/gateway/files/round-trip.test.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { project } from '../../support/process/service.ts';

const { send } = useFreshApp();
const fileOf = (name: string): string => readFileSync(join(project, 'test/data', name), 'utf8');
const FILES = [
  ['/api/cars', fileOf('vehicles.en.csv')],
  ['/api/coches', fileOf('vehiculos.es.csv')],
] as const;
const importFile = async (list: string, file: string, prefer = '') => {
  const { json } = await send('POST', list, file, { 'content-type': 'text/csv', prefer });
  return Object.values(json);
};

test('sent a second time they change nothing: no number is taken, and no entity tag is another', async () => {
  for (const [list, file] of FILES) expect(await importFile(list, file)).toEqual([300, 0, 0, 0, 0, 0, 0]);
  const { json: cars } = await send('GET', '/api/cars');
  const targets = ['/api/cars', ...cars.map(({ identifier }: { identifier: string }) => `/api/coches/${identifier}`)];
  const tags = () => Promise.all(targets.map(async (target) => (await send('HEAD', target)).headers.get('etag')));
  const before = await tags();
  expect(new Set(before).size).toBe(601);
  for (const [prefer, counts] of [
    ['resolution=merge-duplicates', [0, 0, 300, 0, 0, 0, 0]],
    ['resolution=ignore-duplicates', [0, 0, 0, 300, 0, 0, 0]],
  ] as const) {
    for (const [list, file] of FILES) expect(await importFile(list, file, prefer)).toEqual(counts);
  }
  expect(await tags()).toEqual(before);
});
