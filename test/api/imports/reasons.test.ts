/** A report says first what is wrong, how often, and where: of a few errors among very many of one kind, too. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { itemIn, reportIn, reportWord, uploader } from '../../support/app/reports.ts';
import { en, es } from '../../support/app/trees.ts';

const app = useApp();

const trees = [
  {
    tree: en,
    year: '“year” must be a whole number from 1886 to 2100.',
    doors: '“doors” must be a whole number from 0 to 20.',
    brand: '“brand” is required.',
    model: '“model” is required.',
    identifier: '“identifier” is required.',
  },
  {
    tree: es,
    year: '«anio» debe ser un número entero entre 1886 y 2100.',
    doors: '«puertas» debe ser un número entero entre 0 y 20.',
    brand: '«marca» es obligatorio.',
    model: '«modelo» es obligatorio.',
    identifier: '«identificador» es obligatorio.',
  },
] as const;

const MANY = 10_000;
const columns = ['identifier', 'brand', 'model', 'year', 'doors'] as const;
const types = ['text/csv', 'application/x-ndjson', 'application/json'] as const;
/** Rows with a key are kept apart, as their items must not be deleted. */
const cases = trees.flatMap((said) =>
  types.flatMap((type) => [true, false].map((isKeyed) => ({ ...said, list: said.tree.cars, type, isKeyed }))),
);

test.each(cases)('$list, $type, with keys: $isKeyed', async ({ tree, type, isKeyed, ...said }) => {
  const rows = [
    ...Array.from({ length: MANY }, (_, at) => [isKeyed ? `k${at}` : '', 'Seat', 'Ibiza', 'never', '']),
    ['', 'Seat', 'Ibiza', '2008', 'x'],
    ['', 'Seat', '', '2008', '5'],
    ['last', 'Seat', 'Ibiza', '1', '99'],
  ];
  const objects = rows.map((row) => {
    const cells = row.map((cell, at) => [columns[at], /^\d+$/.test(cell) ? Number(cell) : cell]);
    return itemIn(tree, Object.fromEntries(cells.filter(([, cell]) => cell !== '')));
  });
  const body = {
    'text/csv': () => [columns.map((name) => tree[name]), ...rows].map((row) => row.join()).join('\n'),
    'application/x-ndjson': () => objects.map((item) => JSON.stringify(item)).join('\n'),
    'application/json': () => JSON.stringify(objects),
  }[type]();
  const { json } = await uploader(app.send, tree.cars)(body, 'handling=check, resolution=merge-duplicates', type);
  const isTable = type === 'text/csv';
  const [first, never, x] = isTable ? [2, 'never', 'x'] : [1, '"never"', '"x"'];
  const code = 'invalid-value';
  expect(json).toMatchObject(
    reportIn(tree, {
      rejected: MANY + 3,
      reasons: [
        { count: MANY + 1, column: 'year', code, detail: said.year, row: first, value: never },
        // Of JSON, the first error of a row counts once there are many.
        { count: isTable ? 2 : 1, column: 'doors', code, detail: said.doors, row: first + MANY, value: x },
        { count: 1, column: 'model', code: 'missing-field', detail: said.model, row: first + MANY + 1 },
      ],
    }),
  );
  const [errors, row, column] = ['errors', 'row', 'column'].map((name) => reportWord(tree, name)) as [
    string,
    ...string[],
  ];
  const listed = json[errors].map((error: Record<string, unknown>) => `${error[row ?? '']} ${error[column ?? '']}`);
  const rest = [`${first + MANY} ${tree.doors}`, `${first + MANY + 1} ${tree.model}`];
  if (isTable) rest.push(`${first + MANY + 2} ${tree.doors}`);
  const many = Array.from({ length: 100 - rest.length }, (_, at) => `${first + at} ${tree.year}`);
  expect(listed).toEqual([...many, ...rest]);
});
