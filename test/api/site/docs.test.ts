import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { request } = useApp();

const pageAt = async (path: string, language = 'en') => {
  const answer = await request(path, { headers: { accept: 'text/html', 'accept-language': language } });
  return { answer, text: await answer.text() };
};

test.each([
  ['/docs/', 'en-GB', 'en', 'Documentation'],
  ['/docs', 'en', 'en', 'Documentation'],
  ['/docs/', 'es-419, en;q=0.5', 'es', 'Documentación'],
  ['/docs/?lang=es', 'en', 'es', 'Documentación'],
  ['/docs?lang=en', 'es', 'en', 'Documentation'],
  ['/docs/', 'fr', 'en', 'Documentation'],
])('%s for %s is in %s', async (path, wish, language, heading) => {
  const { answer, text } = await pageAt(path, wish);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect([answer.headers.get('content-language'), answer.headers.get('vary')]).toEqual([
    language,
    'Accept, Accept-Language',
  ]);
  expect(text).toContain(`<html lang="${language}" dir="ltr">`);
  expect(text).toContain(`<h1>${heading}</h1>`);
  expect(text).toContain(`data-openapi="/api/openapi.${language}.json"`);
  expect(text).toContain('<a href="/docs/?lang=en" hreflang="en" lang="en"');
  expect(text).toContain('<a href="/docs/?lang=es" hreflang="es" lang="es"');
  expect(text.match(/hreflang="(\w+)" lang="\w+" aria-current="page"/)?.[1]).toBe(language);
});

describe.each(['/', '/docs/'])('%s', (path) => {
  test('loads nothing from elsewhere, and nothing inline', async () => {
    const { answer, text } = await pageAt(path);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)|<style|\sstyle=|\son\w+=|="(?:https?:)?\/\//);
  });

  test('has the same policy when a browser has it already', async () => {
    const { headers } = (await pageAt(path)).answer;
    const known = await request(path, { headers: { accept: 'text/html', 'if-none-match': headers.get('etag') ?? '' } });
    expect(known.status).toBe(304);
    expect(known.headers.get('content-security-policy')).toBe(headers.get('content-security-policy'));
  });

  test('loads what there is', async () => {
    const { text } = await pageAt(path);
    const loaded = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/docs\/[^"?]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(loaded.length).toBeGreaterThan(1);
    for (const file of loaded) {
      const { status, headers } = await request(file);
      expect([file, status, /; charset=utf-8$/.test(headers.get('content-type') ?? '')]).toEqual([file, 200, true]);
    }
  });

  test('is a page and nothing else', async () => {
    const json = await request(path, { headers: { accept: 'application/json' } });
    expect(json.status).toBe(path === '/' ? 200 : 406);
    expect((await request(path, { method: 'POST' })).status).toBe(405);
    const head = await request(path, { method: 'HEAD', headers: { accept: 'text/html' } });
    const { text } = await pageAt(path);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });
});

const packaged = (name: string) => readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));

test.each([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
])('%s is the package’s own', async (name, type) => {
  const answer = await request(`/docs/${name}`);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('content-language')).toBe(null);
  expect(Buffer.from(await answer.arrayBuffer()).equals(packaged(name))).toBe(true);
  expect((await request(`/docs/${name}?v=1`)).status).toBe(400);
  expect((await request(`/docs/${name}`, { headers: { accept: 'application/json' } })).status).toBe(406);
});

test.each([
  ...['package.json', 'index.html', 'swagger-ui-bundle.js.map', 'tsconfig.json', '..%2Fassets.ts'],
  ...['../../package.json', '%2e%2e/frame.ts', '__proto__', 'constructor', 'STYLE.css'],
])('/docs/%s is no file that pages load', async (name) => {
  const { status } = await request(`/docs/${name}`);
  expect(status).toBe(404);
});
