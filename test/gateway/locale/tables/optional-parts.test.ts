/** A table may leave out its pages and its descriptions: the default language says them, and every answer says which. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadLocales } from '../../../../src/host/tables/load.ts';
import { openApp, useApp } from '../../../support/app/app.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { load, localeFaults, summaryOf, warningsOf } from '../../../support/language/locale-faults.ts';
import { apart, editedLocales, folderOf, type LooseTable, tableOf } from '../../../support/language/locale-folder.ts';
import { tableIn } from '../../../support/language/new-languages.ts';

/** The project's English, and Catalan without some of its parts. */
const tablesWithout = (...parts: readonly string[]) => {
  const table: LooseTable = tableIn('ca');
  for (const part of parts) delete table[part];
  return apart({ 'en.json': tableOf('en'), 'ca.json': table });
};
const folderWithout = (...parts: readonly string[]): string => folderOf(tablesWithout(...parts));
const useAppWithout = (...parts: readonly string[]) => useApp({ locales: folderOf(tablesWithout(...parts), afterAll) });

const html = { accept: 'text/html' };
const CATALAN = { 'accept-language': 'ca' };

describe('without pages', () => {
  const { send } = useAppWithout('pages');

  test.each(['/', '/api', '/docs/'])(
    'the page at %s is the default language’s, and leads to Catalan documents',
    async (path) => {
      const { text, headers } = await send('GET', `${path}?lang=ca`, undefined, html);
      expect(headers.get('content-language')).toBe('en');
      expect(text).toContain('<html lang="en" dir="ltr">');
      expect(text).toContain(`<a href="${path}?lang=ca" hreflang="ca" lang="ca" aria-current="page">català</a>`);
      expect(text).toContain('/api/openapi.ca.json');
      const english = await send('GET', `${path}?lang=en`, undefined, html);
      // What only leads to documents in Catalan is no translation of the page.
      expect(english.text).not.toContain('rel="alternate" hreflang="ca"');
      expect(text).toContain('rel="alternate" hreflang="en"');
    },
  );

  test('the index marks what is in Catalan, has its words, and names no translation that there is not', async () => {
    const { text } = await send('GET', '/?lang=ca', undefined, html);
    expect(text).toContain('<label><span lang="ca">Marca</span><input name="marca"');
    expect(text).toContain('<li><span lang="ca">català</span>: ');
    expect(text).toContain('href="/api/cotxes?');
    const { json, headers } = await send('GET', '/api', undefined, CATALAN);
    expect([json.title, headers.get('content-language')]).toEqual(['Car dealer catalogue', 'en']);
    expect((await send('GET', '/api')).headers.get('link')).not.toContain('rel="alternate"');
  });

  test('documents are in Catalan, all but their title, and the documentation says so', async () => {
    const { text } = await send('GET', '/docs/?lang=ca', undefined, html);
    expect(text).toContain('<h1>Documentation</h1>');
    expect(text).toContain('<div id="swagger-ui" lang="ca"');
    const { json, headers } = await send('GET', '/api/openapi.ca.json');
    expect(headers.get('content-language')).toBe('ca, en');
    expect(json.info.title).toBe('Car dealer catalogue');
    expect(json.info.description).toContain('aquest document les descriu en català');
  });
});

describe('without descriptions', () => {
  const { send } = useAppWithout('descriptions');

  test('documents have Catalan words and problems, described in the default language', async () => {
    const { json, headers } = await send('GET', '/api/openapi.ca.json');
    expect(headers.get('content-language')).toBe('ca, en');
    expect(json.info.title).toBe('Catàleg del concessionari');
    expect(json.info.description).toContain('this document describes it in English');
    expect(json.components.schemas.Car.properties.portes.description).toBe('Number of doors.');
    expect(JSON.stringify(json.components.parameters)).toContain('Key of the car, percent-encoded');
    expect(JSON.stringify(json.paths)).toContain('L’element no existeix');
    expect((await send('GET', '/api/openapi.en.json')).headers.get('content-language')).toBe('en');
  });

  test('the dictionary has no labels rather than foreign ones', async () => {
    const { json } = await send('GET', '/api/locales/ca');
    const { year } = json.collections.cars.fields;
    expect([year.word, 'label' in year, 'description' in year, 'label' in json.collections.cars]).toEqual([
      'any',
      false,
      false,
      false,
    ]);
    expect((await send('GET', '/api/locales/en')).json.collections.cars.fields.year.label).toBe('Year');
  });

  test('pages are in Catalan, and mark what is not', async () => {
    const { text, headers } = await send('GET', '/docs/?lang=ca', undefined, html);
    expect(headers.get('content-language')).toBe('ca');
    expect(text).toContain('<html lang="ca" dir="ltr">');
    expect(text).toContain('<div id="swagger-ui" lang="en"');
  });
});

