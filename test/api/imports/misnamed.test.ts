/** Files that are not what their type says, that have none, or that come in a form. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

const app = useFreshApp();
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const OLD = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const CSV = 'identifier,brand,model\na,Seat,Ibiza\n';
const SEAT = { identifier: 'a', brand: 'Seat', model: 'Ibiza' };
const BOOK = Buffer.from('PK\x03\x04', 'latin1');

/** Bytes have no type of their own, as texts have. */
const post = (
  list: string,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'text/csv' },
) => app.send('POST', list, Buffer.from(body), headers);
const formOf = (part: string, name = 'cars.csv', more = '', end = '--') =>
  `--x--y\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/vnd.ms-excel\r\n\r\n${part}\r\n--x--y${more}${end}\r\n`;
const FORM = { 'content-type': 'multipart/form-data; boundary="x--y"' };

const list = '/api/coches';
const misnamed = (sent: string, found: string, type: string) =>
  `El contenido se ha leído como ${sent}, pero empieza como ${found}: envíelo con «Content-Type: ${type}» (para el comando, «--format ${found.toLowerCase()}»).`;
const old = 'El archivo es un libro de Excel antiguo (.xls). Guárdelo como .xlsx.';
const form = 'Un formulario debe contener un solo archivo y nada más, y terminar como empieza, con su delimitador.';
const type = 'El cuerpo no puede ser de tipo «application/vnd.ms-excel»; indique en «Content-Type» uno de estos: ';

test.each([
  ['text/csv', BOOK, ['CSV', 'XLSX', XLSX]],
  ['application/x-ndjson', BOOK, ['NDJSON', 'XLSX', XLSX]],
  ['application/json', BOOK, ['JSON', 'XLSX', XLSX]],
  ['text/csv', '\uFEFF{"brand":"Seat"}', ['CSV', 'NDJSON', 'application/x-ndjson']],
  ['text/csv', '[ {"brand":"Seat"}]', ['CSV', 'JSON', 'application/json']],
  [XLSX, CSV, ['XLSX', 'CSV', 'text/csv']],
  [undefined, CSV, ['JSON', 'CSV', 'text/csv']],
  [undefined, CSV + 'x'.repeat(70_000), ['JSON', 'CSV', 'text/csv']],
  ['application/json', '\uFEFFcódigo;marca\n', ['JSON', 'CSV', 'text/csv']],
] as const)('as %s it is told what it looks like: %#', async (sent, body, [read, found, right]) => {
  const { status, json } = await post(list, body, sent === undefined ? {} : { 'content-type': sent });
  expect([status, json.code, json.detail, json.suggestion]).toEqual([
    400,
    read === 'JSON' ? 'malformed-json' : 'malformed-file',
    misnamed(read, found, right),
    right,
  ]);
});

test.each(['text/csv', XLSX, 'application/x-ndjson'])('an old workbook is told so as %s', async (sent) => {
  const { status, json } = await post(list, OLD, { 'content-type': sent });
  expect([status, json.code, json.detail]).toEqual([400, 'malformed-file', old]);
});

test.each(['brand: Seat, model: Ibiza', "{brand: 'Seat'}", 'brand=Seat,model=Ibiza', 'Seat'])(
  'what is no file is not taken for one: %s',
  async (body) => {
    const { status, json } = await post(list, body, {});
    expect([status, json.code]).toEqual([400, 'malformed-json']);
  },
);

test('the file in a form is imported, and again only once with a key', async () => {
  const headers = { ...FORM, 'idempotency-key': `form-${list.slice(5)}` };
  const first = await post(list, formOf(CSV), headers);
  expect([first.status, (await app.send('GET', '/api/cars')).json]).toEqual([200, [SEAT]]);
  const other = formOf(CSV).replaceAll('x--y', 'another');
  const again = await post(list, other, { ...headers, 'content-type': 'multipart/form-data; boundary=another' });
  expect([again.status, again.json]).toEqual([200, first.json]);
  const dashes = `${CSV}b,Seat,"--x\r\n--x--"\r\n`;
  expect((await post(list, formOf(dashes), { ...FORM, prefer: 'resolution=merge-duplicates' })).status).toBe(200);
  expect((await app.send('GET', '/api/cars/b')).json.model).toBe('--x\r\n--x--');
});

