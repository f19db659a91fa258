/** Very many rows that have no key and lack what a new item needs: each counts, by what is missing. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const app = useApp();
const MANY = 1_000;

const trees = [
  {
    list: '/api/cars',
    words: ['brand', 'model'],
    report: ['rejected', 'created', 'reasons', 'errors'],
    reason: ['count', 'column', 'code', 'detail', 'row'],
    brand: '“brand” is required.',
    model: '“model” is required.',
    key: ['identifier', '“identifier” is required.'],
  },
  {
    list: '/api/coches',
    words: ['marca', 'modelo'],
    report: ['rechazados', 'creados', 'motivos', 'errores'],
    reason: ['cantidad', 'columna', 'codigo', 'detalle', 'fila'],
    brand: '«marca» es obligatorio.',
    model: '«modelo» es obligatorio.',
    key: ['identificador', '«identificador» es obligatorio.'],
  },
] as const;

const types = ['application/x-ndjson', 'application/json'] as const;
const cases = trees.flatMap((tree) => types.map((type) => ({ ...tree, type })));

test.each(cases)('$list, $type', async ({ list, type, words, report, reason, brand, model, key }) => {
  const [brandWord, modelWord] = words;
  const rows = [
    ...Array.from({ length: MANY }, () => ({})),
    ...Array.from({ length: MANY }, () => ({ [brandWord]: 'Seat' })),
    { [key[0]]: 'new', [brandWord]: 'Seat', [modelWord]: 'Ibiza' },
  ];
  const body = type === 'application/json' ? JSON.stringify(rows) : rows.map((row) => JSON.stringify(row)).join('\n');
  const check = async (prefer: string) => {
    const headers = { 'content-type': type, prefer: `handling=check, ${prefer}` };
    const { json } = await app.send('POST', list, body, headers);
    const [rejected, created, reasons, errors] = report;
    return [json[rejected], json[created], json[reasons], json[errors].length];
  };
  const said = (...values: readonly unknown[]) => Object.fromEntries(values.map((value, at) => [reason[at], value]));

  expect(await check('resolution=ignore-duplicates')).toEqual([
    2 * MANY,
    1,
    [said(MANY, brandWord, 'missing-field', brand, 1), said(2 * MANY, modelWord, 'missing-field', model, 1)],
    100,
  ]);
  expect(await check('missing-keys=reject')).toEqual([
    2 * MANY + 1,
    0,
    [said(2 * MANY, key[0], 'missing-field', key[1], 1), expect.objectContaining(said(1, key[0], 'not-found'))],
    100,
  ]);
});