describe('without either', () => {
  const { send } = useAppWithout('pages', 'descriptions');

  test('the page counts as its own language does', async () => {
    await send('POST', '/api/cotxes', { marca: 'Seat', model: 'Ibiza' });
    const { text } = await send('GET', '/?lang=ca', undefined, html);
    expect(text).toContain('>1 car<');
  });

  test('the start says how many sentences are in another language', () => {
    expect(summaryOf(folderWithout('pages', 'descriptions'))).toEqual([
      expect.stringMatching(/^ca: \d+ sentences of its own, \d+ in en$/),
    ]);
    expect(warningsOf(folderWithout('pages', 'descriptions'))).toEqual([]);
  });
});

describe('a part', () => {
  test.each(['commands', 'pages', 'descriptions'])('%s of the default language may be those of English', (part) => {
    const [own] = loadLocales(catalogue, folderWithout(part), 'ca');
    expect([
      own?.tag,
      own?.borrowed
        ?.values()
        .toArray()
        .every((tag) => tag === 'en'),
    ]).toEqual(['ca', true]);
    expect(own?.borrowed?.keys().toArray()).toContainEqual(expect.stringMatching(`^${part}\\.`));
  });

  test('words cannot be left out; those of ranges, groups and reports are named, but stop no start', () => {
    const folder = folderOf({ 'en.json': tableOf('en'), 'ca.json': {} });
    const lines = (parts: readonly string[]) => parts.map((part) => `ca.json: ${part}: missing`);
    const words = ['paths', 'fields', 'parameters', 'values'];
    expect(localeFaults(folder)).toEqual(lines([...words, 'suffixes', 'members', 'report']));
    expect(() => load(folder)).toThrow(expect.objectContaining({ faults: lines(words) }));
  });
});

/** Catalan that leaves out two texts, and all but the name of the oils. */
describe('without some of its descriptions', () => {
  const table: LooseTable = tableIn('ca');
  delete table.descriptions.texts['health-status'];
  delete table.descriptions.collections.cars.read;
  table.descriptions.collections.oils = { name: 'Olis', schema: 'Oli' };
  const { send } = useApp({ locales: folderOf(apart({ 'en.json': tableOf('en'), 'ca.json': table }), afterAll) });

  test('documents say these in the default language, and the rest in their own', async () => {
    const { json, headers } = await send('GET', '/api/openapi.ca.json');
    expect(headers.get('content-language')).toBe('ca, en');
    expect(json.components.schemas.Health.properties.status.description).toMatch(/^Always `ok`/);
    const { get, patch } = json.paths['/api/cotxes/{identificador}'];
    expect([get.summary, patch.summary]).toEqual(['Read a car', tableIn('ca').descriptions.collections.cars.patch]);
    expect(json.paths['/api/cotxes/{identificador}/olis'].get).toMatchObject({
      tags: ['Olis'],
      summary: 'List the oils of a car',
    });
  });
});

test('a collection of the project of which a table says only the name has the rest derived', async () => {
  const locales = editedLocales(({ descriptions }, tag) => {
    if (tag === 'es') descriptions.collections.oils = { name: 'Aceites', schema: 'Aceite' };
  });
  const { send, close } = await openApp({ locales });
  onTestFinished(close);
  const { json, headers } = await send('GET', '/api/openapi.es.json');
  expect(headers.get('content-language')).toBe('es');
  const { get, post } = json.paths['/api/coches/{identificador}/aceites'];
  expect([get.summary, post.summary]).toEqual(['Aceites: lista', 'Aceites: añadir']);
  expect(json.paths['/api/coches/{identificador}/aceites/{tipo}'].delete.summary).toBe('Eliminar el aceite');
  expect(Object.keys(json.components.schemas)).toEqual(expect.arrayContaining(['AceiteNuevo', 'GrupoDeAceite']));
});

describe('without what it says of CSV', () => {
  const { request } = useAppWithout('csv');

  test('commas separate the cells, and no byte-order mark comes first', async () => {
    const bytes = await (await request('/api/cotxes?format=csv')).arrayBuffer();
    expect(Buffer.from(bytes).toString()).toMatch(/^identificador,marca,model,/);
  });

  test.each([
    [{ delimiter: 'pipe', byteOrderMark: true }, /^es\.json: csv\.delimiter: /],
    [{ delimiter: 'tab' }, /^es\.json: csv\.byteOrderMark: missing$/],
  ])('%j stops the start', (csv, fault) => {
    const table = { ...tableOf('es'), csv };
    expect(localeFaults(folderOf({ 'en.json': tableOf('en'), 'es.json': table }))).toEqual([
      expect.stringMatching(fault),
    ]);
  });
});
