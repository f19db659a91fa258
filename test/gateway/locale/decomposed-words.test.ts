import { afterAll, expect, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { tableIn } from '../../support/language/new-languages.ts';

const portuguese = JSON.stringify(tableIn('pt'));

/** Portuguese as macOS writes it: accents are characters of their own. */
const { send } = useApp({
  locales: folderOf({ 'en.json': tableOf('en'), 'pt.json': portuguese.normalize('NFD') }, afterAll),
});

const LIST = '/api/autom%C3%B3veis';
/** `automo◌́veis` */
const SAME_LIST = '/api/automo%CC%81veis';

const car = {
  identificador: 'Ame\u0301lie',
  marca: 'Seat',
  modelo: 'Ibiza',
  ano: 2008,
  portas: 5,
  potência: 105,
  versão: 'Edicio\u0301n',
};

/** What is sent, and what it is the same as. */
const requests = [
  [`${SAME_LIST}?pote%CC%82ncia=105`, [car]],
  [`${SAME_LIST}?pote%CC%82ncia_desde=106`, []],
  [`${LIST}?potência=105`.normalize('NFD'), [car]],
  [`${SAME_LIST}?ordenar_por=versa%CC%83o&nu%CC%81mero_de_elementos=1`, [car]],
  [`${SAME_LIST}?agrupar_por=pote%CC%82ncia`, [{ potência: 105, total: 1 }]],
  [`${SAME_LIST}?campos=pote%CC%82ncia,modelo`, [{ identificador: 'Ame\u0301lie', modelo: 'Ibiza', potência: 105 }]],
  [`${SAME_LIST}?incluir=o%CC%81leos&campos=modelo`, [{ identificador: 'Ame\u0301lie', modelo: 'Ibiza', óleos: [] }]],
  [`${SAME_LIST}/Ame%CC%81lie`, car],
  [`${SAME_LIST}/Ame%CC%81lie/o%CC%81leos`, []],
] as const;

test('a word is the same however its accents are written, and a key is what was sent', async () => {
  const created = await send('POST', LIST, JSON.stringify(car).replace('potência', 'pote\u0302ncia'));
  expect([created.status, created.text]).toEqual([201, JSON.stringify(car)]);
  expect(created.headers.get('location')).toBe(`${LIST}/Ame%CC%81lie`);
  for (const [path, expected] of requests) {
    const { status, json } = await send('GET', path);
    expect([path, status, json]).toEqual([path, 200, expected]);
  }
  expect((await send('GET', `${LIST}/Am%C3%A9lie`)).status).toBe(404);
});

test('one member, parameter or column in two writings is there twice', async () => {
  const said = async (...[method, path, body, type = 'application/json']: readonly string[]) => {
    const { status, json } = await send(method ?? '', path ?? '', body, { 'content-type': type });
    return [status, json.errors?.[0]?.code ?? json.code, json.errors?.[0]?.detail];
  };
  expect(await said('POST', LIST, '{"marca":"Seat","modelo":"Ibiza","potência":105,"pote\u0302ncia":106}')).toEqual([
    400,
    'malformed-json',
    'O campo «potência» aparece mais do que uma vez no mesmo objeto.',
  ]);
  expect(await said('GET', `${LIST}?versa%CC%83o_=1&nu%CC%81mero_de_elementos=1&n%C3%BAmero_de_elementos=1`)).toEqual([
    400,
    'unknown-parameter',
    expect.stringContaining('versão'),
  ]);
  expect(await said('POST', LIST, 'marca,modelo,potência,pote\u0302ncia\r\nSeat,Ibiza,1,2\r\n', 'text/csv')).toEqual([
    400,
    'malformed-file',
    expect.stringContaining('potência'),
  ]);
});

test('a word that must be there may be sent in either writing; a file has it in its header, or as a member', async () => {
  const en = tableOf('en');
  en.fields.cars.model = 'mode\u0300le';
  const { send, close } = await openApp({ locales: folderOf({ 'en.json': en }) });
  const files = [
    ['application/json', '{"brand":"Seat","mode\u0300le":"Ibiza"}', 201],
    ['application/json', '{"brand":"Seat","modèle":"Ibiza"}', 201],
    ['text/csv', 'brand,mode\u0300le\r\nSeat,Ibiza\r\n', 200],
    ['application/x-ndjson', '{"brand":"Seat","mode\u0300le":"Ibiza"}\n', 200],
  ] as const;
  for (const [type, body, expected] of files) {
    const { status, text } = await send('POST', '/api/cars', body, { 'content-type': type });
    expect([type, body, status, text]).toEqual([type, body, expected, text]);
  }
  const { json } = await send('GET', '/api/cars?mode%CC%80le=ibiza');
  expect(json.map(({ modèle }: Readonly<Record<string, unknown>>) => modèle)).toEqual(Array(4).fill('Ibiza'));
  const invalid = await send('POST', '/api/cars', '{"brand":"Seat","mode\u0300le":5}');
  expect(invalid.json.errors[0].pointer).toBe('/modèle');
  await close();
});
