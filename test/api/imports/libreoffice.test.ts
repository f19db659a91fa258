/** A workbook that LibreOffice has opened and saved is the catalogue as it was, but for what was edited. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { convert, hasLibreOffice } from '../../support/process/libreoffice.ts';

/** What a spreadsheet program could take for something else. */
const texts = [
  '0042',
  '8437001234567890123',
  '8437001234567890124',
  '1E5',
  '3/4',
  'mar-09',
  '1.598',
  '1,5',
  '=1+1',
  '-x',
  '@x',
  'TRUE',
  ' a ',
  '"',
  'a;b,c',
  'línea\n2',
  '<&>',
  '_x0041_',
  '😀',
];
const cars = texts.map((text, at) => ({
  identifier: text.replace(/[\n/]/g, '-'),
  brand: text,
  model: at === 3 ? 'Arosa' : 'Ibiza',
  ...(at % 3 === 0 ? {} : { year: 2000 + at, version: text }),
  ...(at % 4 === 0 ? {} : { clima: at % 2 === 0, enginePower: 60 + at }),
}));
const app = useFreshApp();
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test.skipIf(!hasLibreOffice).each([
  ['/api/cars', 'format', 'changes', ['xlsx'], undefined],
  ['/api/coches', 'formato', 'cambios', ['xlsx'], undefined],
  ['/api/cars', 'format', 'changes', ['ods', 'xlsx'], undefined],
  ['/api/coches', 'formato', 'cambios', ['ods', 'xlsx'], undefined],
  [
    '/api/cars',
    'format',
    'changes',
    ['fods', 'xlsx'],
    { row: 5, key: '1E5', action: 'updated', before: { model: 'Arosa' }, after: { model: 'León' } },
  ],
  [
    '/api/coches',
    'formato',
    'cambios',
    ['fods', 'xlsx'],
    { fila: 5, clave: '1E5', accion: 'actualizado', antes: { modelo: 'Arosa' }, despues: { modelo: 'León' } },
  ],
] as const)(
  '%s?%s=xlsx comes back, saved as %4$j',
  { timeout: 120_000 },
  async (list, format, listed, targets, edited) => {
    expect((await app.send('POST', '/api/cars', cars)).json.created).toBe(cars.length);
    const folder = temporaryFolder();
    let file = join(folder, 'list.xlsx');
    writeFileSync(file, Buffer.from(await (await app.request(`${list}?${format}=xlsx`)).arrayBuffer()));
    for (const target of targets) {
      file = convert(folder, file, target);
      if (target === 'fods') writeFileSync(file, readFileSync(file, 'utf8').replace('>Arosa<', '>León<'));
    }
    const prefer = 'resolution=replace-all, return=representation';
    const headers = { 'content-type': XLSX, prefer };
    const done = await app.request(list, { method: 'POST', body: new Uint8Array(readFileSync(file)), headers });
    expect([done.status, JSON.parse(await done.text())[listed]]).toEqual([200, edited ? [edited] : []]);
  },
);
