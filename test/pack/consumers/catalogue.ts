/** What somebody writes who has installed the catalogue: its types are checked, and it is run. It imports all that the package exports. */
import { bilingual } from 'car-dealer-catalogue';
import { catalogue as dealer } from 'car-dealer-catalogue/catalogue';
import { key, text } from 'car-dealer-catalogue/fields';
import en from 'car-dealer-catalogue/locales/en.json' with { type: 'json' };
import es from 'car-dealer-catalogue/locales/es.json' with { type: 'json' };
import type { Cell, Field } from 'car-dealer-catalogue/model/field';
import type { ImportOutcome } from 'car-dealer-catalogue/model/import';
import { getKind } from 'car-dealer-catalogue/model/kinds/kinds';
import { LINE } from 'car-dealer-catalogue/model/kinds/texts';
import { foldCell } from 'car-dealer-catalogue/model/query';
import { searchTerms } from 'car-dealer-catalogue/model/search';
import { type Catalogue, collection, defineCatalogue } from 'car-dealer-catalogue/schema';
import type { Items } from 'car-dealer-catalogue/stores/port';
import type { PostgresOptions } from 'car-dealer-catalogue/stores/postgres';
import { applyIntent } from 'car-dealer-catalogue/stores/rules/apply';
import { ChangeSet } from 'car-dealer-catalogue/stores/rules/change-set';
import { Imports } from 'car-dealer-catalogue/stores/rules/imports/import-rows';
import { ImportRun } from 'car-dealer-catalogue/stores/rules/imports/import-run';
import { openSqlite } from 'car-dealer-catalogue/stores/sqlite';
import { vocabularies } from 'car-dealer-catalogue/vocabularies';
import { Hono } from 'hono';

export type Own = readonly [Cell, Field, ImportOutcome, PostgresOptions];
export const parts: readonly unknown[] = [applyIntent, ChangeSet, Imports, ImportRun, vocabularies, getKind, LINE];
export const terms: readonly string[] = [...searchTerms('León Ágil'), String(foldCell('León'))];

const books = collection('books', { isbn: key(), title: text({ max: 200 }) });
export const library: Catalogue = defineCatalogue(books);

const store = await openSqlite(':memory:', dealer);
const items: Items = store;
const app = new Hono();
app.route('/', bilingual({ catalogue: dealer, tables: { en, es }, store: items }));

async function expectStatus(status: number, path: string, init?: RequestInit): Promise<string> {
  const response = await app.request(path, init);
  const answer = await response.text();
  if (response.status !== status) throw new Error(`${path}: ${response.status} ${answer}`);
  return answer;
}

function send(type: string, body: string): RequestInit {
  return { method: 'POST', headers: { 'content-type': type }, body };
}

await expectStatus(201, '/api/coches', send('application/json', '{"marca":"Seat","modelo":"León"}'));
// Threads read a file, and a body as long as this one.
await expectStatus(200, '/api/cars', send('text/csv', 'brand,model\nSeat,Ibiza\n'));
const long = JSON.stringify({ brand: 'Seat', unknown: 'x'.repeat(100_000) });
await expectStatus(400, '/api/cars', send('application/json', long));
const listed: unknown = JSON.parse(await expectStatus(200, '/api/cars?brand=seat'));
if (!Array.isArray(listed) || listed.length !== 2) throw new Error(JSON.stringify(listed));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'docs.js', 'style.css'])
  await expectStatus(200, `/docs/${name}`);
await expectStatus(200, '/api/openapi.es.json');
await store.close();
console.log('passed');
