/** Rows of cars whose columns feed the list of their photos: refused, explained, checked, stored and saved, over HTTP and by the command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { useApp } from '../support/app/app.ts';
import { runHere } from '../support/commands/given.ts';
import { dealerTables, dealerFolder as folder } from '../support/language/dealer.ts';
import { temporaryFolder } from '../support/process/folder.ts';

const app = useApp({ catalogue, locales: dealerTables(afterAll) });

const post = (prefer: string, file: string) =>
  app.send('POST', '/api/importaciones/coches', file, { 'content-type': 'text/csv', prefer });
const photosOf = async (car: string) => (await app.send('GET', `/api/cars/${car}/photos`)).json;
const link = (name: string): string => `https://example.com/${name}.jpg`;

test.each([
  ['foto1=fotos.enlase', 'invalid-header', '«fotos.enlase» no es un campo del coche; ¿quería decir «fotos.enlace»?'],
  [
    'foto1=imágenes.url',
    'invalid-header',
    '«imágenes.url» no es un campo del coche; los campos son: fotos.numero, fotos.enlace.',
  ],
  [
    'foto1=fotos.enlace; foto1=fotos.numero',
    'invalid-header',
    '«foto1» no puede ser a la vez «fotos.enlace» y «fotos.numero».',
  ],
  [
    'bild*=fotos.enlace',
    'malformed-file',
    '«columns» menciona «bild*», pero ninguna columna de la fila 1 se llama así.',
  ],
  [
    'foto*=fotos.enlace',
    'malformed-file',
    '«foto1» (columna E) es «foto1», como ya lo es la columna D. Ponga «#» delante del nombre de la que no corresponde o descártela con «columns».',
  ],
])('columns="%s" is refused', async (columns, code, detail) => {
  const file = `matricula,marca,modelo${columns.startsWith('foto*') ? ',foto1,foto1' : ''}\n`;
  const { status, json } = await post(`columns="${Buffer.from(columns).toString('latin1')}"`, file);
  expect([status, json.code, json.detail]).toEqual([400, code, detail]);
});

test('a word of another language is told the right one', async () => {
  const headers = { 'content-type': 'text/csv', prefer: 'columns="foto1=fotos.enlace"' };
  const { json } = await app.send('POST', '/api/imports/cars', 'registration\n', headers);
  expect(json.detail).toBe('“fotos.enlace” is not a field of the car; did you mean “photos.link”?');
});

const FOTOS = 'columns="foto*=fotos.enlace"';
const NUMBERED = 'columns="n*=fotos.numero; foto*=fotos.enlace"';
const table = (columns: string, ...rows: readonly string[]) =>
  [`matricula;marca;modelo;${columns}`, ...rows.map((row) => row.replace(';', ';Seat;Ibiza;'))].join('\n');
const errorsOf = ({ report }: Record<string, { errores: Record<string, unknown>[] }>) =>
  report?.errores.map(({ columna, codigo, detalle }) => [columna, codigo, detalle]);

test('faults of cells are those of their row and column, and nothing is stored', async () => {
  const file = table('foto1;foto2', `1;${link('a')};nowhere`, `2;${link('b')};`, '3;nothing;more');
  const { status, json } = await post(FOTOS, file);
  expect([status, errorsOf(json)]).toEqual([
    422,
    ['foto2', 'foto1', 'foto2'].map((column) => [
      ...[column, 'invalid-value', `«${column}» debe ser una URL que empiece por «http://» o «https://».`],
    ]),
  ]);
  expect((await app.send('GET', '/api/cars/1')).status).toBe(404);
});

test('an item needs what its list requires, and has its key once', async () => {
  const file = table('n1;foto1;n2;foto2', '1;x;;;', `2;;${link('a')};;`, `3;x;${link('a')};x;${link('b')}`);
  const { json } = await post(NUMBERED, file);
  expect(errorsOf(json)).toEqual([
    ['fotos.enlace', 'missing-field', '«fotos.enlace» es obligatorio.'],
    ['fotos.numero', 'missing-field', '«fotos.numero» es obligatorio.'],
    ['n2', 'already-exists', '«n2» es «x», que ya está en la fila 4 del archivo.'],
  ]);
});

test('several members make an item, by the order of their columns', async () => {
  const file = table('foto1;foto2;n1;n2', `B;${link('x')};${link('y')};front;back`);
  const { status } = await post(`resolution=merge-duplicates, ${NUMBERED}`, file);
  expect([status, await photosOf('B')]).toEqual([
    200,
    [
      { number: 'front', link: link('x') },
      { number: 'back', link: link('y') },
    ],
  ]);
});

test('the second time nothing changes; the plate may be written in another way', async () => {
  const since = async () => (await app.send('GET', '/api/photos')).headers.get('x-change');
  const send = (plate: string) =>
    post(`resolution=merge-duplicates, ${FOTOS}`, table('foto1;foto2', `${plate};;${link('one')}`));
  await send('1824 BBB');
  const before = [await since(), await photosOf('1824BBB')];
  const { json } = await send('1824-bbb');
  expect(json.anidados).toEqual({ fotos: { creados: 0, actualizados: 0, sin_cambios: 1, eliminados: 0 } });
  expect([await since(), await photosOf('1824BBB')]).toEqual(before);
  expect(before[1]).toEqual([{ number: '1', link: link('one') }]);
});

test('the command explains, counts and saves', async () => {
  const temporary = temporaryFolder();
  const [file, saved] = [join(temporary, 'erp.csv'), join(temporary, 'saved.json')];
  writeFileSync(file, `matricula;marca;modelo;foto 1;foto 2\n1;Seat;Ibiza;${link('a')};${link('b')}\n`);
  const env = { CATALOGUE: folder, DATABASE_URL: `sqlite:${join(temporary, 'dealer.db')}`, LANG: 'es' };
  const main = 'src/tools/import-export/import-main.ts';
  const args = [file, '--language=es', '--column', 'foto*=fotos.enlace', '--check', '--explain'];
  const counts = 'fotos: creados 2, actualizados 0, sin cambios 0, eliminados 0';
  const explained = (await runHere(main, [...args, '--save-profile', saved], env)).join('\n');
  for (const line of [
    'D «foto 1» es «fotos.enlace», como indica «columns».',
    'Fila 2, D «foto 1»: «https://example.com/a.jpg».',
    counts,
  ])
    expect(explained).toContain(line);
  expect(JSON.parse(readFileSync(saved, 'utf8')).columns).toEqual({ 'foto*': 'photos.link' });
  const stored = await runHere(main, [file, '--language=es', '--profile', saved], env);
  expect([stored[0], stored.join('\n')]).toEqual([0, expect.stringContaining(counts)]);
});
