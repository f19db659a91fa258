/** What the translator costs: the English tree alone, beside the same with Spanish around it, by turns in one process. */
import { Hono } from 'hono';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import { vocabularies as translate } from '../packages/vocabularies/src/index.ts';
import { catalogue } from '../src/catalogue.ts';
import { bilingual } from '../src/gateway/bilingual.ts';
import { openStore } from '../src/host/service/open-store.ts';

/** Requests of one turn, so that a turn takes some milliseconds. */
const WORKLOADS = [
  { name: 'an item', canonical: '/api/cars/car-7', words: '/api/coches/car-7', count: 400, wanted: 1.2 },
  {
    name: 'a list of 50',
    canonical: '/api/cars?number_of_elements=50',
    words: '/api/coches?numero_de_elementos=50',
    count: 80,
    wanted: 1.3,
  },
  {
    name: '33,000 items',
    canonical: '/api/cars?number_of_elements=33000',
    words: '/api/coches?numero_de_elementos=33000',
    count: 1,
    wanted: 1.5,
  },
  {
    name: 'an item of a bare Hono handler',
    canonical: '/bare/cars/1',
    words: '/bare/coches/1',
    count: 800,
    wanted: Number.NaN,
  },
];
const CARS = 33_000;

interface Answers {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

async function openApps(cars: number) {
  const store = await openStore('sqlite::memory:', catalogue);
  const service = bilingual({ catalogue, tables: { en }, store });
  const rows = Array.from({ length: cars }, (_, at) =>
    JSON.stringify({
      identifier: `car-${at}`,
      brand: 'Citroën',
      model: 'C4',
      year: 2006,
      doors: 5,
      enginePower: 109,
      version: '1.6 HDi Collection',
      clima: true,
      ac: false,
      fuel: 'Diésel',
    }),
  );
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const imported = await service.request('/api/imports/cars', { method: 'POST', headers, body: rows.join('\n') });
  if (imported.status !== 200) throw new Error(await imported.text());
  const document = (await (await service.request('/api/openapi.en.json')).json()) as Record<
    string,
    Record<string, unknown>
  >;
  const item = document.paths?.['/api/cars/{identifier}'];
  const own = new Hono();
  own.get('/bare/cars/:id', (c) =>
    c.json({ identifier: c.req.param('id'), brand: 'Citroën', model: 'C4', year: 2006 }),
  );
  own.all('*', (c) => service.fetch(c.req.raw));
  const withBare = { ...document, paths: { ...document.paths, '/bare/cars/{identifier}': item } };
  return { own, translated: translate(own, { document: withBare, tables: { es }, onNotice: () => {} }) };
}

/** Sends requests and reads their answers. @returns microseconds of CPU of each */
async function take(app: Answers, url: string, count: number): Promise<number> {
  const start = process.cpuUsage();
  for (let at = 0; at < count; at++) {
    const { status, body } = await app.fetch(
      new Request(`http://localhost${url}`, { headers: { accept: 'application/json' } }),
    );
    if (status !== 200) throw new Error(`${url} is answered ${status}`);
    for await (const _ of body ?? []);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Compares each workload by turns. @returns a table in Markdown */
export async function* vocabularies(rounds = 60, cars = CARS): AsyncGenerator<string> {
  const { own, translated } = await openApps(cars);
  yield '## The translator around the English tree: CPU of a request beside the same without it\n\n| | without, µs | Spanish | wanted | English through it | wanted |\n|---|---|---|---|---|---|';
  for (const { name, canonical, words, count, wanted } of WORKLOADS) {
    const turns: [alone: number, spanish: number, english: number][] = [];
    for (let round = 0; round < rounds; round++) {
      turns.push([
        await take(own, canonical, count),
        await take(translated, words, count),
        await take(translated, canonical, count),
      ]);
    }
    const measured = turns.slice(rounds >> 2);
    const ratio = (at: 1 | 2) => median(measured.map((turn) => turn[at] / turn[0])).toFixed(2);
    const limit = Number.isNaN(wanted) ? '' : `≤ ${wanted.toFixed(2)}`;
    yield `| ${name} | ${median(measured.map(([alone]) => alone)).toFixed(1)} | ${ratio(1)} | ${limit} | ${ratio(2)} | ${limit && '≤ 1.02'} |`;
  }
}
