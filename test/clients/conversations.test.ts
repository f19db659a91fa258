/** The clients of this service: what programs in their words find, in Node.js and in a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as en from '../../clients/en/index.js';
import * as es from '../../clients/es/index.js';
import { openServer } from '../support/app/server.ts';
import { converse as english } from '../support/clients/english.ts';
import { converse as spanish } from '../support/clients/spanish.ts';
import { browserPath, GIVE_UP_MS, openBrowser } from '../support/process/browser.ts';
import { project } from '../support/process/service.ts';

const inEnglish = {
  created: { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', year: 2008, clima: true },
  changed: { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', doors: 5, clima: true },
  stale: ['precondition-failed', ['If-Match']],
  wrong: ['invalid-value', ['doors']],
  counts: [2, true, 1],
  rejected: 'year',
  page: [2, [['León', 2010]]],
  all: ['Ibiza', 'León'],
  groups: [
    ['Seat', 2],
    ['Citroën', 1],
  ],
  selected: [['C4', 2006]],
  csv: 'identifier,model',
  oils: [{ type: '5W-30', otherInfo: 'ñ' }],
  followed: [false, [{ identifier: 'ibiza/1', deleted: true }]],
  gone: [true, 2],
  missing: ['not-found', undefined],
};

const inSpanish = {
  creado: { identificador: 'ibiza/1', marca: 'Seat', modelo: 'Ibiza', anio: 2008, climatizador: true },
  modificado: { identificador: 'ibiza/1', marca: 'Seat', modelo: 'Ibiza', puertas: 5, climatizador: true },
  viejo: ['precondition-failed', ['If-Match']],
  mal: ['invalid-value', ['doors']],
  cuentas: [2, true, 1],
  rechazado: 'anio',
  pagina: [2, [['León', 2010]]],
  todos: ['Ibiza', 'León'],
  grupos: [
    ['Seat', 2],
    ['Citroën', 1],
  ],
  elegidos: [['C4', 2006]],
  csv: 'identificador;modelo',
  aceites: [{ tipo: '5W-30', otros_datos: 'ñ' }],
  seguidos: [false, [{ identificador: 'ibiza/1', eliminado: true }]],
  perdidos: [true, 2],
  ausente: ['not-found', undefined],
};

const open = async () => {
  const server = await openServer();
  onTestFinished(() => server.close());
  return server.origin;
};

describe('in Node.js', () => {
  test('an English-language program', async () => expect(await english(en, await open())).toEqual(inEnglish));
  test('a Spanish-language program', async () => expect(await spanish(es, await open())).toEqual(inSpanish));
});

describe.skipIf(browserPath === undefined)('in a browser', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, GIVE_UP_MS);
  afterAll(() => browser.close());

  test.each([
    ['en', english, inEnglish],
    ['es', spanish, inSpanish],
  ] as const)('the same program in %s', async (tag, converse, expected) => {
    const page = await browser.newPage();
    const origin = await open();
    await page.route(`${origin}/client/**`, (route) => {
      const file = new URL(route.request().url()).pathname.slice('/client/'.length);
      const body = file === '' ? '<!doctype html>' : readFileSync(join(project, 'clients', tag, file), 'utf8');
      return route.fulfill({ body, contentType: file === '' ? 'text/html' : 'text/javascript' });
    });
    await page.goto(`${origin}/client/`);
    const found = await page.evaluate(
      `import('/client/index.js').then((client) => (${converse})(client, '${origin}'))`,
    );
    expect(found).toEqual(expected);
    await page.close();
  });
});
