import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { allTags, folderWith, newTags } from '../../support/language/new-languages.ts';
import { foreignWordSuite, languageSuite } from '../../support/language/suites.ts';
import { foreignTo, proseOf, translatorsIn, wordSearch } from '../../support/language/translate.ts';

const both = folderWith('en', 'es', 'ca', 'pt');
const { send } = useFreshApp({ locales: both });
/** Every language that there is a table for, at once. */
const all = folderWith(...allTags);
afterAll(() => {
  for (const folder of [both, all]) rmSync(folder, { recursive: true });
});

const LIST = '/api/autom%C3%B3veis';
const ITEM = `${LIST}/seat-ibiza-1`;

/** Words typed out, so that the translator that the suites share is not believed blindly. */
test('Portuguese is spoken as its table says, with accents in paths and parameters', async () => {
  for (const path of [LIST, LIST.toLowerCase(), decodeURIComponent(LIST), `${decodeURIComponent(LIST)}/`])
    expect((await send('GET', path)).text, path).toBe('[]');
  const car = {
    ...{ identificador: 'seat-ibiza-1', marca: 'Seat', modelo: 'Ibiza', ano: 2008, portas: 5, potência: 105 },
    ...{ versão: '1.9 TDI Sport', climatização: true, ac: false, combustível: 'Diésel' },
  };
  const created = await send('POST', LIST, car);
  expect([created.status, created.text]).toEqual([201, JSON.stringify(car)]);
  expect(created.headers.get('location')).toBe(ITEM);
  expect(created.headers.get('link')).toContain('</api/coches/seat-ibiza-1>; rel="alternate"; hreflang="es"');
  expect((await send('GET', '/api/cars/seat-ibiza-1')).headers.get('link')).toContain(`<${ITEM}>; rel="alternate"`);

  const oil = { tipo: '5W-30', outras_informações: 'Repsol' };
  expect((await send('POST', `${ITEM}/%C3%B3leos`, oil)).text).toBe(JSON.stringify(oil));
  const query = 'marca=seat&ordenar_por=ano&ordem=decrescente&n%C3%BAmero_de_elementos=1&p%C3%A1gina=1';
  const page = await send('GET', `${LIST}?${query}`);
  expect(page.text).toBe(JSON.stringify([car]));
  expect(page.headers.get('link')).toContain(`<${LIST}?${query}>; rel="first"`);

  const { status, json } = await send('PUT', ITEM, { potencia: 105 });
  const detail = '«potencia» não é um campo do automóvel; queria dizer «potência»?';
  expect([status, json.detail]).toEqual([400, detail]);
});

test('pages, index and dictionaries have each language by themselves', async () => {
  const names = ['català', 'English', 'español', 'português'];
  const { json: index } = await send('GET', '/api');
  expect(index.languages.map(({ name }: { name: string }) => name)).toEqual(names);
  const { json: dictionaries } = await send('GET', '/api/locales');
  expect(dictionaries.map(({ name }: { name: string }) => name)).toEqual(names);

  const html = { accept: 'text/html' };
  const { text: catalan } = await send('GET', '/?lang=ca', undefined, html);
  for (const [at, tag] of ['ca', 'en', 'es', 'pt'].entries()) {
    expect(catalan).toMatch(new RegExp(`href="/\\?lang=${tag}" hreflang="${tag}" lang="${tag}"[^>]*>${names[at]}<`));
  }
  expect(catalan).toContain('L’API en cada llengua');
  expect(catalan).toContain('0 cotxes');
  const { text: portuguese } = await send('GET', '/docs/', undefined, { ...html, 'accept-language': 'pt-BR' });
  expect(portuguese).toContain('<h1>Documentação</h1>');
  expect(portuguese).toContain('data-openapi="/api/openapi.pt.json"');
});

/** What the search for foreign words lets pass in sentences; one more would be a word of the wrong language in a table (English `any`: Catalan for a year; Spanish *página*: the Portuguese parameter). */
test.each([
  ['ca', []],
  ['en', ['any']],
  ['es', ['página']],
  ['pt', []],
])('the sentences in %s hold no word of another language but %j', (tag, homonyms) => {
  const translators = translatorsIn(both);
  const own = translators.filter((each) => each.tag === tag).map(({ table }) => table);
  const others = translators.filter((each) => each.tag !== tag).map(({ table }) => table);
  expect(own.flatMap((table) => [...new Set(wordSearch(foreignTo(table, others))(proseOf(table)))])).toEqual(homonyms);
});

describe('a new language beside all others', () => {
  for (const tag of newTags) languageSuite(all, tag);
});

describe('a language that new ones stand beside', () => {
  // What they say of each other's words is said where they stand alone.
  for (const tag of allTags.filter((each) => !newTags.includes(each))) foreignWordSuite(all, tag, newTags);
});
