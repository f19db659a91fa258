/** Files whose rows are to change items that exist: updates only, and files without the column of the key. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { uploader } from '../../support/app/reports.ts';
import { workbook } from '../../support/workbooks.ts';

const ibiza = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 };
const app = useFreshApp({ given: [['/api/cars', ibiza]] });
const cars = async () => (await app.send('GET', '/api/cars')).json;
const HEADER = 'identifier,brand,model,year';

const said = {
  missing: 'Cannot find the car “b”.',
  unkeyed: '“identifier” is required.',
  refused: (sent: string) =>
    `No row of the file has “identifier”, so it cannot be told which items they change: each would be added to “cars” as a new one. If that is meant, say so: “${sent}, allow-new-keys”.`,
  updates: 'No row of the file has “identifier”, so it cannot be told which items they change.',
};

const post = uploader(app.send, '/api/cars');
const csv = (...rows: readonly string[]) => [HEADER, ...rows].join('\n');
const countsIn = (report: Record<string, unknown>) =>
  ['created', 'updated', 'unchanged', 'skipped', 'rejected'].map((name) => report[name]);
const faults = [
  { row: 3, column: 'identifier', value: 'b', code: 'not-found', detail: said.missing },
  { row: 4, column: 'identifier', code: 'missing-field', detail: said.unkeyed },
];
const updates = csv('a,Seat,Ibiza,2010', 'b,Seat,León,2010', ',Seat,Toledo,2010');
const item = { brand: 'Citroën', model: 'C4' };
/** Rows without a key, in each format that can be written by hand. */
const unkeyed = [
  ['text/csv', 'brand,model\nCitroën,C4\nCitroën,C5'],
  ['application/x-ndjson', `${JSON.stringify(item)}\n${JSON.stringify(item)}\n`],
  ['application/json', JSON.stringify([item, { ...item, identifier: null }])],
  ['text/csv; header=present', csv(',Citroën,C4,', ',Citroën,C5,')],
] as const;

test('of updates only rejects the rows whose key does not exist, or is not there', async () => {
  const strict = await post(updates, 'missing-keys=reject');
  expect([strict.status, strict.json.code, strict.json.report.errors]).toEqual([422, 'rejected-rows', faults]);
  expect(await cars()).toEqual([ibiza]);
  const lenient = await post(updates, 'handling=lenient, missing-keys=reject');
  expect([lenient.status, countsIn(lenient.json), lenient.json.errors]).toEqual([200, [0, 1, 0, 0, 2], faults]);
  expect(lenient.headers.get('preference-applied')).toBe('handling=lenient, missing-keys=reject');
  expect(await cars()).toEqual([{ ...ibiza, year: 2010 }]);
});

test.each([
  ['resolution=merge-duplicates', [0, 1, 0, 0, 2]],
  ['resolution=ignore-duplicates', [0, 0, 0, 1, 2]],
  ['resolution=replace-all', [0, 1, 0, 0, 2]],
])('of updates only with %s creates nothing', async (resolution, numbers) => {
  const { status, json } = await post(updates, `handling=check, missing-keys=reject, ${resolution}`);
  expect([status, countsIn(json), json.errors]).toEqual([200, numbers, faults]);
});

test('of updates only may repeat a key', async () => {
  const rows = csv('b,Seat,León,', 'a,Seat,Ibiza,2009', 'b,Seat,León,', 'a,Seat,Ibiza,2008');
  const { status, json } = await post(rows, 'handling=lenient, missing-keys=reject');
  expect([status, countsIn(json)]).toEqual([200, [0, 0, 1, 1, 2]]);
  expect(await cars()).toEqual([ibiza]);
});

test.each(unkeyed)('of %s without keys is refused before every row becomes a new car', async (type, file) => {
  for (const prefer of [
    'resolution=merge-duplicates',
    'handling=check, resolution=merge-duplicates',
    'handling=lenient, resolution=replace-all; allow-deletions',
  ]) {
    const { status, json } = await post(file, prefer, type);
    expect([status, json.code, json.detail]).toEqual([400, 'missing-field', said.refused(`Prefer: ${prefer}`)]);
    expect(json.errors).toMatchObject([{ pointer: `/identifier`, code: 'missing-field' }]);
  }
  for (const prefer of ['missing-keys=reject', 'missing-keys=reject, handling=lenient, allow-new-keys']) {
    const { status, json } = await post(file, prefer, type);
    expect([status, json.code, json.detail]).toEqual([400, 'missing-field', said.updates]);
  }
  expect(await cars()).toEqual([ibiza]);
});

