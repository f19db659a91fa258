/**
 * The documentation, used as a person uses it, on small and large screens, in light and dark, in each language. To load it
 * takes seconds of work: one page serves many tests, one after the other.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { tableOf } from '../../support/language/locale-folder.ts';
import {
  axeFaults,
  browserPath,
  expectFits,
  GIVE_UP_MS,
  openBrowser,
  openPage,
  type TestPage,
} from '../../support/process/browser.ts';

test('there is a browser', (context) => {
  if (browserPath !== undefined) return;
  // Where the whole must be shown to work, a part that cannot be looked at is a failure.
  if (process.env.CI) throw new Error('no Chromium on the PATH; on Debian: apt-get install chromium');
  context.skip('no Chromium on the PATH');
});

const screens = {
  phone: { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true, locale: 'en-GB' },
  desktop: { viewport: { width: 1280, height: 900 }, locale: 'es-MX' },
} as const;
type Screen = keyof typeof screens;

/** An operation by its link, with the request that its example makes and what it is answered. */
type Operation = readonly [link: string, method: string, path: string, status: number];

/**
 * Together each verb of items and lists, in an order in which each finds what its example needs. That every operation
 * accepts its example is tested without a browser.
 */
const spanish = [
  ['Coches/carsCreate', 'POST', '/api/coches', 201],
  ['Aceites/oilsCreate', 'POST', '/api/coches/seat-ibiza-1/aceites', 201],
  ['Coches/carsList', 'GET', '/api/coches', 200],
  ['Aceites/oilsUpdate', 'PUT', '/api/coches/seat-ibiza-1/aceites/5W-30', 200],
  ['Aceites/oilsRead', 'GET', '/api/coches/seat-ibiza-1/aceites/5W-30', 200],
] as const satisfies readonly Operation[];
const [linked, ...english]: readonly [Operation, ...Operation[]] = [
  ['Cars/carsUpdate', 'PUT', '/api/cars/seat-ibiza-1', 200],
  ['Oils/oilsRemove', 'DELETE', '/api/cars/seat-ibiza-1/oils/5W-30', 204],
];

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
  let pages: Readonly<Record<Screen, TestPage>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
    const { phone, desktop } = screens;
    pages = { phone: await openPage(browser, phone), desktop: await openPage(browser, desktop) };
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  const operationOf = (page: Page, link: string) => page.locator(`#operations-${link.replace('/', '-')}`);
  const openOperation = (page: Page, [link]: Operation): Promise<void> =>
    operationOf(page, link).locator('.opblock-summary-control').click();
  const tryOperation = async (page: Page, [link, method, path, status]: Operation): Promise<void> => {
    const operation = operationOf(page, link);
    await operation.locator('.try-out__btn').click();
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/api/c'));
    await operation.locator('.execute').click();
    const request = await sent;
    expect([request.method(), new URL(request.url()).pathname]).toEqual([method, path]);
    const body = request.postData();
    if (body !== null) expect(Object.keys(JSON.parse(body)).length).toBeGreaterThan(0);
    expect((await request.response())?.status()).toBe(status);
    await operation.locator('.live-responses-table').waitFor();
  };
  const openAndTry = async (page: Page, operation: Operation): Promise<void> => {
    await openOperation(page, operation);
    await tryOperation(page, operation);
  };
  /** With one operation open and answered: the others have nothing that it has not. */
  const expectSound = async (page: Page): Promise<void> => {
    await expectFits(page);
    expect(await axeFaults(page)).toEqual([]);
  };

  test('on a phone in dark colours the switch and a link lead to the Spanish documentation, and operations work', async () => {
    const { page, visit, misdeeds } = pages.phone;
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
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  test('on its Spanish page no English is left, and a car is created and found with values that are typed', async () => {
    const { page, misdeeds } = pages.phone;
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
    expect(said).toEqual(expect.arrayContaining(['Cancelar', 'Respuesta del servidor', 'Esquemas', 'Desplegar todo']));
    expect(said.filter((text) => untranslated.includes(text))).toEqual([]);
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  test('on a desktop in light colours a link opens an operation in English, and operations work', async () => {
    const { page, visit, misdeeds } = pages.desktop;
    await page.emulateMedia({ colorScheme: 'light' });
    await visit(`${server.origin}/docs/?lang=en#/${linked[0]}`);
    await page.locator('.opblock.is-open').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.locator('html.dark-mode').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toBe('Documentation');
    await expectFits(page);
    await tryOperation(page, linked);
    await expectSound(page);
    for (const operation of english) await openAndTry(page, operation);

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  test('from there the switch leads to the Spanish page', async () => {
    const { page } = pages.desktop;
    await page.getByRole('link', { name: 'español' }).click({ noWaitAfter: true });
    // That it shows the operations was tested on the phone.
    await page.waitForURL((url) => url.searchParams.get('lang') === 'es', { waitUntil: 'commit' });
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.locator('[aria-current]').textContent()).toBe('español');
    await page.goto('about:blank');
  });

  test('without scripts the documentation leads to the document', async () => {
    const { page, visit } = await openPage(browser, { ...screens.desktop, javaScriptEnabled: false });
    await visit(`${server.origin}/docs/`);
    await page.getByRole('link', { name: '/api/openapi.es.json' }).click();
    expect(page.url()).toBe(`${server.origin}/api/openapi.es.json`);
  });
});
