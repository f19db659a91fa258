/** Files over HTTP: what is stored of them, and what is told of it in the words of the tree. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { counted, spanishCsv, uploader } from '../../support/app/reports.ts';

const ibiza = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 };
const app = useFreshApp({ given: [['/api/cars', ibiza]] });
const carsIn = async (path = '/api/cars') => (await app.send('GET', path)).json;
const HEADER = 'identifier,brand,model,year';

const said = {
  year: '«anio» debe ser un número entero entre 1886 y 2100.',
  model: '«modelo» es obligatorio.',
  exists: 'Ya existe el coche «a».',
  title: 'Filas rechazadas',
  one: '1 fila tiene errores, por lo que no se ha guardado nada.',
  many: '3 filas tienen errores, por lo que no se ha guardado nada.',
  left: '3 filas tienen errores y no se han guardado.',
  checked: '2 filas tienen errores: sin «handling=lenient» no se guardaría nada.',
  deletions:
    'Al archivo le faltan 4 de 5 elementos, más del 20 %. No se ha guardado nada; para eliminarlos, envíe «Prefer: resolution=replace-all; allow-deletions».',
  prefer: '«handling» no puede ser «lenien»; ¿quería decir «lenient»?',
  semicolon:
    '«resolution=merge-duplicates; handling=check» no se entiende como preferencias de una importación, por lo que no se ha guardado nada; ¿quería decir «resolution=merge-duplicates, handling=check»?',
  half: '«check» no se entiende como preferencias de una importación, por lo que no se ha guardado nada; ¿quería decir «handling=check»?',
  single:
    'Un solo elemento no se puede comprobar sin guardarlo. Para «Prefer: handling=check», envíelo en un array JSON.',
  type: /^El cuerpo no puede ser de tipo «text\/plain»; indique en «Content-Type» uno de estos: application\/json, text\/csv, /,
  charset: 'El cuerpo no puede estar en «utf-32»; envíe UTF-8.',
  key: 'La clave de «Idempotency-Key» ya se envió con otra petición. Repita una clave solo con el mismo contenido y para la misma lista.',
};

const table = (...rows: readonly string[]) => spanishCsv(HEADER, ...rows);
const post = uploader(app.send, '/api/coches');
const report = (counts: object) => counted(counts);
const faulty = table('b,Seat,Leon,1999', 'c,Seat,Leon,never', 'd,Seat,,2000', 'a,Seat,Ibiza,2008');
const errors = [
  { row: 3, column: 'year', code: 'invalid-value', detail: said.year, value: 'never' },
  { row: 4, column: 'model', code: 'missing-field', detail: said.model },
  { row: 5, column: 'identifier', code: 'already-exists', detail: said.exists, value: 'a' },
];
const reasons = errors.map((error) => ({ count: 1, ...error }));

test('is stored, and its report is in the words of the tree', async () => {
  const { status, json, headers } = await post(table('b,Seat,León,2009', ',Citroën,C4,'));
  expect([status, json]).toEqual([200, report({ created: 2 })]);
  expect(Object.fromEntries(headers)).toMatchObject({
    ...{ 'content-type': 'application/json', 'content-language': 'es', vary: 'Accept' },
  });
  for (const name of ['preference-applied', 'location']) expect(headers.get(name)).toBeNull();
  expect(await carsIn()).toEqual([
    ibiza,
    { identifier: 'b', brand: 'Seat', model: 'León', year: 2009 },
    { identifier: expect.stringMatching(/^[0-9a-f-]{36}$/), brand: 'Citroën', model: 'C4' },
  ]);
});

test('that repeats a key is told where the row before is', async () => {
  const { status, json } = await post(table('z,Seat,Ateca,2016', 'y,Seat,Leon,', 'z,Seat,Ateca,2018'));
  const detail = '«identificador» es «z», que ya está en la fila 2 del archivo.';
  const error = { fila: 4, columna: 'identificador', codigo: 'already-exists', detalle: detail, valor: 'z' };
  expect([status, json.report.errores]).toEqual([422, [error]]);
  expect(await carsIn()).toEqual([ibiza]);
});

test('of oils belongs to its car', async () => {
  const file = spanishCsv('type,otherInfo', '10W/40,Elf');
  const { status, json } = await uploader(app.send, `/api/coches/a/aceites`)(file);
  expect([status, json]).toEqual([200, report({ created: 1 })]);
  expect(await carsIn('/api/cars/a/oils')).toEqual([{ type: '10W/40', otherInfo: 'Elf' }]);
  const nobody = await uploader(app.send, `/api/coches/nobody/aceites`)(file);
  expect([nobody.status, nobody.json.code]).toEqual([404, 'not-found']);
});

test('with errors is not stored, and each is listed', async () => {
  const { status, json } = await post(faulty);
  expect([status, json.code, json.title]).toEqual([422, 'rejected-rows', said.title]);
  expect([json.detail, json.errors]).toEqual([said.many, undefined]);
  expect(json.report).toEqual(report({ created: 1, rejected: 3, detail: said.many, reasons, errors }));
  expect(await carsIn()).toEqual([ibiza]);
  const one = await post(table('b,Seat,Leon,never'));
  expect([one.json.code, one.json.detail]).toEqual(['rejected-rows', said.one]);
});

test('with errors is stored without them where that is preferred', async () => {
  const { status, json, headers } = await post(faulty, 'handling=lenient');
  expect([status, json]).toEqual([200, report({ created: 1, rejected: 3, detail: said.left, reasons, errors })]);
  expect(headers.get('preference-applied')).toBe('handling=lenient');
  expect(await carsIn()).toEqual([ibiza, { identifier: 'b', brand: 'Seat', model: 'Leon', year: 1999 }]);
});

test('is only checked where that is preferred', async () => {
  const { status, json, headers } = await post(faulty, 'handling=check, resolution=merge-duplicates');
  const counts = { dryRun: true, created: 1, unchanged: 1, rejected: 2 };
  const [first, second] = [reasons.slice(0, 2), errors.slice(0, 2)];
  expect([status, json]).toEqual([200, report({ ...counts, detail: said.checked, reasons: first, errors: second })]);
  expect(headers.get('preference-applied')).toBe('handling=check, resolution=merge-duplicates');
  expect(await carsIn()).toEqual([ibiza]);
});

test.each(['handling=check', 'check', 'resolution=merge-duplicates; handling=check'])(
  'of a single item is not stored where %j is preferred',
  async (prefer) => {
    const one = { identifier: 'z', brand: 'Seat', model: 'Ibiza' };
    const { status, json } = await post(one, prefer, 'application/json');
    expect([status, json.code, json.detail]).toEqual([400, 'invalid-header', said.single]);
    expect(await carsIn()).toEqual([ibiza]);
  },
);

test('replaces all, but for more than a part that nobody allows to delete', async () => {
  await post(table('b,Seat,B,', 'c,Seat,C,', 'd,Seat,D,', 'e,Seat,E,'));
  const before = await carsIn();
  const refused = await post(table('a,Seat,Ibiza,2008'), 'resolution=replace-all');
  expect([refused.status, refused.json.code, refused.json.detail]).toEqual([422, 'rejected-rows', said.deletions]);
  expect([refused.json.errors, refused.json.report]).toEqual([undefined, report({ unchanged: 1, deleted: 4 })]);
  expect(await carsIn()).toEqual(before);
  const few = table('a,Seat,Ibiza,2008', 'b,Seat,B,1999', 'c,Seat,C,', 'd,Seat,D,');
  const counts = report({ updated: 1, unchanged: 3, deleted: 1 });
  expect((await post(few, 'resolution=replace-all')).json).toEqual(counts);
  const all = await post(table(), 'resolution=replace-all; allow-deletions');
  expect([all.status, all.json]).toEqual([200, report({ deleted: 4 })]);
  expect(all.headers.get('preference-applied')).toBe('resolution=replace-all; allow-deletions');
  expect(await carsIn()).toEqual([]);
});

test('that is sent again with its key is not imported again, and another one is refused', async () => {
  const key = { 'idempotency-key': `"file es"` };
  const send = (file: string, prefer = 'handling=lenient', type = 'text/csv') => post(file, prefer, type, key);
  const first = await send(faulty);
  expect(first.json).toMatchObject(report({ created: 1, rejected: 3 }));
  await app.send('DELETE', '/api/cars/b');
  const again = await send(faulty);
  expect([again.status, again.text]).toEqual([200, first.text]);
  const replayed = [first, again].map(({ headers }) => headers.get('idempotency-replayed'));
  expect(replayed).toEqual([null, 'true']);
  expect(await carsIn()).toEqual([ibiza]);
  for (const { status, json } of [
    await send(`${faulty}\n`),
    await send(faulty, 'handling=lenient, resolution=merge-duplicates'),
    await send('[]', 'handling=lenient', 'application/json'),
  ])
    expect([status, json.code, json.detail]).toEqual([422, 'idempotency-mismatch', said.key]);
});

test.each([
  ['another type', 415, '', 'text/plain', said.type],
  ['another encoding', 415, '', 'text/csv; charset=utf-32', said.charset],
  ['a misspelt preference', 400, 'handling=lenien', 'text/csv', said.prefer],
  ['a preference behind a semicolon', 400, 'resolution=merge-duplicates; handling=check', 'text/csv', said.semicolon],
  ['half a preference', 400, 'check', 'text/csv', said.half],
])('of %s is refused with %d', async (_, status, prefer, type, detail) => {
  const refused = await post(table('b,Seat,Leon,'), prefer, type);
  const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail);
  expect([refused.status, refused.json.detail]).toEqual([status, expected]);
  expect(await carsIn()).toEqual([ibiza]);
});

test('a file may have the names that all languages share, in any tree', async () => {
  const { status, json } = await uploader(
    app.send,
    '/api/coches',
  )(`identifier,brand,model,enginePower\nz,Seat,Ibiza,105`);
  expect([status, json.creados]).toEqual([200, 1]);
  expect((await carsIn()).at(-1)).toEqual({ identifier: 'z', brand: 'Seat', model: 'Ibiza', enginePower: 105 });
});

test('a column of the header is pointed at as RFC 6901 says', async () => {
  const { json } = await uploader(app.send, '/api/coches')('a/b,c~d\n1,2');
  expect(json.errors).toMatchObject([{ pointer: '/a~1b' }, { pointer: '/c~0d' }]);
});
