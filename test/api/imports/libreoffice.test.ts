/** A workbook that LibreOffice has opened and saved is the catalogue as it was, but for what was edited. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { convert, hasLibreOffice } from '../../support/process/libreoffice.ts';

/** What a spreadsheet program could take for something else. */
const texts = [
  ...['0042', '8437001234567890123', '8437001234567890124', '1E5', '3/4', 'mar-09', '1.598', '1,5', '=1+1', '-x', '@x'],
  ...['TRUE', ' a ', '"', 'a;b,c', 'línea\n2', '<&>', '_x0041_', '😀'],
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

const languages = [
  {
    list: '/api/cars',
    query: 'format=xlsx',
    word: 'changes',
    edited: { row: 5, key: '1E5', action: 'updated', before: { model: 'Arosa' }, after: { model: 'León' } },
  },
  {
    list: '/api/coches',
    query: 'formato=xlsx',
    word: 'cambios',
    edited: { fila: 5, clave: '1E5', accion: 'actualizado', antes: { modelo: 'Arosa' }, despues: { modelo: 'León' } },
  },
] as const;

test.skipIf(!hasLibreOffice)(
  'the workbooks of each language come back, saved as such and by way of OpenDocument',
  { timeout: 120_000 },
  async () => {
    expect((await app.send('POST', '/api/cars', cars)).json.created).toBe(cars.length);
    const folder = temporaryFolder();
    const files: string[] = [];
    for (const [at, { list, query }] of languages.entries()) {
      const file = join(folder, `${at}.xlsx`);
      writeFileSync(file, Buffer.from(await (await app.request(`${list}?${query}`)).arrayBuffer()));
      files.push(file);
    }
    const changesIn = async (at: number, file = '', handling = ''): Promise<unknown> => {
      const { list = '', word = '' } = languages[at] ?? {};
      const headers = { 'content-type': XLSX, prefer: `resolution=replace-all, return=representation${handling}` };
      const done = await app.request(list, { method: 'POST', body: new Uint8Array(readFileSync(file)), headers });
      return [done.status, JSON.parse(await done.text())[word]];
    };
    const saved = convert(join(folder, 'saved'), files, 'xlsx');
    // OpenDocument as one file of XML, in which a cell can be edited.
    const opened = convert(join(folder, 'opened'), files, 'fods');
    for (const file of opened) writeFileSync(file, readFileSync(file, 'utf8').replace('>Arosa<', '>León<'));
    const edited = convert(join(folder, 'edited'), opened, 'xlsx');
    for (const at of languages.keys()) {
      expect(await changesIn(at, saved[at])).toEqual([200, []]);
      expect(await changesIn(at, edited[at], ', handling=check')).toEqual([200, [languages[at]?.edited]]);
    }
  },
);
