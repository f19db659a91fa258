/** What people read in a pseudo-language is in brackets; what is not stands in no table. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languageName } from '../../../src/gateway/locale/language.ts';
import { createPseudoLanguages } from '../../../src/gateway/locale/pseudo.ts';
import type { Locale } from '../../../src/gateway/locale/table.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { loadChosenLocales, loadLocales } from '../../../src/host/tables/load.ts';
import { localesFolder, useApp } from '../../support/app/app.ts';
import { textOf } from '../../support/app/html.ts';
import { openServer } from '../../support/app/server.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { runHere } from '../../support/commands/given.ts';
import { sharedDatabase } from '../../support/database/database.ts';
import { apart, folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { browserPath, expectFits, GIVE_UP_MS, openBrowser, openPage } from '../../support/process/browser.ts';

const english = loadLocales(catalogue, localesFolder, 'en').find(({ tag }) => tag === 'en') as Locale;
const [accented, mirrored] = createPseudoLanguages(english) as [Locale, Locale];
/** As tables of a folder they pass the checks of every table. */
const locales = folderOf(
  apart({ 'en.json': tableOf('en'), 'en-XA.json': accented.table, 'ar-XB.json': mirrored.table }),
  afterAll,
);
const car = { 'identifier-xa': 'seat-1', 'brand-xa': '1', 'model-xa': '2', 'year-xa': 2008 };
const app = useApp({ locales, given: [['/api/cars-xa', car]] });

