/** Twelve files as ERPs write them each night, none of which needs a script in between; the second night writes what differs. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { bookOf, type CarCells, csvOf, realCars } from '../../support/feeds.ts';

const app = useFreshApp();
const MANY = 60;
const cars = realCars(MANY);
const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const trees = [
  {
    list: '/api/cars',
    plain: ['identifier', 'brand', 'model', 'year', 'version', 'fuel'],
    dressed: ['LICENSE PLATE', 'Make', 'MODEL:', 'Model Year', 'Versión', 'FUEL TYPE'],
    counts: ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected', 'cleared'],
    repeated: { word: 'repeated', row: 'row', key: 'key', used: 'usedRow' },
    warnings: {
      warnings: [
        {
          column: 'identifier',
          detail:
            '“identifier” seems to be damaged in 1 of 60 rows: a spreadsheet program has made rounded numbers or dates of keys, which are other keys then. Compare the file with its source, and edit XLSX, not CSV.',
          rows: [{ row: 2, value: '8,43700123456789E+018' }],
        },
      ],
    },
    misnamed: `The content was read as CSV, but it begins like XLSX: send it as “Content-Type: ${XLSX}” (the command takes “--format xlsx”).`,
    errors: {
      detail: '60 rows have errors and were not stored.',
      reasons: [
        {
          count: 58,
          column: 'year',
          code: 'invalid-value',
          detail: '“year” is a date, whose year is 1997: “date-as-year” takes that.',
          row: 2,
          value: '01/01/1997',
        },
        {
          count: 1,
          column: 'year',
          code: 'invalid-value',
          detail: '“year” must be a whole number from 1886 to 2100.',
          row: 60,
          value: 'MMVIII',
        },
        { count: 1, column: 'model', code: 'missing-field', detail: '“model” is required.', row: 61 },
      ],
    },
  },
  {
    list: '/api/coches',
    plain: ['identificador', 'marca', 'modelo', 'anio', 'version', 'fuel'],
    dressed: ['MATRÍCULA', 'Fabricante', 'MODELO:', 'Año', 'Versión', 'COMBUSTIBLE'],
    counts: ['creados', 'actualizados', 'sin_cambios', 'omitidos', 'eliminados', 'rechazados', 'vaciados'],
    repeated: { word: 'repetidos', row: 'fila', key: 'clave', used: 'fila_usada' },
    warnings: {
      advertencias: [
        {
          columna: 'identificador',
          detalle:
            'La clave «identificador» parece dañada en 1 de 60 filas: una hoja de cálculo ha convertido claves en números redondeados o fechas, que son otras claves. Compare el archivo con su origen y edite XLSX, no CSV.',
          filas: [{ fila: 2, valor: '8,43700123456789E+018' }],
        },
      ],
    },
    misnamed: `El contenido se ha leído como CSV, pero empieza como XLSX: envíelo con «Content-Type: ${XLSX}» (para el comando, «--format xlsx»).`,
    errors: {
      detalle: '60 filas tienen errores y no se han guardado.',
      motivos: [
        {
          cantidad: 58,
          columna: 'anio',
          codigo: 'invalid-value',
          detalle: '«anio» es una fecha, cuyo año es 1997: «date-as-year» toma ese año.',
          fila: 2,
          valor: '01/01/1997',
        },
        {
          cantidad: 1,
          columna: 'anio',
          codigo: 'invalid-value',
          detalle: '«anio» debe ser un número entero entre 1886 y 2100.',
          fila: 60,
          valor: 'MMVIII',
        },
        { cantidad: 1, columna: 'modelo', codigo: 'missing-field', detalle: '«modelo» es obligatorio.', fila: 61 },
      ],
    },
  },
] as const;
type Tree = (typeof trees)[number];

/** How a file is dressed up, and what is preferred for it. */
interface Dress {
  readonly prefer: string;
  readonly type?: string;
  readonly file: (tree: Tree, rows: readonly CarCells[]) => string | Buffer | Promise<Buffer>;
}
const inserted = (rows: readonly CarCells[], ...more: readonly CarCells[]): readonly CarCells[] => [...more, ...rows];

const dresses: Readonly<Record<string, Dress>> = {
  'an ERP header': { prefer: '', file: ({ dressed }, rows) => csvOf([dressed, ...rows]) },
  'columns that are no field, named beside the file': {
    prefer: 'columns="Kürzel=identifier; P.V.P.=", ignore-unknown-columns',
    file: ({ dressed }, rows) =>
      csvOf([['KÜRZEL', ...dressed.slice(1), 'P.V.P.', 'Tienda'], ...rows.map((row) => [...row, '9.990,00', '3'])]),
  },
  'Windows-1252': {
    prefer: '',
    type: 'text/csv; charset=windows-1252',
    file: ({ dressed }, rows) => Buffer.from(csvOf([dressed, ...rows]), 'latin1'),
  },
  'every cell in quotation marks, and an empty column': {
    prefer: '',
    file: ({ plain }, rows) =>
      `sep=;\r\n${csvOf([[...plain, ''], ...rows.map((row) => [...row, '']), ['', '']], true)}`,
  },
  'rows of totals': {
    prefer: 'skip-rows="MODEL=; brand=total"',
    file: ({ plain }, rows) =>
      csvOf([plain, ...rows, [';;;'], ['', 'Subtotal', '', '60', '', ''], ['', 'TOTAL ', 'x', '60', '', '']]),
  },
  'a title above': {
    prefer: 'header-row=4',
    file: ({ plain }, rows) => csvOf([['Listado de vehículos'], ['(1/1/2026)'], ['', ''], plain, ...rows]),
  },
  'a second sheet': { prefer: 'sheet=Datos', type: XLSX, file: ({ plain }, rows) => bookOf([plain, ...rows], 'Datos') },
  'dates as years': {
    prefer: 'date-as-year',
    file: ({ plain }, rows) => csvOf([plain, ...rows.map((row) => row.with(3, `31/12/${row[3]}`))]),
  },
};

