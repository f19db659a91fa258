/** Another catalogue, served as its page says: prices, dates and values that have a word in each language. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { layered } from '../../src/gateway/locale/layers.ts';
import { openApp } from '../support/app/app.ts';
import { runHere } from '../support/commands/given.ts';
import { folderOf, tableFrom, tableOf } from '../support/language/locale-folder.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { receiver } from '../support/process/receiver.ts';
import { launch, project } from '../support/process/service.ts';

const folder = join(project, 'examples/dealer');
const tables = () =>
  Object.fromEntries(
    ['en.json', 'es.json'].map((file) => [
      file,
      layered(tableOf(file.slice(0, 2)), tableFrom(join(folder, 'locales'), file.slice(0, 2))),
    ]),
  );

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
  app = await openApp({ catalogue, locales: folderOf(tables(), afterAll), database });
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
  const near = await app.send('PUT', '/api/cars/3613%20NRY', { branch: 'GIJON' });
  expect([near.status, near.json.errors[0].detail, near.json.errors[0].suggestion]).toEqual([
    400,
    '“branch” cannot be “GIJON”; did you mean “Gijón”?',
    'Gijón',
  ]);
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

test('its changes are delivered to hooks, with its own words for values', async () => {
  const env = { CATALOGUE: folder, DATABASE_URL: database, HOOK_ADDRESSES: 'any' };
  const { url, items } = await receiver();
  const [added] = await runHere('src/tools/hooks/main.ts', ['add', url, '--language=es', '--combustible=diésel'], env);
  expect(added).toBe(0);
  // Not by `serve`, whose responses are compared with the documents of the cars.
  const [, origin = ''] = await launch({ env }).wrote(/serving (http:\S+?)\/api\//);
  const body = JSON.stringify({ registration: '0001 HOOK', make: 'Seat', model: 'León', fuel: 'diesel' });
  await fetch(`${origin}/api/cars`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await expect.poll(items).toMatchObject([{ matricula: '0001 HOOK', marca: 'Seat', combustible: 'diésel' }]);
});