/** Names of formats, media types and the like, which are the same in every language. */
const SAME = /^(?:en|ar|es|XA|XB|CV|JSON|CSV|XLSX|NDJSON|OpenAPI|GET|seat-\d)$/;
const FIXED = /`[^`]*`|\]\([^)]*\)|https?:\S+|\/(?:api|healthz|readyz)?[\w./{}?=&%-]*|[\w-]+-x[ab]\b|[\w]+\/[\w.+-]+/g;

/** @returns the words that no brackets are around */
function findOutside(text: string): readonly string[] {
  let rest = NAMES.reduce((each, name) => each.replaceAll(name, ' '), text);
  rest = rest.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/`[^`]*`/g, ' ');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(/\[[^[\]]*\]/g, ' ');
  }
  return (rest.replaceAll(FIXED, ' ').match(/\p{L}[\p{L}\p{N}_’'-]*/gu) ?? []).filter((word) => !SAME.test(word));
}

const NAMES = ['en-XA', 'ar-XB', 'en'].flatMap((tag) => [languageName(tag), languageName(tag, 'ar-XB')]);

/** What a person reads of a page, or hears: not code, nor the names of languages. */
function readPage(html: string): string {
  const own = html.replaceAll(/<(code|a)[^>]*(?:translate="no"|hreflang)[^>]*>.*?<\/\1>/gs, ' ');
  const attributes = [...own.matchAll(/ (?:title|aria-label|placeholder|alt)="([^"]*)"/g)].map(([, text]) => text);
  return [textOf(own.replaceAll('<', ' <')), ...attributes.map((text = '') => textOf(text))].join('\n');
}

/** The members of a document that people read. */
const PROSE = ['title', 'description', 'summary', 'x-label', 'label', 'detail', 'remedy', 'unit'];

function listProse(part: unknown, name = ''): readonly string[] {
  if (typeof part === 'string') return PROSE.includes(name) ? [part] : [];
  // An example is named by what it is of.
  return Object.entries(part ?? {}).flatMap(([key, value]) => (key === 'examples' ? [] : listProse(value, key)));
}

test('a table is made of the English one, with words that no other language has', () => {
  const { table } = accented;
  expect([table.paths.cars, table.fields.cars?.brand, table.suffixes.from]).toEqual(['cars-xa', 'brand-xa', 'from-xa']);
  expect(table.descriptions?.collections.cars?.schema).toBe('CarXa');
  expect(table.pages?.labels.Cancel).toBe('[Çåñçéļ ö]');
  expect(mirrored.table.pages?.labels.Cancel).toBe('[\u202eCancel ö\u202c]');
  expect(table.problems['not-found'].title).toMatch(/^\[Ñöţ ƒöûñð [^\]]+\]$/);
});

test('PSEUDO=on serves both', () => {
  const settings = { LOCALES_DIR: localesFolder, DEFAULT_LANGUAGE: 'en' };
  const list = (PSEUDO?: 'on' | 'off') => loadChosenLocales(catalogue, { ...settings, PSEUDO }).map(({ tag }) => tag);
  expect(list('on')).toEqual([...list('off'), 'en-XA', 'ar-XB']);
  expect(list()).not.toContain('en-XA');
});

const pages = [
  ...['/', '/docs/', '/api/problems', '/nowhere'],
  ...Object.keys(problems).map((code) => `/api/problems/${code}`),
];

test.each(pages)('the page %s has no words of its own', async (path) => {
  for (const lang of ['en-XA', 'ar-XB']) {
    const { text } = await app.send('GET', `${path}?lang=${lang}`, undefined, {
      accept: 'text/html',
      'accept-language': lang,
    });
    expect(text).toMatch(lang === 'ar-XB' ? /<html lang="ar-XB" dir="rtl">/ : /<html lang="en-XA" dir="ltr">/);
    expect(findOutside(readPage(text))).toEqual([]);
  }
});

const resources = ['/', '/api/locales', '/api/problems', '/nowhere'];

test.each(['en-XA', 'ar-XB'])('documents and dictionaries in %s have no words of their own', async (lang) => {
  for (const path of [`/api/openapi.${lang}.json`, `/api/locales/${lang}`, ...resources]) {
    const { status, text, json } = await app.send('GET', path, undefined, {
      'accept-language': lang,
      accept: 'application/json',
    });
    expect([path, status]).toEqual([path, path === '/nowhere' ? 404 : 200]);
    const prose = listProse(json ?? JSON.parse(text));
    expect([prose.length > 1, ...prose.flatMap(findOutside)], path).toEqual([path !== '/api/locales']);
  }
});

const long = 'x'.repeat(9_000);
const refused = [
  ['GET', '/api/cars-xa?yeer-xa=1&brand-xa=&page-xa=0&sort_by-xa=x&number_of_elements-xa=z&year-xa_from-xa=x'],
  ['GET', '/api/cars-xa?year=2008'],
  ['GET', '/api/cars-xa?after-xa=x&page-xa=1'],
  ['GET', '/api/cars-xa?changed_since-xa=1-1'],
  ['GET', '/api/cars-xa/%zz'],
  ['GET', '/api/cars-xa/none'],
  ['GET', '/api/karz-xa', undefined, { 'accept-language': 'en-XA' }],
  ['GET', `/api/cars-xa?${long}`],
  ['GET', '/api/cars-xa', undefined, { accept: 'image/png' }],
  ['PUT', '/api/cars-xa'],
  ['POST', '/api/cars-xa', '{'],
  ['POST', '/api/cars-xa', { brand: 1, 'brand-xa': 5, 'year-xa': 'x', 'clima-xa': 3, other: 2 }],
  ['POST', '/api/cars-xa', car],
  ['POST', '/api/cars-xa', '<a/>', { 'content-type': 'text/xml' }],
  ['PUT', '/api/cars-xa/seat-1', { ...car, 'identifier-xa': 'other' }],
  ['PATCH', '/api/cars-xa/seat-1', {}, { 'if-match': '"x"' }],
  ['POST', '/api/imports-xa/cars-xa', 'brand-xa,year-xa\nSeat,x\n', { 'content-type': 'text/csv' }],
  ['POST', '/api/imports-xa/cars-xa', 'brend-xa\nSeat\n', { 'content-type': 'text/csv' }],
  ['POST', '/api/imports-xa/cars-xa', 'x', { 'content-type': 'text/csv', prefer: 'handling=maybe' }],
] as const;

test.each(refused)(
  'an error of %s %s has no words of its own',
  async (method, path, body?: unknown, headers?: object) => {
    const { status, json } = await app.send(method, path, body, { ...headers });
    expect(status).toBeGreaterThanOrEqual(400);
    const prose = listProse(json);
    expect(prose.length).toBeGreaterThanOrEqual(2);
    expect(prose.flatMap(findOutside)).toEqual([]);
  },
);

test.each([
  ['csv', /^[^\r]+/],
  ['ndjson', /.*/],
  ['xlsx', /^PK/],
])('a file in %s has the words of the language', async (format, names) => {
  const { status, headers, text } = await app.send('GET', `/api/exports-xa/cars-xa?format-xa=${format}`);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toBe(`attachment; filename="cars-xa.${format}"`);
  const [header = ''] = names.exec(text) ?? [];
  expect(
    header.replaceAll(/"?(?:identifier|brand|model|year|doors|enginePower|version|clima|ac|fuel)-xa"?/g, ''),
  ).toMatch(format === 'xlsx' ? /^PK/ : /^(?:,+|\{:"seat-1",:"1",:"2",:2008\})$/);
});

const commands = [
  ['import', ['--help']],
  ['export', ['--help']],
  ['export', ['--list', 'karz']],
  ['export', ['--year-xa', 'x']],
  ['import', ['/none/cars.csv']],
  ['import', ['--nothing']],
] as const;

test.each(commands)('the command %s %j has no words of its own', async (command, args) => {
  const env = { PSEUDO: 'on', DATABASE_URL: await sharedDatabase() };
  const main = `src/tools/import-export/${command}-main.ts`;
  const [, printed] = await runHere(main, ['--language', 'en-XA', ...args], env);
  expect(printed).toMatch(/\[/);
  expect(findOutside(printed.replaceAll(/npm run [\w-]+|--[\w-]+|<[^>]*>/g, ' '))).toEqual([]);
});

describe.skipIf(browserPath === undefined)('in a browser', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer({ locales })]);
    const init = { method: 'POST', body: JSON.stringify(car), headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${server.origin}/api/cars-xa`, init)).status).toBe(201);
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  // What a script has put there, too; data, code and the words of JSON Schema are the same in every language.
  const READ = `(() => {
    const isOther = 'pre, code, script, style, option, bdi, td a, nav, .opblock-summary-method, .opblock-summary-path';
    const isName = '.parameter__name, .parameter__type, .prop-type, .renderedMarkdown, .header-col, .model-title';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement.closest(isOther + ', ' + isName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    const texts = [];
    while (walker.nextNode()) if (walker.currentNode.parentElement.checkVisibility()) texts.push(walker.currentNode.data);
    return texts;
  })()`;

  test.each(['en-XA', 'ar-XB'])(
    'pages in %s fit a desk and a phone, and what scripts say is in brackets',
    async (lang) => {
      const { page, visit, misdeeds } = await openPage(browser, { locale: lang });
      for (const [path, shown] of [
        ['/', '.items bdi'],
        ['/docs/', '.opblock'],
        ['/api/problems', 'tbody a'],
        ['/api/problems/invalid-body', 'h2'],
      ] as const) {
        await visit(`${server.origin}${path}?lang=${lang}`);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await page.locator(shown).first().waitFor();
          await expectFits(page);
          const texts = (await page.evaluate(READ)) as readonly string[];
          expect(texts.flatMap(findOutside), path).toEqual([]);
          const [heading, window] = (await page.evaluate(
            '[document.querySelector("h1").getBoundingClientRect(), innerWidth]',
          )) as readonly [{ readonly left: number; readonly right: number }, number];
          // Sentences begin at the side from which the language is read.
          const sides = [heading.left, window - heading.right];
          expect(Math.min(...sides)).toBe(lang === 'ar-XB' ? sides[1] : sides[0]);
        }
      }
      expect(misdeeds()).toEqual({ said: [], abroad: [] });
      await page.context().close();
    },
  );
});
