/** Files over HTTP: what is stored of them, and what is told of it in the words of the tree. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { sharedOut } from '../../support/database/database.ts';

const ibiza = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008 };
const app = useFreshApp({ given: [['/api/cars', ibiza]] });

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  app.send('POST', path, body, { 'content-type': CSV, ...headers });
const carsIn = async (path = '/api/cars') => (await app.send('GET', path)).json;

const trees = [
  {
    tag: 'en',
    cars: '/api/cars',
    oils: '/api/cars/a/oils',
    header: 'identifier,brand,model,year',
    oil: 'type,otherInfo',
    counts: ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected', 'cleared'],
    told: ['detail', 'errors', 'reasons', 'count'],
    dry: 'dryRun',
    error: ['row', 'column', 'code', 'detail', 'suggestion', 'value'],
    year: ['year', '“year” must be a whole number from 1886 to 2100.'],
    model: ['model', '“model” is required.'],
    exists: ['identifier', 'Cannot create the car “a”: it already exists.'],
    rejected: {
      title: 'Rejected rows',
      one: '1 row has errors, so nothing was stored.',
      many: '3 rows have errors, so nothing was stored.',
      cut: '101 rows have errors, so nothing was stored. The first 100 errors are listed.',
    },
    left: '3 rows have errors and were not stored.',
    checked: '3 rows have errors: without “handling=lenient”, nothing would be stored.',
    deletions:
      'The file lacks 4 of 5 items, which is more than 20 %. Nothing was stored; to delete them, send “Prefer: resolution=replace-all; allow-deletions”.',
    large: 'The body must not be larger than 1 KiB.',
    prefer: '“handling” cannot be “lenien”; did you mean “lenient”?',
    semicolon:
      '“resolution=merge-duplicates; handling=check” is not understood as preferences of an import, so nothing was stored; did you mean “resolution=merge-duplicates, handling=check”?',
    half: '“check” is not understood as preferences of an import, so nothing was stored; did you mean “handling=check”?',
    single:
      'A single item cannot be checked without storing it. For “Prefer: handling=check”, send it in a JSON array.',
    type: 'The body cannot be of type “text/plain”; set “Content-Type” to one of: application/json, text/csv, application/x-ndjson, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.',
    charset: 'The body cannot be in “utf-32”; send UTF-8.',
    key: 'The key in “Idempotency-Key” was sent before, with another request. Repeat a key only with the same content, for the same list.',
  },
  {
    tag: 'es',
    cars: '/api/coches',
    oils: '/api/coches/a/aceites',
    header: 'identificador;marca;modelo;anio',
    oil: 'tipo;otros_datos',
    counts: ['creados', 'actualizados', 'sin_cambios', 'omitidos', 'eliminados', 'rechazados', 'vaciados'],
    told: ['detalle', 'errores', 'motivos', 'cantidad'],
    dry: 'simulacro',
    error: ['fila', 'columna', 'codigo', 'detalle', 'sugerencia', 'valor'],
    year: ['anio', '«anio» debe ser un número entero entre 1886 y 2100.'],
    model: ['modelo', '«modelo» es obligatorio.'],
    exists: ['identificador', 'Ya existe el coche «a».'],
    rejected: {
      title: 'Filas rechazadas',
      one: '1 fila tiene errores, por lo que no se ha guardado nada.',
      many: '3 filas tienen errores, por lo que no se ha guardado nada.',
      cut: '101 filas tienen errores, por lo que no se ha guardado nada. Se enumeran los 100 primeros errores.',
    },
    left: '3 filas tienen errores y no se han guardado.',
    checked: '3 filas tienen errores: sin «handling=lenient» no se guardaría nada.',
    deletions:
      'Al archivo le faltan 4 de 5 elementos, más del 20 %. No se ha guardado nada; para eliminarlos, envíe «Prefer: resolution=replace-all; allow-deletions».',
    large: 'El cuerpo no puede ocupar más de 1 KiB.',
    prefer: '«handling» no puede ser «lenien»; ¿quería decir «lenient»?',
    semicolon:
      '«resolution=merge-duplicates; handling=check» no se entiende como preferencias de una importación, por lo que no se ha guardado nada; ¿quería decir «resolution=merge-duplicates, handling=check»?',
    half: '«check» no se entiende como preferencias de una importación, por lo que no se ha guardado nada; ¿quería decir «handling=check»?',
    single:
      'Un solo elemento no se puede comprobar sin guardarlo. Para «Prefer: handling=check», envíelo en un array JSON.',
    type: 'El cuerpo no puede ser de tipo «text/plain»; indique en «Content-Type» uno de estos: application/json, text/csv, application/x-ndjson, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.',
    charset: 'El cuerpo no puede estar en «utf-32»; envíe UTF-8.',
    key: 'La clave de «Idempotency-Key» ya se envió con otra petición. Repita una clave solo con el mismo contenido y para la misma lista.',
  },
] as const;

describe.each(sharedOut(trees, 0, trees.length))('a file in $tag', (tree) => {
  const { tag, cars, oils, header, oil, counts, told, error, year, model, exists } = tree;
  const [delimiter = ''] = /[;,]/.exec(header) ?? [];
  const table = (...rows: readonly string[]) =>
    [header, ...rows.map((row) => row.replaceAll(',', delimiter))].join('\n');
  const report = (...numbers: readonly number[]) =>
    Object.fromEntries(counts.map((word, at) => [word, numbers[at] ?? 0]));
  const errorOf = (row: number, [column, detail]: readonly [string, string], code: string, value?: string) => ({
    [error[0]]: row,
    [error[1]]: column,
    [error[2]]: code,
    [error[3]]: detail,
    ...(value === undefined ? {} : { [error[5]]: value }),
  });
  const faulty = table('b,Seat,Leon,1999', 'c,Seat,Leon,never', 'd,Seat,,2000', 'a,Seat,Ibiza,2008');
  const faults = [
    errorOf(3, year, 'invalid-value', 'never'),
    errorOf(4, model, 'missing-field'),
    errorOf(5, exists, 'already-exists', 'a'),
  ];
  const reasons = faults.map((fault) => ({ [told[3]]: 1, ...fault }));
  const resolution = (value: string) => ({ prefer: `resolution=${value}` });

  test('is stored, and its report is in the words of the tree', async () => {
    const { status, json, headers } = await post(cars, table('b,Seat,León,2009', ',Citroën,C4,'));
    expect([status, json]).toEqual([200, report(2, 0, 0, 0, 0, 0)]);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('content-language')).toBe(tag);
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.get('preference-applied')).toBeNull();
    expect(headers.get('location')).toBeNull();
    expect(await carsIn()).toEqual([
      ibiza,
      { identifier: 'b', brand: 'Seat', model: 'León', year: 2009 },
      { identifier: expect.stringMatching(/^[0-9a-f-]{36}$/), brand: 'Citroën', model: 'C4' },
    ]);
  });

  test('of NDJSON, and an array, are stored alike', async () => {
    const [key = '', brand = '', name = ''] = header.split(delimiter);
    const lines = ['x', 'y'].map((id) => JSON.stringify({ [key]: id, [brand]: 'Seat', [name]: 'Toledo' }));
    const first = await post(cars, `${lines.join('\n')}\n`, { 'content-type': `${NDJSON}; charset=utf-8` });
    expect([first.status, first.json]).toEqual([200, report(2, 0, 0, 0, 0, 0)]);
    const again = await post(cars, `[${lines.join()}]`, {
      'content-type': 'application/json',
      ...resolution('merge-duplicates'),
    });
    expect([again.status, again.json]).toEqual([200, report(0, 0, 2, 0, 0, 0)]);
    expect(again.headers.get('preference-applied')).toBe('resolution=merge-duplicates');
    expect((await post(cars, '[]', { 'content-type': 'application/json' })).json).toEqual(report(0, 0, 0, 0, 0, 0));
  });

  test('of oils belongs to its car', async () => {
    const { status, json } = await post(oils, `${oil}\n10W/40${delimiter}Elf`);
    expect([status, json]).toEqual([200, report(1, 0, 0, 0, 0, 0)]);
    expect(await carsIn('/api/cars/a/oils')).toEqual([{ type: '10W/40', otherInfo: 'Elf' }]);
    const nobody = await post(oils.replace('/a/', '/nobody/'), `${oil}\n10W/40${delimiter}Elf`);
    expect([nobody.status, nobody.json.code]).toEqual([404, 'not-found']);
  });

  test('with errors is not stored, and each is listed', async () => {
    const { status, json } = await post(cars, faulty);
    expect([status, json.code, json.title]).toEqual([422, 'rejected-rows', tree.rejected.title]);
    expect([json.detail, json.errors]).toEqual([tree.rejected.many, undefined]);
    expect(json.report).toEqual({
      ...report(1, 0, 0, 0, 0, 3),
      [told[0]]: tree.rejected.many,
      [told[2]]: reasons,
      [told[1]]: faults,
    });
    expect(await carsIn()).toEqual([ibiza]);
    const one = await post(cars, table('b,Seat,Leon,never'));
    expect([one.json.code, one.json.detail]).toEqual(['rejected-rows', tree.rejected.one]);
    const never = Array.from({ length: 101 }, (_, at) => `n${at},Seat,Leon,never`);
    expect((await post(cars, table(...never))).json.detail).toBe(tree.rejected.cut);
  });

  test('with errors is stored without them where that is preferred', async () => {
    const { status, json, headers } = await post(cars, faulty, { prefer: 'handling=lenient' });
    expect([status, json]).toEqual([
      200,
      { ...report(1, 0, 0, 0, 0, 3), [told[0]]: tree.left, [told[2]]: reasons, [told[1]]: faults },
    ]);
    expect(headers.get('preference-applied')).toBe('handling=lenient');
    expect(await carsIn()).toEqual([ibiza, { identifier: 'b', brand: 'Seat', model: 'Leon', year: 1999 }]);
  });

  test('is only checked where that is preferred', async () => {
    const { status, json, headers } = await post(cars, faulty, {
      prefer: 'handling=check, resolution=merge-duplicates',
    });
    expect([status, json]).toEqual([
      200,
      {
        [tree.dry]: true,
        ...report(1, 0, 1, 0, 0, 2),
        [told[0]]: tree.checked.replace('3', '2'),
        [told[2]]: reasons.slice(0, 2),
        [told[1]]: faults.slice(0, 2),
      },
    ]);
    expect(headers.get('preference-applied')).toBe('handling=check, resolution=merge-duplicates');
    expect(await carsIn()).toEqual([ibiza]);
  });

  test.each(['handling=check', 'check', 'resolution=merge-duplicates; handling=check'])(
    'of a single item is not stored where %j is preferred',
    async (prefer) => {
      const one = JSON.stringify({ identifier: 'z', brand: 'Seat', model: 'Ibiza' });
      const { status, json } = await post(cars, one, { 'content-type': 'application/json', prefer });
      expect([status, json.code, json.detail]).toEqual([400, 'invalid-header', tree.single]);
      expect(await carsIn()).toEqual([ibiza]);
    },
  );

  test('may meet existing items', async () => {
    const file = table('a,Seat,Ibiza,2010', 'b,Seat,Leon,');
    const skipping = await post(cars, file, resolution('ignore-duplicates'));
    expect([skipping.status, skipping.json]).toEqual([200, report(1, 0, 0, 1, 0, 0)]);
    expect((await carsIn())[0]).toEqual(ibiza);
    const merging = await post(cars, file, resolution('merge-duplicates'));
    expect([merging.status, merging.json]).toEqual([200, report(0, 1, 1, 0, 0, 0)]);
    expect((await carsIn())[0]).toEqual({ ...ibiza, year: 2010 });
  });

  test('replaces all, but for more than a part that nobody allows to delete', async () => {
    await post(cars, table('b,Seat,B,', 'c,Seat,C,', 'd,Seat,D,', 'e,Seat,E,'));
    const before = await carsIn();
    const refused = await post(cars, table('a,Seat,Ibiza,2008'), resolution('replace-all'));
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([422, 'rejected-rows', tree.deletions]);
    expect([refused.json.errors, refused.json.report]).toEqual([undefined, report(0, 0, 1, 0, 4, 0)]);
    expect(await carsIn()).toEqual(before);
    const few = await post(
      cars,
      table('a,Seat,Ibiza,2008', 'b,Seat,B,1999', 'c,Seat,C,', 'd,Seat,D,'),
      resolution('replace-all'),
    );
    expect([few.status, few.json]).toEqual([200, report(0, 1, 3, 0, 1, 0)]);
    const all = await post(cars, table(), resolution('replace-all; allow-deletions'));
    expect([all.status, all.json]).toEqual([200, report(0, 0, 0, 0, 4, 0)]);
    expect(all.headers.get('preference-applied')).toBe('resolution=replace-all; allow-deletions');
    expect(await carsIn()).toEqual([]);
  });

  test('that is sent again with its key is not imported again, and another one is refused', async () => {
    const key = { 'idempotency-key': `"file ${tag}"`, prefer: 'handling=lenient' };
    const first = await post(cars, faulty, key);
    expect(first.json).toMatchObject(report(1, 0, 0, 0, 0, 3));
    await app.send('DELETE', '/api/cars/b');
    const again = await post(cars, faulty, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    const replayed = [first, again].map(({ headers }) => headers.get('idempotency-replayed'));
    expect(replayed).toEqual([null, 'true']);
    expect(await carsIn()).toEqual([ibiza]);
    for (const other of [
      await post(cars, `${faulty}\n`, key),
      await post(cars, faulty, { ...key, prefer: 'handling=lenient, resolution=merge-duplicates' }),
    ]) {
      expect([other.status, other.json.code, other.json.detail]).toEqual([422, 'idempotency-mismatch', tree.key]);
    }
    const array = await post(cars, '[]', { ...key, 'content-type': 'application/json' });
    expect([array.status, array.json.code]).toEqual([422, 'idempotency-mismatch']);
  });

  test.each([
    ['another type', 415, { 'content-type': 'text/plain' }, tree.type],
    ['another encoding', 415, { 'content-type': 'text/csv; charset=utf-32' }, tree.charset],
    ['a misspelt preference', 400, { prefer: 'handling=lenien' }, tree.prefer],
    ['a preference behind a semicolon', 400, { prefer: 'resolution=merge-duplicates; handling=check' }, tree.semicolon],
    ['half a preference', 400, { prefer: 'check' }, tree.half],
  ])('of %s is refused with %d', async (_, status, headers, detail) => {
    const refused = await post(cars, table('b,Seat,Leon,'), headers);
    expect([refused.status, refused.json.detail]).toEqual([status, detail]);
    expect(await carsIn()).toEqual([ibiza]);
  });
});

test('the errors are the first hundred, and the detail counts the rows', async () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `${at},Seat,Ibiza,never`);
  const { json } = await post('/api/cars', ['identifier,brand,model,year', ...rows].join('\n'));
  expect([json.report.errors.length, json.report.errors[99].row]).toEqual([100, 101]);
  expect(json.detail).toMatch(/^1000 rows /);
});

test('a file may have the names that all languages share, in any tree', async () => {
  const { status, json } = await post('/api/coches', 'identifier,brand,model,enginePower\nz,Seat,Ibiza,105');
  expect([status, json.creados]).toEqual([200, 1]);
  expect((await carsIn()).at(-1)).toEqual({ identifier: 'z', brand: 'Seat', model: 'Ibiza', enginePower: 105 });
});

test('a column of the header is pointed at as RFC 6901 says', async () => {
  const { json } = await post('/api/coches', 'a/b,c~d\n1,2');
  expect(json.errors).toMatchObject([{ pointer: '/a~1b' }, { pointer: '/c~0d' }]);
});
