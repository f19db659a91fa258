import { afterAll, beforeAll, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { carWords } from '../../support/language/car-words.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer();
  const body = JSON.stringify({ identifier: 'a-1', brand: 'Seat', model: 'Ibiza' });
  await fetch(`${server.origin}/api/cars`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
});
afterAll(() => server.close());

const JSON_LIST = '[{"identificador":"a-1","marca":"Seat","modelo":"Ibiza"}]';
const LINES = '{"identificador":"a-1","marca":"Seat","modelo":"Ibiza"}\n';
const HEADER = `${carWords.es.join(';')}\r\n`;
const ROW = 'a-1;Seat;Ibiza;;;;;;;\r\n';
const tabbed = (text: string): string => text.replaceAll(';', '\t');

/** What is asked for at one address, and what comes, however often and in whichever order. */
const asked: readonly (readonly [query: string, accept: string, text: string])[] = [
  ['', '*/*', JSON_LIST],
  ['', 'application/json', JSON_LIST],
  ['', 'application/x-ndjson', LINES],
  ['', 'text/csv', `\uFEFF${HEADER}${ROW}`],
  ['', 'text/csv; delimiter=semicolon', HEADER + ROW],
  ['', 'text/csv; delimiter=tab', tabbed(HEADER + ROW)],
  ['', 'text/csv; delimiter=tab;q=0.5, application/json;q=0.6', JSON_LIST],
  ['&formato=csv', '*/*', `\uFEFF${HEADER}${ROW}`],
  ['&formato=csv', 'application/json', `\uFEFF${HEADER}${ROW}`],
  ['&formato=json', 'text/csv', JSON_LIST],
  ['&formato=json', '*/*', JSON_LIST],
];

test.each(['/api/coches?pagina=1', '/api/coches?marca=seat', '/api/coches?numero_de_elementos=50'])(
  'no cache of responses or rows mixes the formats of %s',
  async (list) => {
    // An address is cached from its second request on.
    for (let round = 0; round < 4; round++) {
      const ordered = round % 2 === 0 ? asked : asked.toReversed();
      for (const [query, accept, text] of ordered) {
        const response = await fetch(server.origin + list + query, { headers: { accept } });
        const bytes = Buffer.from(await response.arrayBuffer());
        expect([round, query, accept, bytes.toString()]).toEqual([round, query, accept, text]);
      }
    }
  },
);
