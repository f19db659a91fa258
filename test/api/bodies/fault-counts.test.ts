/** Of many errors the first hundred are listed, and all are counted. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const LISTED = 100;

const app = useApp();

const letters = [...'bdfghjklmnqrstvwxzBDFGHJKLMNQRSTVWXZ0123456789_'];
/** 2,209 names that no language knows. */
const parameters = letters.flatMap((first) => letters.map((second) => first + second));

test('a body of twenty thousand unknown members', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `q${at}`);
  const unknown = Object.fromEntries(names.map((name) => [name, 0]));
  const { status, json } = await app.send('POST', '/api/coches', { marca: 'Seat', modelo: 'Ibiza', ...unknown });
  const detail = 'Hay 20\u{a0}000 errores en los datos del coche.';
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-body', detail]);
  expect(json.errors.map(({ pointer, code }: Record<string, string>) => `${code} ${pointer}`)).toEqual(
    names.slice(0, LISTED).map((name) => `unknown-field /${name}`),
  );
});

test('a query of two thousand unknown parameters', async () => {
  const { status, json } = await app.send('GET', `/api/cars?${parameters.join('&')}`);
  const detail = `The query contains ${parameters.length} errors.`;
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-query', detail]);
  expect(json.errors.map(({ parameter, code }: Record<string, string>) => `${code} ${parameter}`)).toEqual(
    parameters.slice(0, LISTED).map((name) => `unknown-parameter ${name}`),
  );
});
