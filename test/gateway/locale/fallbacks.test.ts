/** Each sentence that a table lacks is another language's, by itself, and answers say so. */
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import { apart, folderOf, type LooseTable, tableOf } from '../../support/language/locale-folder.ts';
import { tableIn } from '../../support/language/new-languages.ts';

const open = async (edit: (catalan: LooseTable) => void, defaultLanguage = 'en') => {
  const table = tableIn('ca');
  edit(table);
  const locales = folderOf(apart({ 'en.json': tableOf('en'), 'es.json': tableOf('es'), 'ca.json': table }));
  const app = await openApp({ locales, defaultLanguage });
  onTestFinished(() => app.close());
  return app;
};

const lack = (table: LooseTable): void => {
  delete table.phrases['parameter-suggested'];
  delete table.problems['not-found'].remedy;
};

test.each([['en'], ['es']])('a problem with a sentence of %s says both languages', async (usual) => {
  const { send } = await open(lack, usual);
  const borrowed = await send('GET', '/api/cotxes?paginaa=1');
  expect(borrowed.headers.get('content-language')).toBe(`ca, ${usual}`);
  expect(borrowed.json.title).toBe(tableIn('ca').problems['unknown-parameter'].title);
  const missing = await send('GET', '/api/cotxes/none');
  expect(missing.headers.get('content-language')).toBe(`ca, ${usual}`);
  expect(missing.json.remedy).toBe(tableOf(usual).problems['not-found'].remedy);
  const own = await send('GET', '/api/cotxes?any=x');
  expect(own.headers.get('content-language')).toBe('ca');
});

test('a page marks the sentence of another language', async () => {
  const { send } = await open(lack);
  const { text, headers } = await send('GET', '/api/problems/not-found?lang=ca', undefined, { accept: 'text/html' });
  expect(text).toContain(`<p class="lead" lang="en">${tableOf('en').problems['not-found'].remedy}</p>`);
  expect(text).toContain(`<h1>${tableIn('ca').problems['not-found'].title}</h1>`);
  expect(headers.get('content-language')).toBe('ca');
  const list = await send('GET', '/api/problems', undefined, { 'accept-language': 'ca' });
  expect(list.headers.get('content-language')).toBe('ca, en');
});

test('pages that lack a text say so', async () => {
  const { send } = await open(({ pages }) => delete pages.texts.filter);
  const { headers } = await send('GET', '/?lang=ca', undefined, { accept: 'text/html' });
  expect(headers.get('content-language')).toBe('ca, en');
});

test('pages mark each text of another language, and no attribute has marks in it', async () => {
  const { send } = await open(({ pages, subject, descriptions }) => {
    for (const text of ['filter', 'collections', 'problems', 'any']) delete pages.texts[text];
    delete pages.totals.cars;
    delete subject.title;
    delete descriptions.collections.cars.export;
  });
  const read = async (path: string): Promise<string> =>
    (await send('GET', `${path}?lang=ca`, undefined, { accept: 'text/html' })).text;
  const english = tableOf('en');
  const { texts } = english.pages;
  const list = await read('/');
  expect(list).toContain(`<h1><span lang="en">${english.subject.title}</span></h1>`);
  expect(list).toContain(`<title>${english.subject.title}</title>`);
  expect(list).toContain(`<button class="button"><span lang="en">${texts.filter}</span></button>`);
  expect(list).toContain('<span lang="en">0 cars</span>');
  expect(list).toContain(`><span lang="en">${english.descriptions.collections.cars.export}</span></a>`);
  expect(list).toContain(`<option value="" selected>${texts.any}</option>`);
  expect(list).toContain(`>${tableIn('ca').pages.texts.clear}</a>`);
  const problems = await read('/api/problems');
  expect(problems).toContain(`<h1><span lang="en">${texts.problems}</span></h1>`);
  expect(problems).toContain(`aria-label="${texts.problems}"`);
  for (const page of [list, problems]) expect(page).not.toMatch(/="[^"]*<span/);
});

test('a table of an earlier version, with its remedies among the pages, has them all the same', async () => {
  const { send } = await open((table) => {
    table.pages.remedies = { 'not-found': 'Cerqueu-ho.' };
    delete table.problems['not-found'].remedy;
  });
  const { json, headers } = await send('GET', '/api/cotxes/none');
  expect([json.remedy, headers.get('content-language')]).toEqual(['Cerqueu-ho.', 'ca']);
});
