/** Twelve files as ERPs write them each night, none of which needs a script in between; the second night writes what differs. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { counted, uploader } from '../../support/app/reports.ts';
import { en, es } from '../../support/app/trees.ts';
import { bookOf, type CarCells, csvOf, realCars } from '../../support/feeds.ts';

const app = useFreshApp();
const MANY = 60;
const cars = realCars(MANY);
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const trees = [
  {
    ...{ tree: en, list: en.cars },
    plain: ['identifier', 'brand', 'model', 'year', 'version', 'fuel'],
    dressed: ['LICENSE PLATE', 'Make', 'MODEL:', 'Model Year', 'Versión', 'FUEL TYPE'],
    left: '60 rows have errors and were not stored.',
    date: '“year” is a date, whose year is 1997: “date-as-year” takes that.',
    year: '“year” must be a whole number from 1886 to 2100.',
    model: '“model” is required.',
  },
  {
    ...{ tree: es, list: es.cars },
    plain: ['identificador', 'marca', 'modelo', 'anio', 'version', 'fuel'],
    dressed: ['MATRÍCULA', 'Fabricante', 'MODELO:', 'Año', 'Versión', 'COMBUSTIBLE'],
    left: '60 filas tienen errores y no se han guardado.',
    date: '«anio» es una fecha, cuyo año es 1997: «date-as-year» toma ese año.',
    year: '«anio» debe ser un número entero entre 1886 y 2100.',
    model: '«modelo» es obligatorio.',
  },
] as const;
type Tree = (typeof trees)[number];

/** How a file is dressed up, and what is preferred for it. */
interface Dress {
  readonly prefer: string;
  readonly type?: string;
  readonly file: (tree: Tree, rows: readonly CarCells[]) => string | Buffer | Promise<Buffer>;
}
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
  const report = (counts: object) => counted(tree.tree, counts);
  const post = uploader(app.send, tree.list);
  const change = async () => (await app.send('GET', '/api/cars?number_of_elements=1')).headers.get('x-change');

  test.each(Object.keys(dresses))('with %s is stored, and the next night what differs', async (name) => {
    const { file, prefer, type } = dresses[name] ?? ({} as Dress);
    const send = async (rows: readonly CarCells[]) => {
      const preferences = ['resolution=merge-duplicates', prefer].filter(Boolean).join(', ');
      return (await post(await file(tree, rows), preferences, type)).json;
    };
    expect(await send(cars)).toEqual(report({ created: MANY }));
    const stored: readonly object[] = (await app.send('GET', '/api/cars?fields=brand,model,year')).json;
    expect(stored.map((car) => Object.values(car).map(String))).toEqual(cars.map((cells) => cells.slice(0, 4)));
    const next = cars.map((cells, at) => (at < 2 ? cells.with(4, 'Citroën ñ') : cells));
    expect(await send(next)).toEqual(report({ updated: 2, unchanged: MANY - 2 }));
    const before = await change();
    expect(await send(next)).toEqual(report({ unchanged: MANY }));
    expect(await change()).toBe(before);
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
    const date = { count: 58, column: 'year', code: 'invalid-value', detail: tree.date, row: 2, value: '01/01/1997' };
    const year = { ...date, count: 1, detail: tree.year, row: 60, value: 'MMVIII' };
    const model = { count: 1, column: 'model', code: 'missing-field', detail: tree.model, row: 61 };
    const counts = { created: 1, rejected: 60, detail: tree.left, reasons: [date, year, model] };
    expect([status, json]).toMatchObject([200, report({ ...counts, errors: { length: 60 } })]);
  });

  test.each(['x=TOTAL', 'brandx='])('with skip-rows="%s" is refused, as it has no such column', async (pair) => {
    const { status, json } = await post(csvOf([tree.plain, ...cars]), `skip-rows="${pair}"`);
    expect([status, json.code]).toEqual([400, 'malformed-file']);
  });
});
