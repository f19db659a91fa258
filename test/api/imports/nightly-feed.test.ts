/** A file of an ERP, sent each night: what it says is what is stored, and what it does not say is told. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

const ibiza = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5, version: 'GT', clima: true };
const c4 = { identifier: 'b', brand: 'Citroën', model: 'C4', year: 2006 };
const app = useFreshApp({
  given: [
    ['/api/cars', ibiza],
    ['/api/cars', c4],
  ],
});

const trees = [
  {
    tag: 'en',
    list: '/api/cars',
    header: 'identifier,brand,model,year,version',
    counts: ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected', 'cleared'],
    repeated: ['repeated', 'row', 'key', 'usedRow'],
    dry: 'dryRun',
    errors: 'errors',
    missing: { row: 2, column: 'brand', code: 'missing-field', detail: '“brand” is required.' },
    again: {
      row: 4,
      column: 'identifier',
      value: 'z',
      code: 'already-exists',
      detail: '“identifier” is “z”, which is already in row 2 of the file.',
    },
  },
  {
    tag: 'es',
    list: '/api/coches',
    header: 'identificador;marca;modelo;anio;version',
    counts: ['creados', 'actualizados', 'sin_cambios', 'omitidos', 'eliminados', 'rechazados', 'vaciados'],
    repeated: ['repetidos', 'fila', 'clave', 'fila_usada'],
    dry: 'simulacro',
    errors: 'errores',
    missing: { fila: 2, columna: 'marca', codigo: 'missing-field', detalle: '«marca» es obligatorio.' },
    again: {
      fila: 4,
      columna: 'identificador',
      valor: 'z',
      codigo: 'already-exists',
      detalle: '«identificador» es «z», que ya está en la fila 2 del archivo.',
    },
  },
] as const;

describe.each(trees)('a nightly file in $tag', (tree) => {
  const { list, header, counts } = tree;
  const table = (...rows: readonly string[]) =>
    [header, ...rows].join('\n').replaceAll(',', header.includes(';') ? ';' : ',');
  const report = (...numbers: readonly number[]) => Object.fromEntries(counts.map((word, at) => [word, numbers[at]]));
  const repeated = (...rows: readonly (readonly [row: number, key: string, used: number])[]) => ({
    [tree.repeated[0]]: rows.map((row) => Object.fromEntries(row.map((value, at) => [tree.repeated[at + 1], value]))),
  });
  const post = (body: string, prefer?: string, type = 'text/csv') =>
    app.send('POST', list, body, { 'content-type': type, ...(prefer === undefined ? {} : { prefer }) });
  const cars = async () => (await app.send('GET', '/api/cars')).json;

  describe('with empty cells', () => {
    const { year: _, version: __, ...cleared } = ibiza;
    const file = table('a,Seat,Ibiza,,', 'b,Citroën,C4,2006,');

    test.each([
      ['resolution=replace-all', report(0, 1, 1, 0, 0, 0, 2), cleared],
      ['resolution=merge-duplicates', report(0, 0, 2, 0, 0, 0, 0), ibiza],
      ['resolution=merge-duplicates, absent-cells=clear', report(0, 1, 1, 0, 0, 0, 2), cleared],
    ])('%s clears what the header has, or leaves it', async (prefer, said, first) => {
      const dry = await post(file, `${prefer}, handling=check`);
      expect([dry.status, dry.json]).toEqual([200, { [tree.dry]: true, ...said }]);
      expect(await cars()).toEqual([ibiza, c4]);
      const done = await post(file, prefer);
      expect([done.status, done.json, done.headers.get('preference-applied')]).toEqual([200, said, prefer]);
      expect(await cars()).toEqual([first, c4]);
    });

    test('a program that quotes every cell writes no empty text', async () => {
      const quoted = table('a,Seat,Ibiza,2008,', 'b,Citroën,C4,2006,')
        .replace(/^|$|[;,]/gm, '"$&"')
        .replace(/^""|""$/gm, '"');
      expect((await post(quoted, 'resolution=replace-all')).json).toEqual(report(0, 1, 1, 0, 0, 0, 1));
      const { version: ___, ...plain } = ibiza;
      expect(await cars()).toEqual([plain, c4]);
      expect((await post(table('b,Citroën,C4,2006,""'), 'resolution=merge-duplicates')).json).toEqual(
        report(0, 1, 0, 0, 0, 0, 0),
      );
      expect(await cars()).toEqual([plain, { ...c4, version: '' }]);
    });

    test('one that a car must have is the error of its row', async () => {
      const { status, json } = await post(table('a,,Ibiza,,', 'b,Citroën,C4,2006,'), 'resolution=replace-all');
      expect([status, json.code, json.report[tree.errors]]).toEqual([422, 'rejected-rows', [tree.missing]]);
      expect(await cars()).toEqual([ibiza, c4]);
    });
  });

  describe('that repeats a key', () => {
    const rows = ['a,Seat,Ibiza,1999,GT', 'z,Seat,Ateca,2016,', 'a,Seat,Ibiza,2008,GT', 'z,Seat,Ateca,2018,X'];

    test('is merged by the last valid row of each alone', async () => {
      const file = table(...rows, 'z,Seat,Ateca,never,');
      const { json } = await post(file, 'resolution=merge-duplicates, handling=lenient');
      expect(json).toMatchObject({ ...report(1, 0, 1, 2, 0, 1, 0), ...repeated([2, 'a', 4], [3, 'z', 5]) });
      const ateca = { identifier: 'z', brand: 'Seat', model: 'Ateca', year: 2018, version: 'X' };
      expect(await cars()).toEqual([ibiza, c4, ateca]);
    });

    test('and says what is stored already writes nothing', async () => {
      const before = (await app.send('GET', '/api/cars')).headers.get('x-change');
      const tagged = (await app.send('GET', '/api/cars')).headers.get('etag');
      const { json } = await post(table(rows[0] ?? '', rows[2] ?? ''), 'resolution=merge-duplicates');
      expect(json).toEqual({ ...report(0, 0, 1, 1, 0, 0, 0), ...repeated([2, 'a', 3]) });
      const after = await app.send('GET', '/api/cars');
      expect([after.headers.get('x-change'), after.headers.get('etag')]).toEqual([before, tagged]);
    });

    test('is told where the row before is, without a resolution', async () => {
      const { status, json } = await post(table(rows[1] ?? '', 'y,Seat,Leon,,', rows[3] ?? ''));
      expect([status, json.report[tree.errors]]).toEqual([422, [tree.again]]);
      expect(await cars()).toEqual([ibiza, c4]);
    });
  });
});
