/** Files whose rows all have other values, more than are counted in memory. */
import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

const app = useFreshApp();

const ROWS = 5_000;
const CSV = 'text/csv';

const fileOf = (brand: string, from = 0): string => {
  const rows = Array.from({ length: ROWS - from }, (_, at) => `c-${from + at},${brand} ${from + at},Ibiza,2008`);
  return `identifier,brand,model,year\n${rows.join('\n')}\n`;
};
const send = async (body: string, prefer: string) => {
  const { status, json } = await app.send('POST', '/api/cars', body, { 'content-type': CSV, prefer });
  const { created, updated, unchanged, deleted } = json;
  return [status, created, updated, unchanged, deleted];
};
const totals = (...queries: readonly string[]) =>
  Promise.all(
    queries.map(async (query) => {
      const { headers } = await app.send('HEAD', `/api/cars?number_of_elements=1${query}`);
      return Number(headers.get('x-total-count'));
    }),
  );

test('the totals of a file are right, however many values it has, as it is stored, changed and emptied', async () => {
  expect(await send(fileOf('Seat'), 'handling=check')).toEqual([200, ROWS, 0, 0, 0]);
  expect(await totals('')).toEqual([0]);
  expect(await send(fileOf('Seat'), 'handling=strict')).toEqual([200, ROWS, 0, 0, 0]);
  expect(await totals('', '&model=ibiza', '&year=2008', '&brand=seat+0', '&brand=seat+4999')).toEqual([
    ROWS,
    ROWS,
    ROWS,
    1,
    1,
  ]);
  const merge = 'resolution=merge-duplicates';
  expect(await send(fileOf('Seat') + fileOf('Škoda', 1).replace(/^.*\n/, ''), merge)).toEqual([200, 0, 4_999, 1, 0]);
  expect(await totals('', '&model=ibiza', '&brand=seat+0', '&brand=seat+1', '&brand=%C5%A0koda+1')).toEqual([
    ROWS,
    ROWS,
    1,
    0,
    1,
  ]);
  const replace = 'resolution=replace-all; allow-deletions';
  expect(await send(fileOf('Škoda', ROWS - 1), replace)).toEqual([200, 0, 0, 1, 4_999]);
  expect(await totals('', '&model=ibiza', '&brand=seat+0', '&brand=skoda+1', '&brand=skoda+4999')).toEqual([
    1, 1, 0, 0, 1,
  ]);
});