test.each(unkeyed)('of %s without keys is stored where that is meant', async (type, file) => {
  for (const [prefer, applied] of [
    ['resolution=merge-duplicates, allow-new-keys', 'resolution=merge-duplicates; allow-new-keys'],
    ['resolution=merge-duplicates; allow-new-keys', 'resolution=merge-duplicates; allow-new-keys'],
    ['resolution=ignore-duplicates', 'resolution=ignore-duplicates'],
    ['handling=lenient, allow-new-keys', 'handling=lenient'],
    [
      'resolution=replace-all, allow-deletions, allow-new-keys',
      'resolution=replace-all; allow-deletions; allow-new-keys',
    ],
  ] as const) {
    const { status, json, headers } = await post(file, prefer, type);
    expect([status, countsIn(json)]).toEqual([200, [2, 0, 0, 0, 0]]);
    expect(headers.get('preference-applied')).toBe(applied);
  }
  expect(await cars()).toHaveLength(2);
});

test('with some keys is stored: new cars have none', async () => {
  const table = await post(csv('a,Seat,Ibiza,2008', ',Citroën,C4,'), 'resolution=merge-duplicates');
  expect([table.status, countsIn(table.json)]).toEqual([200, [1, 0, 1, 0, 0]]);
  const items = [item, { ...item, identifier: 'a' }];
  const array = await post(items, 'resolution=merge-duplicates', 'application/json');
  expect([array.status, countsIn(array.json)]).toEqual([200, [1, 1, 0, 0, 0]]);
  expect((await post('[]', 'resolution=merge-duplicates', 'application/json')).status).toBe(200);
});

test('of oils, whose keys are never assigned, has an error in each row', async () => {
  const upload = uploader(app.send, `/api/cars/a/oils`);
  const { status, json } = await upload(`otherInfo\nElf`, 'resolution=merge-duplicates');
  expect([status, json.code]).toEqual([422, 'rejected-rows']);
});

test.each([
  ['missing-keys', '“missing-keys” cannot be “”; its values are: reject.'],
  ['missing-keys=rejcet', '“missing-keys” cannot be “rejcet”; did you mean “reject”?'],
  ['update-only', expect.any(String)],
  [
    'allow-new-key',
    '“allow-new-key” is not understood as preferences of an import, so nothing was stored; did you mean “allow-new-keys”?',
  ],
  ['allow-new-keys=true', '“allow-new-keys” has no values, so it cannot be “true”: send it alone, or not at all.'],
])('the preference %j is not understood', async (prefer, detail) => {
  const { status, json } = await uploader(app.send, '/api/cars')('identifier,brand,model\nb,Seat,León', prefer);
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-header', detail]);
  expect(await cars()).toEqual([ibiza]);
});

test('the numbers of a workbook that are rounded are no keys, and nothing is deleted for them', async () => {
  const keys = ['8437001234567890123', '8437001234567890124'];
  const stored = keys.map((identifier) => ({ identifier, brand: 'Seat', model: 'Ibiza' }));
  for (const car of stored) await app.send('POST', '/api/cars', JSON.stringify(car));
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = keys.map((key) => `<row><c><v>${key}</v></c>${text('Seat')}${text('Ibiza')}</row>`);
  const sheet = `<worksheet><sheetData><row>${text('identificador')}${text('marca')}${text('modelo')}</row>${rows.join('')}</sheetData></worksheet>`;
  const { status, json } = await uploader(app.send, '/api/coches')(
    await workbook({ 'xl/worksheets/sheet1.xml': sheet }),
    'handling=lenient, resolution=replace-all; allow-deletions',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  );
  expect([status, json.creados, json.eliminados, json.rechazados]).toEqual([200, 0, 0, 2]);
  expect(json.errores[1]).toEqual({
    fila: 3,
    columna: 'identificador',
    valor: '8437001234567890124',
    codigo: 'invalid-value',
    detalle:
      '«identificador» contiene el número 8437001234567890124, del que las hojas de cálculo solo conservan 15 cifras. Dé a las celdas de esta columna formato de texto y vuelva a introducir el valor.',
  });
  expect(await cars()).toEqual([ibiza, ...stored]);
});
