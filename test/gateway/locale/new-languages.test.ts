import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { allTags, folderWith, newTags } from '../../support/language/new-languages.ts';
import { foreignWordSuite, languageSuite } from '../../support/language/suites.ts';
import { foreignTo, proseOf, translatorsIn, wordSearch } from '../../support/language/translate.ts';

const catalan = folderWith('en', 'es', 'ca');
const both = folderWith('en', 'es', 'ca', 'pt');
/** Every language that there is a table for, at once. */
const all = folderWith(...allTags);
afterAll(() => {
  for (const folder of [catalan, both, all]) rmSync(folder, { recursive: true });
});

/** Words typed out, so that the translator that the suites share is not believed blindly. */
const literals = [
  {
    language: 'Catalan',
    folder: catalan,
    list: '/api/cotxes',
    item: '/api/cotxes/seat-ibiza-1',
    oils: '/api/cotxes/seat-ibiza-1/olis',
    car: {
      ...{ identificador: 'seat-ibiza-1', marca: 'Seat', model: 'Ibiza', any: 2008, portes: 5, potencia: 105 },
      ...{ versio: '1.9 TDI Sport', climatitzador: true, ac: false, combustible: 'Diésel' },
    },
    oil: { tipus: '5W-30', altres_dades: 'Repsol' },
    query: 'marca=seat&ordenar_per=any&ordre=descendent&nombre_d_elements=1&pagina=1',
    slip: { anys: 2008 },
    detail: '«anys» no és un camp del cotxe; volíeu dir «any»?',
  },
  {
    language: 'Portuguese, with accents in paths and parameters',
    folder: both,
    list: '/api/autom%C3%B3veis',
    item: '/api/autom%C3%B3veis/seat-ibiza-1',
    oils: '/api/autom%C3%B3veis/seat-ibiza-1/%C3%B3leos',
    car: {
      ...{ identificador: 'seat-ibiza-1', marca: 'Seat', modelo: 'Ibiza', ano: 2008, portas: 5, potência: 105 },
      ...{ versão: '1.9 TDI Sport', climatização: true, ac: false, combustível: 'Diésel' },
    },
    oil: { tipo: '5W-30', outras_informações: 'Repsol' },
    query: 'marca=seat&ordenar_por=ano&ordem=decrescente&n%C3%BAmero_de_elementos=1&p%C3%A1gina=1',
    slip: { potencia: 105 },
    detail: '«potencia» não é um campo do automóvel; queria dizer «potência»?',
  },
] as const;

describe.each(literals)('$language', ({ folder, list, item, oils, car, oil, query, slip, detail }) => {
  test('is spoken as its table says', async () => {
    const { send, close } = await openApp({ locales: folder });
    const created = await send('POST', list, car);
    expect([created.status, created.text]).toEqual([201, JSON.stringify(car)]);
    expect(created.headers.get('location')).toBe(item);
    expect(created.headers.get('link')).toContain('</api/coches/seat-ibiza-1>; rel="alternate"; hreflang="es"');
    expect((await send('GET', '/api/cars/seat-ibiza-1')).headers.get('link')).toContain(`<${item}>; rel="alternate"`);

    expect((await send('POST', oils, oil)).text).toBe(JSON.stringify(oil));
    const page = await send('GET', `${list}?${query}`);
    expect(page.text).toBe(JSON.stringify([car]));
    expect(page.headers.get('link')).toContain(`<${list}?${query}>; rel="first"`);

    const refused = await send('PUT', item, slip);
    expect([refused.status, refused.json.detail]).toEqual([400, detail]);
    await close();
  });

  test('is reached by its path however that is encoded', async () => {
    const { send, close } = await openApp({ locales: folder });
    for (const path of [list, list.toLowerCase(), decodeURIComponent(list), `${decodeURIComponent(list)}/`]) {
      expect((await send('GET', path)).text, path).toBe('[]');
    }
    await close();
  });
});

test('pages, index and dictionaries have each language by themselves', async () => {
  const { send, close } = await openApp({ locales: both });
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
  await close();
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