describe.each(trees)('a file for $list', (tree) => {
  const report = (...numbers: readonly number[]) =>
    Object.fromEntries(tree.counts.map((word, at) => [word, numbers[at] ?? 0]));
  const post = async (body: string | Buffer, prefer: string, type = CSV) => {
    const headers = { 'content-type': type, prefer: Buffer.from(prefer).toString('latin1') };
    const bytes = new Uint8Array(Buffer.from(body));
    const response = await app.request(tree.list, { method: 'POST', body: bytes, headers });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const change = async () => (await app.send('GET', '/api/cars?number_of_elements=1')).headers.get('x-change');

  test.each(Object.keys(dresses))('with %s is stored, and the next night what differs', async (name) => {
    const { file, prefer, type } = dresses[name] ?? ({} as Dress);
    const send = async (rows: readonly CarCells[]) =>
      post(await file(tree, rows), ['resolution=merge-duplicates', prefer].filter(Boolean).join(', '), type);
    expect(await send(cars)).toEqual({ status: 200, json: report(MANY) });
    const stored = (await app.send('GET', '/api/cars')).json;
    expect(
      stored.map(({ identifier, brand, model, year }: Record<string, unknown>) => [
        identifier,
        brand,
        model,
        `${year}`,
      ]),
    ).toEqual(cars.map((cells) => cells.slice(0, 4)));
    const next = cars.map((cells, at) => (at < 2 ? cells.with(4, 'Citroën ñ') : cells));
    expect(await send(next)).toEqual({ status: 200, json: report(0, 2, MANY - 2) });
    const before = await change();
    expect(await send(next)).toEqual({ status: 200, json: report(0, 0, MANY) });
    expect(await change()).toBe(before);
  });

  test('with a repeated key says which row counts', async () => {
    const [first = []] = cars;
    const { word, row, key, used } = tree.repeated;
    const { json } = await post(
      csvOf([tree.plain, ...inserted(cars, first.with(4, 'old'))]),
      'resolution=merge-duplicates',
    );
    expect(json).toEqual({ ...report(MANY, 0, 0, 1), [word]: [{ [row]: 2, [key]: first[0], [used]: 3 }] });
  });

  test('with a damaged key is stored with a warning', async () => {
    const damaged = cars.map((cells, at) => (at === 0 ? cells.with(0, '8,43700123456789E+018') : cells));
    expect((await post(csvOf([tree.plain, ...damaged]), '')).json).toEqual({ ...report(MANY), ...tree.warnings });
  });

  test('with emptied cells clears them where that is preferred', async () => {
    const prefer = 'resolution=merge-duplicates, absent-cells=clear';
    await post(csvOf([tree.plain, ...cars]), prefer);
    const emptied = cars.map((cells, at) => (at < 3 ? cells.with(4, '') : cells));
    expect((await post(csvOf([tree.plain, ...emptied]), prefer)).json).toEqual(report(0, 3, MANY - 3, 0, 0, 0, 3));
  });

  test('of the wrong type is told so', async () => {
    const { status, json } = await post(await bookOf([tree.plain, ...cars], 'Datos'), '');
    expect([status, json.detail]).toEqual([400, tree.misnamed]);
  });

  test('with real errors among many of one kind says each, up to a limit', async () => {
    const faulty = cars.map((cells, at) => {
      if (at === MANY - 1) return cells.with(2, '');
      return cells.with(3, at === MANY - 2 ? 'MMVIII' : '01/01/1997');
    });
    const file = csvOf([tree.plain, ...faulty, ['good', 'Seat', 'Ibiza', '2008', '', '']]);
    const limited = await post(file, 'handling=lenient; max-rejected=59');
    expect([limited.status, limited.json.code, await change()]).toEqual([422, 'rejected-rows', await change()]);
    expect((await app.send('GET', '/api/cars')).json).toEqual([]);
    const { status, json } = await post(file, 'handling=lenient; max-rejected=60');
    const { errors, errores = errors, ...rest } = json;
    expect([status, rest]).toEqual([200, { ...report(1, 0, 0, 0, 0, 60), ...tree.errors }]);
    expect(errores).toHaveLength(60);
  });

  test.each(['x=TOTAL', 'brandx='])('with skip-rows="%s" is refused, as it has no such column', async (pair) => {
    const { status, json } = await post(csvOf([tree.plain, ...cars]), `skip-rows="${pair}"`);
    expect([status, json.code]).toEqual([400, 'malformed-file']);
  });
});
