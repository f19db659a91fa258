/** Problem codes as pages: what each means, and what to do. */
import { expect, onTestFinished, test } from 'vitest';
import { openApp, useApp } from '../../support/app/app.ts';
import { textOf } from '../../support/app/html.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { tableIn } from '../../support/language/new-languages.ts';

const { request, send } = useApp({
  given: [['/api/cars', { identifier: 'seat-ibiza-1', brand: 'Seat', model: 'Ibiza' }]],
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const html = { accept: BROWSER };

/** Texts of a page: its heading, what the code means, what to do. */
const partsOf = (page: string): readonly string[] =>
  [...page.matchAll(/<h1[^>]*>([^<]*)<|<p class="lead"[^>]*>([^<]*)</g)].map(([, heading, text]) =>
    textOf(heading ?? text ?? ''),
  );

test.each([
  [
    ...(['es', 'unknown-field', 'Campo desconocido'] as const),
    'Use las palabras del idioma de la ruta; el diccionario de cada idioma las enumera.',
  ],
  [
    ...(['en', 'internal', 'Internal error'] as const),
    'Try again. If it happens again, give “requestId” to the operator of the service.',
  ],
] as const)('in %s, %s is a page for a browser', async (lang, code, title, remedy) => {
  for (const [path, tag] of [
    [`/api/problems/${code}`, lang],
    [`/api/problems/${code}?lang=${lang}`, 'fr'],
  ] as const) {
    const { headers, text, status } = await send('GET', path, undefined, { ...html, 'accept-language': tag });
    expect([status, headers.get('content-type'), headers.get('content-language'), headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      lang,
      'Accept, Accept-Language',
    ]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${lang}" dir="ltr">`));
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)|<style|\sstyle=|\son\w+=/);
    const { explanation } = tableOf(lang).problems[code];
    expect(partsOf(text)).toEqual([title, explanation, remedy]);
    for (const tag of ['en', 'es']) expect(text).toContain(`href="/api/problems/${code}?lang=${tag}"`);
  }
});

test('programs get the same JSON as ever, under an entity tag of its own', async () => {
  const json = await send('GET', '/api/problems/unknown-field', undefined, { 'accept-language': 'es' });
  expect(json.json).toEqual({
    type: '/api/problems/unknown-field',
    title: 'Campo desconocido',
    status: 400,
    code: 'unknown-field',
    detail: expect.stringContaining('El cuerpo contiene un campo'),
  });
  const page = await send('GET', '/api/problems/unknown-field', undefined, { ...html, 'accept-language': 'es' });
  const [tag, pageTag] = [json, page].map(({ headers }) => headers.get('etag') ?? '');
  expect(tag).not.toBe(pageTag);
  const again = { ...html, 'accept-language': 'es', 'if-none-match': pageTag ?? '' };
  expect((await send('GET', '/api/problems/unknown-field', undefined, again)).status).toBe(304);
  const other = { 'accept-language': 'es', 'if-none-match': pageTag ?? '' };
  expect((await send('GET', '/api/problems/unknown-field', undefined, other)).status).toBe(200);
});

const CODES = Object.keys(tableOf('en').problems).sort();

test('all of them are listed, as a page and as JSON', async () => {
  const { text } = await send('GET', '/api/problems?lang=es', undefined, html);
  const { json } = await send('GET', '/api/problems?lang=es');
  expect(partsOf(text)[0]).toBe('Referencia de errores');
  expect(
    [...text.matchAll(/<a href="\/api\/problems\/([\w-]+)\?lang=(\w+)"[^>]*>[^<]/g)].map(([, code, tag]) => [
      code,
      tag,
    ]),
  ).toEqual(json.map(({ code }: { code: string }) => [code, 'es']));
  expect(text).toContain('<a href="/api/problems/already-exists?lang=es">Ya existe</a>');
  expect(json.map(({ code }: { code: string }) => code).sort()).toEqual(CODES);
  const one = await send('GET', '/api/problems/already-exists?lang=es');
  expect(json.find(({ code }: { code: string }) => code === 'already-exists')).toEqual(one.json);
});

test('a language without pages is explained in its own words on a page of the default language', async () => {
  const { pages, ...table } = tableIn('ca');
  expect(pages).toBeTruthy();
  const { send, close } = await openApp({ locales: folderOf({ 'en.json': tableOf('en'), 'ca.json': table }) });
  onTestFinished(close);
  const { text, headers } = await send('GET', '/api/problems/not-found?lang=ca', undefined, html);
  expect(headers.get('content-language')).toBe('en');
  expect(text).toContain('<html lang="en" dir="ltr">');
  expect(text).toContain('<h1 lang="ca">No s’ha trobat</h1>');
  expect(text).toContain('<h2>What to do</h2>');
});

test('an unknown code is refused with a page, for a browser', async () => {
  const response = await request('/api/problems/nada?lang=es', { headers: html });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});
