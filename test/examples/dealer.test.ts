/** Another catalogue, served as its page says: prices, dates and values that have a word in each language. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { openApp } from '../support/app/app.ts';
import { runHere } from '../support/commands/given.ts';
import { dealerTables, dealerFolder as folder } from '../support/language/dealer.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { receiver } from '../support/process/receiver.ts';
import { launch } from '../support/process/service.ts';
import { workbook } from '../support/workbooks.ts';

let app: Awaited<ReturnType<typeof openApp>>;
let database: string;
const read = (path: string) => app.send('GET', encodeURI(path));

beforeAll(async () => {
  database = `sqlite:${join(temporaryFolder(afterAll), 'dealer.db')}`;
  const env = { CATALOGUE: folder, DATABASE_URL: database };
  const load = (file: string, list: string) =>
    runHere('src/tools/import-export/import-main.ts', [join(folder, file), '--language=es', `--list=${list}`], env);
  expect(await load('sedes.csv', 'sedes')).toEqual([0, expect.stringContaining('creados 3'), '']);
  expect(await load('existencias.csv', 'coches')).toEqual([0, expect.stringContaining('creados 200'), '']);
  app = await openApp({ catalogue, locales: dealerTables(afterAll), database });
});
afterAll(() => app.close());

test('the service starts with it', async () => {
  const { wrote } = launch({ env: { CATALOGUE: folder, DATABASE_URL: database } });
  expect((await wrote(/serving .*\/api\/cars \(en\), .*\/api\/coches \(es\)/)).length).toBe(1);
});

test('a folder without a catalogue stops the start', async () => {
  const { exit, output } = launch({ env: { CATALOGUE: '/nowhere' } });
  expect(await exit).toBe(1);
  expect(output()).toContain('CATALOGUE=/nowhere: ');
});

test('a car of the file is there in both languages', async () => {
  expect((await read('/api/coches/3613 NRY')).text).toBe(
    '{"matricula":"3613 NRY","marca":"Renault","modelo":"Mégane","version":"Blue dCi Zen","precio":12489.00,"kilometros":56500,"fecha_matriculacion":"2018-01-07","combustible":"diésel","cambio":"manual","carroceria":"familiar","potencia":75,"color":"Blanco","estado":"disponible","sede":"Gijón","equipamiento":["Techo panorámico","Cámara trasera"],"modificado":"2026-10-01T09:27:00Z"}',
  );
  expect((await read('/api/cars/3613 NRY')).json).toMatchObject({
    price: 12489,
    first_registered: '2018-01-07',
    fuel: 'diesel',
    body: 'estate',
    state: 'available',
    equipment: ['Techo panorámico', 'Cámara trasera'],
  });
});

test('cars are at branches that exist, and no two have one chassis', async () => {
  const put = (body: object) => app.send('PUT', encodeURI('/api/coches/3613 NRY'), body);
  expect((await put({ sede: 'Madrid' })).json).toMatchObject({
    status: 400,
    detail: '«sede» no puede ser «Madrid»: no existe en «sedes».',
  });
  expect((await app.send('DELETE', encodeURI('/api/sedes/Gijón'))).json).toMatchObject({
    status: 409,
    code: 'in-use',
    detail: 'No se puede eliminar la sede «Gijón»: está en uso en 70 elementos de «coches».',
  });
  expect((await put({ bastidor: 'VSSZZZ5FZJR012345' })).status).toBe(200);
  const { json } = await app.send('PUT', encodeURI('/api/cars/6416 SWY'), { chassis_number: 'vsszzz5fzjr012345' });
  expect([json.status, json.code, json.errors[0].pointer]).toEqual([409, 'already-exists', '/chassis_number']);
  await put({ bastidor: null });
});

test.each([
  ['/api/coches', 'combustible=diésel&precio_hasta=12000.50', '/api/cars', 'fuel=diesel&price_to=12000.50'],
  ['/api/coches', 'equipamiento=camara trasera', '/api/cars', 'equipment=CÁMARA TRASERA'],
  ['/api/coches', 'fecha_matriculacion_desde=2024-01-01', '/api/cars', 'first_registered_from=2024-01-01'],
])('%s?%s finds what %s?%s finds', async (es, spanish, en, english) => {
  const [one, other] = [await read(`${es}?${spanish}`), await read(`${en}?${english}`)];
  expect(Number(one.headers.get('x-total-count'))).toBeGreaterThan(1);
  expect(one.headers.get('x-total-count')).toBe(other.headers.get('x-total-count'));
});

test.each([
  ['/api/coches?estado=vendido,reservado', 'estado=vendido&estado=reservado'],
  ['/api/cars?state=vendido;reservado', 'state=sold&state=reserved'],
  [
    '/api/coches?fecha_matriculacion=2024-01-08,2024-01-09',
    'fecha_matriculacion=2024-01-08&fecha_matriculacion=2024-01-09',
  ],
])('%s suggests %s', async (path, suggestion) => {
  const { status, json } = await read(path);
  expect([status, json.errors[0].suggestion]).toEqual([400, suggestion]);
});

test.each([
  '/?lang=es',
  '/docs/?lang=es',
  '/api/openapi.es.json',
  '/api/locales/es',
  '/api/problems/invalid-value?lang=es',
])('%s is about these cars, not ours', async (path) => {
  const { status, text } = await app.send('GET', path, undefined, { accept: 'text/html, application/json' });
  expect([path, status]).toEqual([path, 200]);
  expect(/.{30}(?:aceites|cilindrada|oils).{30}/i.exec(text)?.[0]).toBeUndefined();
});

let hooks = 0;
test('its changes are delivered to hooks, with its own words for values', async () => {
  const env = { CATALOGUE: folder, DATABASE_URL: database, HOOK_ADDRESSES: 'any' };
  const { url, items } = await receiver();
  // A second try finds the car of the first one.
  const registration = `${++hooks} HOOK`;
  const [added] = await runHere('src/tools/hooks/main.ts', ['add', url, '--language=es', '--combustible=diésel'], env);
  expect(added).toBe(0);
  // Not by `serve`, whose responses are compared with the documents of the cars.
  const [, origin = ''] = await launch({ env }).wrote(/serving (http:\S+?)\/api\//);
  const body = JSON.stringify({ registration, make: 'Seat', model: 'León', fuel: 'diesel' });
  await fetch(`${origin}/api/cars`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await expect.poll(items).toMatchObject([{ matricula: registration, marca: 'Seat', combustible: 'diésel' }]);
});

test.each([
  ['carros', '/api/coches'],
  ['vehículos', '/api/coches'],
  ['sucursales', '/api/sedes'],
])('/api/%s is answered in Spanish', async (path, suggestion) => {
  const { status, headers, json } = await read(`/api/${path}`);
  expect([status, headers.get('content-language'), json.suggestion]).toEqual([404, 'es', suggestion]);
});

test.each([
  ['placa', 'matricula'],
  ['kilometraje', 'kilometros'],
  ['sucursal', 'sede'],
  ['carburante', 'combustible'],
  ['concesionario', 'sede'],
])('the filter %s suggests %s', async (word, suggestion) => {
  const { json } = await read(`/api/coches?${word}=x`);
  expect(json.errors[0].suggestion).toBe(suggestion);
});

test('a file may have the headers and the words of Latin America, and abbreviations', async () => {
  const header = 'Placa;Marca;Modelo;Pot. (CV);P.V.P. (IVA incl.);F. Matric.;Carburante;Concesionario;Kilometraje';
  const body = `${header}\r\nW1;Seat;Ibiza;110;12.990;14/03/2019;Nafta;;100\r\nW2;Seat;Ibiza;;;;bencina;;\r\n`;
  const headers = { 'content-type': 'text/csv', prefer: 'handling=check, return=representation' };
  const { status, json } = await app.send('POST', '/api/importaciones/coches', body, headers);
  expect([status, json.creados]).toEqual([200, 2]);
  const after = json.cambios.map((each: { despues: object }) => each.despues);
  expect(after).toMatchObject([
    { potencia: 110, precio: 12990, fecha_matriculacion: '2019-03-14', combustible: 'gasolina', kilometros: 100 },
    { combustible: 'gasolina' },
  ]);
});

test('a synonym of a value, which files may have, is suggested for filters and JSON', async () => {
  const { status, json: refusal } = await read('/api/coches?combustible=nafta');
  expect([status, refusal.errors[0].suggestion]).toEqual([400, 'gasolina']);
  const { json } = await app.send('PATCH', encodeURI('/api/coches/3613 NRY'), { combustible: 'nafta' });
  expect(json.errors[0].suggestion).toBe('gasolina');
});

describe('moments of files', () => {
  const HEADER = ['matricula', 'marca', 'modelo', 'fecha_matriculacion', 'modificado'];
  const sheet = (cells: string) =>
    workbook({
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${HEADER.map((word) => `<c t="str"><v>${word}</v></c>`).join('')}</row><row><c t="str"><v>M1</v></c><c t="str"><v>Seat</v></c><c t="str"><v>Ibiza</v></c>${cells}</row></sheetData></worksheet>`,
      'xl/styles.xml': '<styleSheet><cellXfs><xf/><xf numFmtId="22"/></cellXfs></styleSheet>',
    });
  const check = async (body: Uint8Array | string, type: string, more = '') => {
    const headers = { 'content-type': type, prefer: `handling=check, return=representation${more}` };
    const response = await app.app.request('/api/importaciones/coches', {
      method: 'POST',
      body: Buffer.from(body),
      headers,
    });
    return JSON.parse(await response.text());
  };
  const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

  test.each([
    ['', '2026-10-01T09:27:00Z', 'UTC'],
    [', time-zone=Europe/Madrid', '2026-10-01T07:27:00Z', 'Europe/Madrid'],
  ])('are in the zone that is said, never in the server’s: %s', async (preference, moment, zone) => {
    const before = process.env.TZ;
    process.env.TZ = 'America/New_York';
    onTestFinished(() => {
      process.env.TZ = before ?? 'UTC';
    });
    const warned = { columna: 'modificado', detalle: expect.stringContaining(zone) };
    const files = [
      [await sheet('<c t="d"><v>2019-03-14</v></c><c t="d"><v>2026-10-01T09:27:00</v></c>'), XLSX],
      [await sheet('<c s="1"><v>43538</v></c><c s="1"><v>46296.39375</v></c>'), XLSX],
      // Our own workbook, which a spreadsheet program in Spanish has saved as CSV.
      [`${HEADER.join(';')}\r\nM1;Seat;Ibiza;14/03/2019 0:00;01/10/2026 9:27\r\n`, 'text/csv'],
    ] as const;
    for (const [file, type] of files) {
      const json = await check(file, type, preference);
      expect(json.cambios[0].despues).toMatchObject({ fecha_matriculacion: '2019-03-14', modificado: moment });
      expect(json.advertencias).toMatchObject([warned]);
    }
    const zoned = await check(await sheet('<c/><c t="d"><v>2026-10-01T09:27:00+02:00</v></c>'), XLSX, preference);
    expect(zoned.cambios[0].despues).toMatchObject({ modificado: '2026-10-01T07:27:00Z' });
    expect(zoned).not.toHaveProperty('advertencias');
  });
});

test('a car is read in miles and kilowatts, and a colour of the other language is told', async () => {
  const ask = (path: string, units: string) =>
    app.send('GET', encodeURI(path), undefined, { prefer: `units="${units}"` });
  expect((await ask('/api/cars/3613 NRY', 'kilometres=mi; power=kW')).json).toMatchObject({
    kilometres: 35_107.5,
    power: 55.2,
  });
  expect((await ask('/api/coches/3613 NRY', 'kilometros=mi; potencia=HP')).json).toMatchObject({
    kilometros: 35_107.5,
    potencia: 74,
  });
  const near = await ask('/api/cars?kilometres_to=35107.5&kilometres_from=35107.5', 'kilometres=mi');
  expect(near.json.map((car: { readonly kilometres: number }) => car.kilometres)).toEqual([35_107.5, 35_107.5]);
  expect((await read('/api/cars?colour=white')).headers.get('x-hint')).toBe('colour=Blanco');
  expect((await read('/api/cars?colour=white&fuel=diesel')).headers.get('x-hint')).toBe('colour=Blanco');
  expect((await read('/api/coches?color=RED')).headers.get('x-hint')).toBe('color=Rojo');
});

const pageAt = async (address: string): Promise<string> => {
  const response = await app.request(encodeURI(address), { headers: { accept: 'text/html' } });
  expect([address, response.status]).toEqual([address, 200]);
  return response.text();
};

test.each([
  ['/?precio_desde=22.290,50&precio_hasta=22.290,50 €&lang=es', '6416 SWY', '22.290,50', '21.100'],
  ['/?price_from=22,290.50&price_to=22290.5&lang=en', '6416 SWY', '22,290.50', '21,100'],
])('%s takes amounts as the table shows them', async (address, car, price, kilometres) => {
  const text = await pageAt(address);
  for (const shown of [car, price, kilometres]) expect(text).toContain(`>${shown}<`);
  expect([...text.matchAll(/<tr><td class="key"/g)].length).toBe(1);
});

test.each([
  ['/?lang=es', 'combustible', '<option value="gasolina">gasolina</option>', 'sede'],
  ['/?lang=en', 'fuel', '<option value="petrol">petrol</option>', 'branch'],
])('%s offers choices, and what cars refer to', async (address, word, option, reference) => {
  const text = await pageAt(address);
  const options = (name: string) => new RegExp(`<select name="${name}">(.*?)</select>`).exec(text)?.[1];
  expect(options(word)).toContain(option);
  for (const name of ['Avilés', 'Gijón', 'Oviedo'])
    expect(options(reference)).toContain(`<option value="${name}">${name}</option>`);
});

test('a car has its pictures and its branch, and a branch is a page', async () => {
  const link = 'https://example.com/3613.jpg';
  await app.send('POST', encodeURI('/api/coches/3613 NRY/fotos'), { numero: '1', enlace: link });
  const car = await pageAt('/?/coches/3613 NRY');
  expect(car).toContain(`<img src="${link}" alt="Enlace 1"`);
  expect(car).toMatch(/<a href="\/\?\/sedes\/Gij%C3%B3n&amp;lang=es"[^>]*>Gijón<\/a>/);
  expect(car).toContain('Avenida de la Costa, 51');
  expect(await pageAt('/?/sedes/Gijón')).toContain('985 00 00 01');
  expect(await pageAt('/?/branches&lang=en')).toContain('3 branches');
});
