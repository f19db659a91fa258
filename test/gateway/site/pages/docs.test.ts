/**
 * The documentation on a phone in Spanish and dark colours, used as a person uses it. To load it takes seconds of work: one
 * page serves many tests, one after the other.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../../support/app/server.ts';
import { tableOf } from '../../../support/language/locale-folder.ts';
import {
  browserPath,
  expectFits,
  expectSound,
  GIVE_UP_MS,
  openBrowser,
  openPage,
  type TestPage,
} from '../../../support/process/browser.ts';
import { type Operation, openAndTry, operationOf } from '../../../support/process/operations.ts';

test('there is a browser', (context) => {
  if (browserPath !== undefined) return;
  // Where the whole must be shown to work, a part that cannot be looked at is a failure.
  if (process.env.CI) throw new Error('no Chromium on the PATH; on Debian: apt-get install chromium-headless-shell');
  context.skip('no Chromium on the PATH');
});

const screen = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true, locale: 'en-GB' };

/**
 * Each verb of lists. Those of items, whose paths have a parameter, are tried on a smaller page, and that every operation
 * accepts its example is tested without a browser.
 */
const spanish = [
  ['Coches/carsCreate', 'POST', '/api/coches', 201],
  ['Coches/carsImport', 'POST', '/api/importaciones/coches', 200],
  ['Coches/carsList', 'GET', '/api/coches?numero_de_elementos=10', 200],
] as const satisfies readonly Operation[];
const { labels } = tableOf('es').pages;
const untranslated = Object.keys(labels).filter((label) => labels[label] !== label);

/** What Swagger UI says by itself, outside of code. */
const TEXTS = `(() => {
  const texts = document.createTreeWalker(document.getElementById('swagger-ui'), NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (texts.nextNode()) {
    if (!texts.currentNode.parentElement.closest('pre, code, textarea')) found.add(texts.currentNode.data.trim());
  }
  for (const each of document.querySelectorAll('#swagger-ui [title], #swagger-ui [aria-label]')) {
    found.add(each.getAttribute('title')).add(each.getAttribute('aria-label'));
  }
  return [...found];
})()`;

describe.skipIf(browserPath === undefined)('in a browser', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  let phone: TestPage;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
    phone = await openPage(browser, screen);
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  test('on a phone in dark colours the switch and a link lead to the Spanish documentation, and operations work', async () => {
    const { page, visit, misdeeds } = phone;
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit(`${server.origin}/`);
    await page.getByRole('link', { name: 'español' }).click();
    expect(await page.locator('h1').innerText()).toBe('Catálogo del concesionario');
    await page.getByRole('link', { name: 'Documentación', exact: true }).click();
    await page.locator('.opblock').first().waitFor();
    expect(new URL(page.url()).search).toBe('?lang=es');
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.locator('html.dark-mode').count()).toBe(1);
    expect(await page.locator('h1').innerText()).toBe('Documentación');
    expect(await page.locator('.opblock-summary-path').first().innerText()).toMatch(/^\/api\/coches$/m);
    await expectFits(page);
    for (const [at, operation] of spanish.entries()) {
      await openAndTry(page, operation);
      if (at === 0) await expectSound(page);
    }
    // Examples are sent again as they are.
    for (const [link, method, , status] of spanish.slice(0, 2)) {
      const answered = page.waitForResponse((response) => response.request().method() === method);
      await operationOf(page, link).locator('.execute').click();
      expect([link, (await answered).status()]).toEqual([link, status]);
    }
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  test('on its Spanish page no English is left, and a car is created and found with values that are typed', async () => {
    const { page, misdeeds } = phone;
    const post = operationOf(page, spanish[0][0]);
    await post
      .getByRole('textbox', { name: 'Cuerpo de la petición' })
      .fill('{ "identificador": "león 1", "marca": "Seat", "modelo": "León", "cilindrada": 150 }');
    await post.getByRole('button', { name: 'Ejecutar' }).click();
    await post.locator('.live-responses-table').getByText('/api/coches/le%C3%B3n%201').first().waitFor();
    expect(await post.locator('.live-responses-table .response-col_status').last().innerText()).toContain('201');
    const made = await fetch(`${server.origin}/api/cars/le%C3%B3n%201`);
    expect(await made.json()).toEqual({ identifier: 'león 1', brand: 'Seat', model: 'León', enginePower: 150 });

    const get = operationOf(page, spanish[2][0]);
    await get.getByRole('combobox', { name: 'ordenar_por' }).selectOption('cilindrada');
    await get.getByRole('combobox', { name: 'orden', exact: true }).selectOption('descendente');
    await get.getByRole('textbox', { name: 'numero_de_elementos' }).fill('1');
    await get.getByRole('button', { name: 'Ejecutar' }).click();
    await get.locator('.live-responses-table').getByText('"León"').first().waitFor();
    expect(await get.locator('.request-url').innerText()).toContain(
      '/api/coches?ordenar_por=cilindrada&orden=descendente&numero_de_elementos=1',
    );
    const response = await get.locator('.live-responses-table').innerText();
    expect(response).toContain('"modelo": "León"');
    expect(response).toMatch(/x-total-count: *\d/);

    const said = (await page.evaluate(TEXTS)) as readonly string[];
    expect(said).toEqual(expect.arrayContaining(['Cancelar', 'Respuesta del servidor', 'Esquemas']));
    expect(said.filter((text) => untranslated.includes(text))).toEqual([]);
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  test('without scripts the documentation leads to the document', async () => {
    const { page, visit } = await openPage(browser, { locale: 'es-MX', javaScriptEnabled: false });
    await visit(`${server.origin}/docs/`);
    await page.getByRole('link', { name: '/api/openapi.es.json' }).click();
    expect(page.url()).toBe(`${server.origin}/api/openapi.es.json`);
  });
});
