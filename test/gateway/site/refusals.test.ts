/** What a browser gets where a request is refused: outside the trees a page, as long as it asks for one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyIdentifier } from '../../../src/host/access/keys.ts';
import { createAccessGate } from '../../../src/host/access/policies.ts';
import { textOf } from '../../support/app/html.ts';
import { openServer } from '../../support/app/server.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PAGE = 'text/html; charset=utf-8';
const PROBLEM = 'application/problem+json';

type Row = readonly [path: string, language: string, accept: string, status: number, type: string, heading: string];

const requests: Readonly<Record<'open' | 'all', readonly Row[]>> = {
  open: [
    ['/coches', 'es', BROWSER, 404, PAGE, 'Ruta inexistente'],
    ['/cars', 'en', 'text/html', 404, PAGE, 'No such path'],
    ['/cars?lang=es', 'en', 'text/html', 404, PAGE, 'Ruta inexistente'],
    ['/api/problems/none', 'es', BROWSER, 404, PAGE, 'No encontrado'],
    ['/cars', 'en', '*/*', 404, PROBLEM, ''],
    ['/cars', 'en', 'application/json, text/html', 404, PROBLEM, ''],
    ['/cars', 'en', 'text/html;q=0.5, application/problem+json', 404, PROBLEM, ''],
    ['/api/cars/none', 'en', BROWSER, 404, PROBLEM, ''],
    ['/?x=1', 'en', '*/*', 400, PROBLEM, ''],
  ],
  all: [
    ['/', 'es', BROWSER, 401, PAGE, 'Falta una clave válida'],
    ['/api', 'en', BROWSER, 401, PAGE, 'A valid key is missing'],
    ['/coches', 'es', BROWSER, 401, PAGE, 'Falta una clave válida'],
    ['/', 'en', '*/*', 401, PROBLEM, ''],
    ['/api/coches', 'es', BROWSER, 401, PROBLEM, ''],
  ],
};

describe.each(['open', 'all'] as const)('with ACCESS=%s', (access) => {
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    server = await openServer({
      access,
      guards: ({ apiKeys }) => [createAccessGate(access, createKeyIdentifier(apiKeys))],
    });
  });
  afterAll(() => server.close());

  test.each(requests[access])(
    '%s in %s for Accept: %s is %i as %s',
    async (path, language, accept, status, type, heading) => {
      const response = await fetch(server.origin + path, { headers: { accept, 'accept-language': language } });
      const text = await response.text();
      expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
      if (heading === '') return;
      expect(textOf(/<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '')).toBe(heading);
      expect(response.headers.get('vary')).toBe('Accept, Accept-Language');
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect([...text.matchAll(/href="(\/(?:docs\/|api\/problems)\?lang=\w+)"/g)].length).toBeGreaterThan(1);
      expect(/<form class="credential"[\s\S]*type="password"/.test(text)).toBe(status === 401);
      expect(text.includes('href="/api/coches"')).toBe(path === '/coches' && status === 404);
    },
  );
});

test('a path of a client stands in a page as it was sent, and leads nowhere', async () => {
  const server = await openServer();
  const response = await fetch(`${server.origin}//evil.example/%3Cb%3E"onload=`, { headers: { accept: BROWSER } });
  const text = await response.text();
  await server.close();
  expect(text).toContain('//evil.example/&lt;b&gt;');
  expect(text).not.toMatch(/href="[^"]*evil/);
});
