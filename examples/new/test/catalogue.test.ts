import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { bilingual } from 'car-dealer-catalogue';
import { openSqlite } from 'car-dealer-catalogue/stores/sqlite';
import { catalogue } from '../catalogue.ts';

const locales = join(import.meta.dirname, '../locales');
const languages = globSync('*.json', { cwd: locales }).map((file) => basename(file, '.json'));
const read = (path: string) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {});
const tables = Object.fromEntries(languages.map((tag) => [tag, read(join(locales, `${tag}.json`))]));
const messages = Object.fromEntries(languages.map((tag) => [tag, read(join(locales, `messages/${tag}.json`))]));

const store = await openSqlite(':memory:', catalogue);
const app = bilingual({ catalogue, tables, messages, store, defaultLanguage: 'en' });
after(() => store.close());

test('an item that is created in English is read in the words of every language', async () => {
  const item = { identifier: 'a-1', name: 'The first', price: 12.5 };
  const headers = { 'content-type': 'application/json' };
  const created = await app.request('/api/books', { method: 'POST', headers, body: JSON.stringify(item) });
  assert.equal(created.status, 201);
  for (const tag of languages) {
    const { paths, fields } = tables[tag];
    const expected = Object.entries(item).map(([field, value]) => [fields.books[field], value]);
    const response = await app.request(`/api/${encodeURIComponent(paths.books)}/a-1`);
    assert.deepEqual(await response.json(), Object.fromEntries(expected));
  }
});
