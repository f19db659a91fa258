/** What a file has that is probably not meant: keys that a spreadsheet program has damaged, values in another unit. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { uploader } from '../../support/app/reports.ts';

const app = useFreshApp({});

const said = {
  identifier: (odd: number, total: number) =>
    `“identifier” seems to be damaged in ${odd} of ${total} rows: a spreadsheet program has made rounded numbers or dates of keys, which are other keys then. Compare the file with its source, and edit XLSX, not CSV.`,
  enginePower: (odd: number, total: number) =>
    `“enginePower” is “Engine power (CV)”, but above 700 in ${odd} of ${total} rows: check the unit of the column.`,
};

const post = uploader(app.send, '/api/cars');
const table = (rows: readonly string[]) => ['identifier,brand,model,enginePower', ...rows].join('\n');
/** A car for each key, which may have a comma. */
const ofKeys = (...keys: readonly string[]) => [table([]), ...keys.map((key) => `"${key}",Seat,Ibiza,`)].join('\n');
const ofPowers = (...powers: readonly string[]) => table(powers.map((each, at) => `c${at},Seat,Ibiza,${each}`));
type Cells = readonly (readonly [row: number, value: string])[];
const warning = (column: keyof typeof said, total: number, cells: Cells) => ({
  column,
  detail: said[column](cells.length, total),
  rows: cells.map(([row, value]) => ({ row, value })),
});

test('with damaged keys beside ordinary ones is stored, and they are told with their rows', async () => {
  const { status, json } = await post(ofKeys('8,43700123456789E+018', 'seat-1', '1E+05', '09/03/2026'));
  const cells: Cells = [
    [2, '8,43700123456789E+018'],
    [4, '1E+05'],
    [5, '09/03/2026'],
  ];
  expect([status, json.warnings]).toEqual([200, [warning('identifier', 4, cells)]]);
});

test('that is checked, refused or sent again has its warnings, too', async () => {
  const file = ofKeys('8.437E+18', 'seat-1');
  const cells: Cells = [[2, '8.437E+18']];
  expect((await post(file, 'handling=check')).json.warnings).toEqual([warning('identifier', 2, cells)]);
  const refused = await post(`${file}\nx,,Ibiza,`);
  expect([refused.status, refused.json.report.warnings]).toEqual([422, [warning('identifier', 3, cells)]]);
  for (const key of Array(2).fill({ 'idempotency-key': '"warned"' }))
    expect((await post(file, '', 'text/csv', key)).json.warnings).toEqual([warning('identifier', 2, cells)]);
});

test.each([
  ...['8,43700123456789E+018', '8.437E+18', '1E+05', '1e-7', '2026-03-09', '2026/3/9', '9/3/26', '09-03-2026'],
  ...['09.03.2026', '2026-03-09 00:00:00', '9-mar', '09-mar.', '9-sept-26', 'mar-09', 'ene-26', 'Mar-09', '9 Mar'],
])('with the key %j is told of', async (key) => {
  const { json } = await post(ofKeys('seat-1', key), 'handling=check');
  expect(json.warnings).toEqual([warning('identifier', 2, [[3, key]])]);
});

test.each([
  [['1E5', '43E', '1234E567', '9-3', '12-345', '2026-13', '99/99/99', 'seat-12', 'mar-ibiza', '9-marzo-x']],
  [[]],
])('with the keys %j is not warned of', async (keys) => {
  const { status, json } = await post(ofKeys(...keys), 'handling=check');
  expect([status, json.warnings]).toEqual([200, undefined]);
});

test('whose power is mostly above 700 is told of', async () => {
  const { status, json } = await post(ofPowers('1598', '105', '', '701', '700'), 'handling=check');
  expect([status, json.warnings]).toEqual([200, undefined]);
  const most = await post(ofPowers('1598', '105', '', '701'));
  const cells: Cells = [
    [2, '1598'],
    [5, '701'],
  ];
  expect([most.status, most.json.warnings]).toEqual([200, [warning('enginePower', 3, cells)]]);
});

test('has the first hundred rows of a warning, and counts all', async () => {
  const file = ofPowers(...Array.from({ length: 1_200 }, () => '1968'));
  const cells = Array.from({ length: 100 }, (_, at) => [at + 2, '1968'] as const);
  const { json } = await post(file, 'handling=check');
  const expected = {
    ...warning('enginePower', 0, cells),
    detail: said.enginePower(1_200, 1_200),
  };
  expect(json.warnings).toEqual([expected]);
});

test('rows that change meanwhile, or repeat a key, are counted once', async () => {
  const file = 'identifier,brand,model,enginePower\na,Seat,Ibiza,1598\na,Seat,Ibiza,1598\nb,Seat,Ibiza,105\n';
  const { json } = await uploader(app.send, '/api/cars')(file, 'resolution=merge-duplicates');
  expect(json.warnings).toMatchObject([{ detail: expect.stringContaining('in 2 of 3 rows') }]);
});

test.each(['potencia', 'Potencia', 'Potencia (CV)', 'potencia_cv', 'POTENCIA CV', 'Potencia del motor'])(
  'whoever calls the power %j is understood in a table, and told its word elsewhere',
  async (word) => {
    const file = await uploader(app.send, '/api/coches')(`identificador;marca;modelo;${word}\na;Seat;Ibiza;105`);
    expect([file.status, file.json.creados]).toEqual([200, 1]);
    for (const { status, json } of [
      await app.send('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza', [word]: 105 }),
      await app.send('GET', `/api/coches?${encodeURIComponent(word)}=105`),
    ])
      expect([status, json.errors[0].suggestion]).toEqual([400, 'cilindrada']);
  },
);
