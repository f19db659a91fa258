/** What somebody writes who has installed `vocabularies`: its types are checked, and it is run. */
import { Hono } from 'hono';
import { type Address, addressesOf, type Options, type Table, VocabularyError, vocabularies } from 'vocabularies';

const document = {
  openapi: '3.1.0',
  info: { title: 'Boats', version: '1' },
  paths: { '/boats': { get: { responses: { 200: { description: 'All of them' } } } } },
};
const es: Table = { paths: { boats: 'barcos' } };
const options: Options = { document, tables: { es } };
const api = new Hono().get('/boats', (c) => c.json([]));
const app = new Hono();
app.route('/', vocabularies(api, options));

const { status } = await app.request('/barcos');
const addresses: readonly Address[] = addressesOf(document, { es });
if (status !== 200 || addresses.length === 0) throw new Error(`${status}, ${addresses.length} addresses`);
try {
  vocabularies(api, { document: {}, tables: { es } });
  throw new Error('There is no document');
} catch (error) {
  if (!(error instanceof VocabularyError)) throw error;
}
console.log('passed');
