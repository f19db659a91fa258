/** A report says first what is wrong, how often, and where: of a few errors among very many of one kind, too. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { inSpanish, itemIn, uploader } from '../../support/app/reports.ts';
import { es } from '../../support/app/trees.ts';

const app = useApp();

const YEAR = '«anio» debe ser un número entero entre 1886 y 2100.';
const DOORS = '«puertas» debe ser un número entero entre 0 y 20.';

const MANY = 2_000;
const columns = ['identifier', 'brand', 'model', 'year', 'doors'] as const;
const types = ['text/csv', 'application/x-ndjson', 'application/json'] as const;
/** Rows with a key are kept apart, as their items must not be deleted. */
const cases = types.flatMap((type) => [true, false].map((isKeyed) => ({ type, isKeyed })));

test.each(cases)('$type, with keys: $isKeyed', async ({ type, isKeyed }) => {
  const rows = [
    ...Array.from({ length: MANY }, (_, at) => [isKeyed ? `k${at}` : '', 'Seat', 'Ibiza', 'never', '']),
    ['', 'Seat', 'Ibiza', '2008', 'x'],
    ['', 'Seat', '', '2008', '5'],
    ['last', 'Seat', 'Ibiza', '1', '99'],
  ];
  const objects = rows.map((row) => {
    const cells = row.map((cell, at) => [columns[at], /^\d+$/.test(cell) ? Number(cell) : cell]);
    return itemIn(es, Object.fromEntries(cells.filter(([, cell]) => cell !== '')));
  });
  const body = {
    'text/csv': () => [columns.map((name) => es[name]), ...rows].map((row) => row.join()).join('\n'),
    'application/x-ndjson': () => objects.map((item) => JSON.stringify(item)).join('\n'),
    'application/json': () => JSON.stringify(objects),
  }[type]();
  const { json } = await uploader(app.send, '/api/coches')(body, 'handling=check, resolution=merge-duplicates', type);
  const isTable = type === 'text/csv';
  const [first, never, x] = isTable ? [2, 'never', 'x'] : [1, '"never"', '"x"'];
  const code = 'invalid-value';
  expect(json).toMatchObject(
    inSpanish({
      rejected: MANY + 3,
      reasons: [
        { count: MANY + 1, column: 'year', code, detail: YEAR, row: first, value: never },
        // Of JSON, the first error of a row counts once there are many.
        { count: isTable ? 2 : 1, column: 'doors', code, detail: DOORS, row: first + MANY, value: x },
        { count: 1, column: 'model', code: 'missing-field', detail: '«modelo» es obligatorio.', row: first + MANY + 1 },
      ],
    }),
  );
  const listed = json.errores.map(({ fila, columna }: Record<string, unknown>) => `${fila} ${columna}`);
  const rest = [`${first + MANY} puertas`, `${first + MANY + 1} modelo`];
  if (isTable) rest.push(`${first + MANY + 2} puertas`);
  const many = Array.from({ length: 100 - rest.length }, (_, at) => `${first + at} anio`);
  expect(listed).toEqual([...many, ...rest]);
});
