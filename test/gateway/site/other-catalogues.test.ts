/** Pages of catalogues and folders of tables that are unlike the project's: nothing of them may be taken for granted. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Catalogue, collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, text } from '../../../src/gateway/model/fields.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { smallCatalogue, smallTables } from '../../support/language/small-catalogue.ts';

const cases: readonly (readonly [string, Catalogue, () => string])[] = [
  [
    'without examples',
    defineCatalogue(collection('cars', { identifier: key(), brand: text({ max: 9 }) })),
    smallTables,
  ],
  ['with one optional text', smallCatalogue, smallTables],
  ['in one language', catalogue, () => folderOf({ 'en.json': tableOf('en') })],
];

describe.each(cases)('%s', (_name, catalogue, locales) => {
  test('every page is there', async () => {
    const { request, close } = await openApp({ catalogue, locales: locales() });
    onTestFinished(close);
    const pageAt = async (path: string): Promise<string> => {
      const response = await request(path, { headers: { accept: 'text/html' } });
      expect([path, response.status]).toEqual([path, 200]);
      return response.text();
    };
    const index = await pageAt('/');
    expect(index.includes('<form class="filter"')).toBe(true);
    const list = await pageAt('/api/problems');
    const paths = [...list.matchAll(/href="(\/api\/problems\/[\w-]+)\?/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) expect(await pageAt(path)).toContain('<h1>');
  });
});
