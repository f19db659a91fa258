/** Of many errors the first hundred are listed, and all are counted. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { en, es } from '../../support/app/trees.ts';

const MEMBERS = 60_000;
const LISTED = 100;

const app = useApp();

const letters = [...'bdfghjklmnqrstvwxzBDFGHJKLMNQRSTVWXZ0123456789_'];
/** 2,209 names that no language knows. */
const parameters = letters.flatMap((first) => letters.map((second) => first + second));

const trees = [
  {
    tree: en,
    body: 'The data of the car contains 60,000 errors.',
    query: `The query contains ${parameters.length} errors.`,
  },
  {
    tree: es,
    body: 'Hay 60\u{a0}000 errores en los datos del coche.',
    query: `Hay ${parameters.length} errores en la consulta.`,
  },
] as const;

test.each(trees)('a body of sixty thousand unknown members, $tree.tag', async ({ tree, body }) => {
  const names = Array.from({ length: MEMBERS }, (_, at) => `q${at}`);
  const known = { [tree.brand]: 'Seat', [tree.model]: 'Ibiza' };
  const { status, json } = await app.send('POST', tree.cars, {
    ...known,
    ...Object.fromEntries(names.map((name) => [name, 0])),
  });
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-body', body]);
  expect(json.errors.map(({ pointer, code }: Record<string, string>) => `${code} ${pointer}`)).toEqual(
    names.slice(0, LISTED).map((name) => `unknown-field /${name}`),
  );
});

test.each(trees)('a query of two thousand unknown parameters, $tree.tag', async ({ tree, query }) => {
  const { status, json } = await app.send('GET', `${tree.cars}?${parameters.join('&')}`);
  expect([status, json.code, json.detail]).toEqual([400, 'invalid-query', query]);
  expect(json.errors.map(({ parameter, code }: Record<string, string>) => `${code} ${parameter}`)).toEqual(
    parameters.slice(0, LISTED).map((name) => `unknown-parameter ${name}`),
  );
});
