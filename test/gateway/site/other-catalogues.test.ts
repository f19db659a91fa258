/** Pages of catalogues and folders of tables that are unlike the project's: nothing of them may be taken for granted. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Catalogue, collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, text } from '../../../src/gateway/model/fields.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { smallCatalogue, smallTables } from '../../support/language/small-catalogue.ts';

const cases: readonly (readonly [string, Catalogue, () => string, steps: number])[] = [
  [
    'without examples',
    defineCatalogue(collection('cars', { identifier: key(), brand: text({ max: 9 }) })),
    smallTables,
    0,
  ],
  ['with one optional text', smallCatalogue, smallTables, 3],
  ['in one language', catalogue, () => folderOf({ 'en.json': tableOf('en') }), 2],
];

describe.each(cases)('%s', (_name, catalogue, locales, steps) => {
  test('every page is there', async () => {
    const { request, close } = await openApp({ catalogue, locales: locales() });
    onTestFinished(close);
    const pageAt = async (path: string): Promise<string> => {
      const response = await request(path, { headers: { accept: 'text/html' } });
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    };
    const index = await pageAt('/');
    expect(index.match(/class="step"/g)?.length ?? 0).toBe(steps);
    expect(index.includes('data-browsing=')).toBe(true);
    const list = await pageAt('/api/problems');
    const paths = [...list.matchAll(/href="(\/api\/problems\/[\w-]+)\?/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) expect(await pageAt(path)).toContain('<h1>');
  });
});

test('a key with a quote stands in a command as a shell reads it', async () => {
  const { request, close } = await openApp({ catalogue: smallCatalogue, locales: smallTables() });
  onTestFinished(close);
  const page = await (await request('/', { headers: { accept: 'text/html' } })).text();
  expect(page.replaceAll('&#39;', "'").replaceAll('&quot;', '"')).toContain(String.raw`"identifier": "d'\''Artagnan"`);
});