test.each([
  [
    'with a second part',
    () => formOf(CSV, 'cars.csv', '\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--x--y'),
  ],
  ['that is cut off', () => formOf(CSV).slice(0, -4)],
])('a form %s is refused', async (_, body) => {
  const { status, json } = await post(list, body(), FORM);
  expect([status, json.code, json.detail]).toEqual([400, 'malformed-file', form]);
  expect((await app.send('GET', '/api/cars')).json).toEqual([]);
});

test.each([
  ['without a file', () => formOf(CSV).replace('; filename="cars.csv"', '')],
  ['of another boundary', () => formOf(CSV).replaceAll('x--y', 'z')],
  ['that is empty', () => ''],
  ['without an end of its headers', () => '-'.repeat(20_000)],
])('a form %s is no file', async (_, body) => {
  const { status, json } = await post(list, body(), FORM);
  const detail = type.replace('application/vnd.ms-excel', 'multipart/form-data');
  expect([status, json.detail]).toEqual([415, expect.stringContaining(detail)]);
});

test('a form with a file of another type is refused', async () => {
  const { status, json } = await post(list, formOf(CSV, 'cars.pdf'), FORM);
  expect([status, json.detail]).toEqual([415, expect.stringContaining(type)]);
});

test('a workbook with a password is told so', async () => {
  const directory = Buffer.from('EncryptedPackage', 'utf16le');
  const file = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(70_136), directory]);
  const { json } = await post('/api/cars', file, { 'content-type': 'text/csv' });
  expect([json.code, json.detail]).toEqual([
    'malformed-file',
    'The workbook is protected by a password. Save it without one.',
  ]);
});

test.each([
  ['filename="=?UTF-8?B?Y29jaGVzLmNzdg==?="'],
  ['filename="=?UTF-8?Q?coches=2Ecsv?="'],
  ["filename*=UTF-8''coches%2ecsv"],
  ['filename=coches.csv; size=9'],
])('a form names its file by %s', async (name) => {
  const part = `Content-Disposition: form-data; name="f"; ${name}\r\n\r\nmarca;modelo\r\nSeat;Ibiza\r\n`;
  const { json } = await post('/api/coches', `--b\r\n${part}\r\n--b--`, {
    'content-type': 'multipart/form-data; boundary=b',
  });
  expect(json).toMatchObject({ creados: 1 });
});

test('keys that are all new are told before anything else', async () => {
  const rows = (from: number) => Array.from({ length: 3 }, (_, at) => `${from + at},Seat,Ibiza\n`).join('');
  const header = 'identifier,brand,model\n';
  await post('/api/cars', header + rows(0));
  const prefer = (preference: string) => ({ 'content-type': 'text/csv', prefer: preference });
  const told = /^3 new keys, 0 known: /;
  const merged = await post('/api/cars', header + rows(10), prefer('resolution=merge-duplicates, handling=check'));
  expect(merged.json).toMatchObject({
    created: 3,
    warnings: [{ column: 'identifier', detail: expect.stringMatching(told) }],
  });
  const replaced = await post('/api/cars', header + rows(20), prefer('resolution=replace-all'));
  expect([replaced.status, replaced.json.detail]).toEqual([
    422,
    '3 new keys, 0 known: the file lacks all 3 items, so nothing was stored. Check that “identifier” is the right column, written as the keys are. Only if everything is to be replaced, say so: “Prefer: resolution=replace-all; allow-deletions”.',
  ]);
  const known = await post('/api/cars', header + rows(2), prefer('resolution=merge-duplicates'));
  expect(known.json).not.toHaveProperty('warnings');
  const unkeyed = await post('/api/cars', `${header}30,Seat,\n,Seat,Ibiza\n`, {
    'content-type': 'text/csv',
    prefer: 'resolution=merge-duplicates, handling=check',
  });
  expect(unkeyed.json).toMatchObject({ created: 1, rejected: 1 });
  expect(unkeyed.json).not.toHaveProperty('warnings');
});
