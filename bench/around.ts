/** A server of the English tree and of a bare handler: alone, or with `TABLE=es` in Spanish, too, by the translator around it. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import { vocabularies } from '../packages/vocabularies/src/index.ts';
import { catalogue } from '../src/catalogue.ts';
import { bilingual } from '../src/gateway/bilingual.ts';
import { openStore } from '../src/host/service/open-store.ts';

const CAR = {
  brand: 'Citroën',
  model: 'C4',
  year: 2006,
  doors: 5,
  enginePower: 109,
  version: '1.6 HDi Collection',
  clima: true,
  ac: false,
  fuel: 'Diésel',
};
const { DATABASE_URL = 'sqlite::memory:', PORT = '0', CARS = '100', TABLE } = process.env;

const store = await openStore(DATABASE_URL, catalogue);
const service = bilingual({ catalogue, tables: { en }, store });
const rows = Array.from({ length: Number(CARS) }, (_, at) => JSON.stringify({ identifier: `car-${at}`, ...CAR }));
const headers = { 'Content-Type': 'application/x-ndjson' };
const imported = await service.request('/api/imports/cars', { method: 'POST', headers, body: rows.join('\n') });
if (imported.status !== 200) throw new Error(await imported.text());

const app = new Hono();
app.get('/bare/cars/:id', (c) => c.json({ identifier: c.req.param('id'), ...CAR }));
app.all('*', (c) => service.fetch(c.req.raw, c.env as never));

const answer = await service.request('/api/openapi.en.json');
const document = (await answer.json()) as { paths: Record<string, unknown> };
document.paths['/bare/cars/{identifier}'] = document.paths['/api/cars/{identifier}'];
const translated = TABLE === 'es' ? vocabularies(app, { document, tables: { es }, onNotice: () => {} }) : app;
serve({ fetch: translated.fetch, hostname: '127.0.0.1', port: Number(PORT) });
