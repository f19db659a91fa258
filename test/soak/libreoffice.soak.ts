/** What LibreOffice makes of our files without a question. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openApp } from '../support/app/app.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { convert, hasLibreOffice } from '../support/process/libreoffice.ts';

/** LibreOffice shows a line feed where a text has a carriage return, so there is none. */
const texts = [
  ...['=1+1', '+34 600', '-x', '@x', '007', '2008', 'true', '1,5', ' a ', '"', 'a;b,c', 'línea\n2', '<&>', '_x0041_'],
  '😀',
];
const cars = texts.map((text, at) => ({
  identifier: `car-${at}`,
  brand: text.trim() === '' ? 'x' : text,
  model: 'Ibiza',
  year: 2000 + at,
  version: text,
  clima: at % 2 === 0,
}));

/** @returns the rows of a file, as LibreOffice shows them */
const shownIn = (folder: string, file: string, filter = ''): readonly (readonly string[])[] => {
  const target = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false';
  const more = filter === '' ? [] : [`--infilter=${filter}`];
  const [shown = ''] = convert(join(folder, 'shown'), [file], target, ...more);
  return parse(readFileSync(shown), { bom: true });
};

test.skipIf(!hasLibreOffice)('workbooks and CSV open in LibreOffice', async () => {
  const { request, send, close } = await openApp();
  for (const car of cars) expect((await send('POST', '/api/cars', car)).status).toBe(201);
  const folder = temporaryFolder();
  const save = async (path: string, name: string): Promise<string> => {
    const file = join(folder, name);
    writeFileSync(file, Buffer.from(await (await request(path)).arrayBuffer()));
    return file;
  };
  const header = 'identificador marca modelo anio puertas cilindrada version climatizador ac fuel'.split(' ');
  const expected = cars.map(({ identifier, brand, model, year, version, clima }) => [
    identifier,
    brand,
    model,
    String(year),
    '',
    '',
    version,
    String(clima).toUpperCase(),
    '',
    '',
  ]);
  const workbook = await save('/api/coches?formato=xlsx', 'list.xlsx');
  expect(shownIn(folder, workbook)).toEqual([header, ...expected]);

  // Every column as text: what a person chooses in the dialog, or not.
  const columns = header.map((_, at) => `${at + 1}/2`).join('/');
  const csv = await save('/api/coches?formato=csv', 'list.csv');
  const shown = shownIn(folder, csv, `Text - txt - csv (StarCalc):59,34,76,1,${columns}`);
  expect(shown).toEqual([
    header,
    ...expected.map((row) => row.map((cell, at) => (at === 7 ? cell.toLowerCase() : cell))),
  ]);
  await close();
});
