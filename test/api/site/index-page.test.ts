/** What the pages outside the trees say, in each language. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { textOf } from '../../support/app/html.ts';
import { tableOf } from '../../support/language/locale-folder.ts';

const { request } = useApp();

/** Page texts of one language that another has in other words. */
const foreignTo = (own: string, other: string): readonly string[] => {
  const [texts, others] = [own, other].map((tag) => ({ ...tableOf(tag).pages.texts, ...tableOf(tag).subject }));
  return Object.keys(texts).flatMap((name) => (texts[name] === others[name] ? [] : [others[name]]));
};

test.each([
  ['en', 'es'],
  ['es', 'en'],
])('the pages in %s say nothing in %s', async (lang, other) => {
  for (const path of ['/', '/api/problems', '/api/problems/forbidden', '/docs/']) {
    const page = await request(`${path}?lang=${lang}`, { headers: { accept: 'text/html' } });
    const said = [...(await page.text()).matchAll(/>([^<>]+)</g)].map(([, text = '']) => textOf(text).trim());
    expect(said.length).toBeGreaterThan(5);
    expect(said.filter((text) => foreignTo(lang, other).includes(text))).toEqual([]);
  }
});

test.each([
  ['en', 'Car dealer catalogue', 'Browse the cars', '/api/cars'],
  ['es', 'Catálogo del concesionario', 'Los coches', '/api/coches'],
])(
  'the page at the root in %s has the cars, and leads to the lists and documents of every language',
  async (lang, title, browse, list) => {
    const page = await (await request(`/?lang=${lang}`, { headers: { accept: 'text/html' } })).text();
    expect(/<h1>(.*)<\/h1>/.exec(page)?.[1]).toBe(title);
    expect(/<h2 id="browse-heading">(.*)<\/h2>/.exec(page)?.[1]).toBe(browse);
    expect(page).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${lang}" dir="ltr">`));
    expect(page).toContain(`<a href="${list}?`);
    for (const url of [
      '/api/cars?number_of_elements=10',
      '/api/coches?numero_de_elementos=10',
      '/docs/?lang=en',
      '/docs/?lang=es',
      '/api/openapi.en.json',
      '/api/openapi.es.json',
      '/api/locales/en',
      '/api/locales/es',
      `/api/problems?lang=${lang}`,
      '/readyz',
    ])
      expect(page).toContain(`href="${url}"`);
  },
);
