import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inEveryLanguage } from '../../../packages/parity/src/kit/every-language.ts';
import '../../../packages/parity/src/kit/vitest.ts';
import { findForeignSentences, type Page } from '../../../packages/parity/src/kit/pages.ts';
import { openApp } from '../../support/app/app.ts';
import { allTags, folderWith } from '../../support/language/new-languages.ts';

let app: Awaited<ReturnType<typeof openApp>>;
const headers = { 'content-type': 'application/json' };
beforeAll(async () => {
  app = await openApp({ locales: folderWith(...allTags) });
  const body = JSON.stringify({ identifier: 'a', brand: 'Seat', model: 'Ibiza, 1.9', year: 2008 });
  await app.request('/api/cars', { method: 'POST', headers, body });
});
afterAll(() => app.close());

describe('in every language', () => {
  test.each([
    [{ GET: '/api/cars?brand=seat' }, 200],
    [{ GET: '/api/coches?marca=seat&ordenar_por=anio' }, 200],
    [{ HEAD: '/api/cotxes/a' }, 200],
    [{ GET: '/api/autom%C3%B3veis/a' }, 200],
    [{ GET: '/api/coches?anio=x' }, 400],
    [{ PATCH: '/api/coches/a', body: { anio: 2009 } }, 200],
    [{ PATCH: '/api/cars/a', body: { year: null } }, 200],
  ])('%j', async (request, status) => {
    const answer = await inEveryLanguage(app, request);
    expect(answer.status).toBe(status);
    await expect(app).toAnswerAlike(request);
  });

  test('one answer in names is one snapshot', async () => {
    const { body } = await inEveryLanguage(app, { GET: '/api/coches?campos=marca,modelo' });
    expect(body).toEqual([{ identifier: 'a', brand: 'Seat', model: 'Ibiza, 1.9' }]);
  });

  test('a language that says something else is named, with both requests', async () => {
    const spoilt = {
      request: async (url: string, init?: RequestInit) => {
        const answer = await app.request(url, init);
        if (!url.startsWith('/api/coches')) return answer;
        return new Response((await answer.text()).replace('"Seat"', '"Seta"'), answer);
      },
    };
    const asked = inEveryLanguage(spoilt, { GET: '/api/cars?brand=seat' });
    await expect(asked).rejects.toThrow(
      'en /api/cars?brand=seat and es /api/coches?marca=seat differ\nbody/0/brand: "Seat" ≠ "Seta"',
    );
    await expect(expect(spoilt).toAnswerAlike({ GET: '/api/cars' })).rejects.toThrow('body/0/brand');
  });

  test('a request without a method, or with two, is refused', async () => {
    await expect(inEveryLanguage(app, {})).rejects.toThrow('give one method');
    await expect(inEveryLanguage(app, { GET: '/api/cars', HEAD: '/api/cars' })).rejects.toThrow('give one method');
  });
});

test('sentences of the other language on a page', async () => {
  const texts: Readonly<Record<string, string>> = {
    '/en': 'The cars of the dealer\nSearch for a car.\nSeat Ibiza 1.9 TDI',
    '/es': 'Los coches del concesionario\nSearch for a car. Busque un coche.\nThe oils of the car\nSeat Ibiza 1.9 TDI',
  };
  let at = '';
  const page: Page = {
    goto: async (url) => {
      at = url;
    },
    innerText: async () => texts[at] ?? '',
  };
  const [en, es] = [
    { url: '/en', language: 'en' },
    { url: '/es', language: 'es' },
  ] as const;
  expect(await findForeignSentences(page, en, es)).toEqual(['Search for a car.', 'The oils of the car']);
  expect(await findForeignSentences(page, es, en)).toEqual([]);
});

test('the test file of the documentation is short, and is documented.test.ts', () => {
  const [, code = ''] = /```ts\n(import[\s\S]*?\n)```/.exec(readFileSync('docs/parity.md', 'utf8')) ?? [];
  expect(code.split('\n').length).toBeLessThanOrEqual(26);
  const file = readFileSync(new URL('documented.test.ts', import.meta.url), 'utf8');
  expect(code).toBe(file.replaceAll(/'[./]*packages\/parity\/src\/kit\/([\w-]+)\.ts'/g, "'vocabulary-parity/$1'"));
});
