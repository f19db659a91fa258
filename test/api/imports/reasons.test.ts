/** Three errors among ten thousand of one kind: a report says first what is wrong, how often, and where. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const app = useApp();
const MANY = 10_000;

const trees = [
  {
    list: '/api/cars',
    header: 'identifier,brand,model,year,doors',
    words: ['reasons', 'count', 'column', 'code', 'detail', 'row', 'value', 'errors', 'rejected'],
    year: ['year', 'invalid-value', '“year” must be a whole number from 1886 to 2100.'],
    doors: ['doors', 'invalid-value', '“doors” must be a whole number from 0 to 20.'],
    model: ['model', 'missing-field', '“model” is required.'],
  },
  {
    list: '/api/coches',
    header: 'identificador,marca,modelo,anio,puertas',
    words: ['motivos', 'cantidad', 'columna', 'codigo', 'detalle', 'fila', 'valor', 'errores', 'rechazados'],
    year: ['anio', 'invalid-value', '«anio» debe ser un número entero entre 1886 y 2100.'],
    doors: ['puertas', 'invalid-value', '«puertas» debe ser un número entero entre 0 y 20.'],
    model: ['modelo', 'missing-field', '«modelo» es obligatorio.'],
  },
] as const;

const types = ['text/csv', 'application/x-ndjson', 'application/json'] as const;
/** Rows with a key are kept apart, as their items must not be deleted. */
const cases = trees.flatMap((tree) =>
  types.flatMap((type) => [true, false].map((isKeyed) => ({ ...tree, type, isKeyed }))),
);

test.each(cases)('$list, $type, with keys: $isKeyed', async ({ list, header, words, type, isKeyed, ...said }) => {
  const columns = header.split(',');
  const faulty = (at: number): readonly string[] => [isKeyed ? `k${at}` : '', 'Seat', 'Ibiza', 'never', ''];
  const rows = [
    ...Array.from({ length: MANY }, (_, at) => faulty(at)),
    ['', 'Seat', 'Ibiza', '2008', 'x'],
    ['', 'Seat', '', '2008', '5'],
    ['last', 'Seat', 'Ibiza', '1', '99'],
  ];
  const itemOf = (row: readonly string[]) =>
    Object.fromEntries(
      row.flatMap((cell, at) => (cell === '' ? [] : [[columns[at], /^\d+$/.test(cell) ? Number(cell) : cell]])),
    );
  const body = {
    'text/csv': () => [columns, ...rows].map((row) => row.join()).join('\n'),
    'application/x-ndjson': () => rows.map((row) => JSON.stringify(itemOf(row))).join('\n'),
    'application/json': () => JSON.stringify(rows.map(itemOf)),
  }[type]();
  const { json } = await app.send('POST', list, body, {
    'content-type': type,
    prefer: 'handling=check, resolution=merge-duplicates',
  });
  const isTable = type === 'text/csv';
  const [first, never] = isTable ? [2, 'never'] : [1, '"never"'];
  const [reasons, count, column, code, detail, row, value, errors, rejected] = words;
  const reason = (many: number, [word, why, text]: readonly [string, string, string], at: number, sent?: string) => ({
    ...{ [count]: many, [column]: word, [code]: why, [detail]: text, [row]: at },
    ...(sent === undefined ? {} : { [value]: sent }),
  });
  expect(json[rejected]).toBe(MANY + 3);
  expect(json[reasons]).toEqual([
    reason(MANY + 1, said.year, first, never),
    // Of JSON, the first error of a row counts once there are many.
    reason(isTable ? 2 : 1, said.doors, first + MANY, isTable ? 'x' : '"x"'),
    reason(1, said.model, first + MANY + 1),
  ]);
  const listed = json[errors].map((error: Record<string, unknown>) => `${error[row]} ${error[column]}`);
  const rest = [`${first + MANY} ${said.doors[0]}`, `${first + MANY + 1} ${said.model[0]}`];
  if (isTable) rest.push(`${first + MANY + 2} ${said.doors[0]}`);
  const many = Array.from({ length: 100 - rest.length }, (_, at) => `${first + at} ${said.year[0]}`);
  expect(listed).toEqual([...many, ...rest]);
});
