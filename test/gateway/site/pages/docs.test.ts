/**
 * The documentation, used as a person uses it. All that a person does is done in that of a small catalogue: in that of the cars
 * it takes a browser four times as long.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyIdentifier, makeKey } from '../../../../src/host/access/keys.ts';
import { createAccessGate } from '../../../../src/host/access/policies.ts';
import type { Store } from '../../../../src/store/store.ts';
import { openServer } from '../../../support/app/server.ts';
import { tableOf } from '../../../support/language/locale-folder.ts';
import { smallCatalogue, smallTables } from '../../../support/language/small-catalogue.ts';
import {
  axeFaults,
  browserPath,
  expectFits,
  expectSound,
  GIVE_UP_MS,
  openBrowser,
  openPage,
  type TestPage,
} from '../../../support/process/browser.ts';

test('there is a browser', (context) => {
  if (browserPath !== undefined) return;
  // Where the whole must be shown to work, a part that cannot be looked at is a failure.
  if (process.env.CI) throw new Error('no Chromium on the PATH; on Debian: apt-get install chromium-headless-shell');
  context.skip('no Chromium on the PATH');
});

const PHONE = { width: 375, height: 740 };

/** An operation by its link, with the request that its example makes and the status of its response. */
type Operation = readonly [link: string, method: string, path: string, status: number];
const item = '/api/cars/d%27Artagnan';
const [create, list] = ['Coches/carsCreate', 'Coches/carsList'];
const spanish: readonly Operation[] = [
  [create, 'POST', '/api/coches', 201],
  ['Coches/carsImport', 'POST', '/api/importaciones/coches', 200],
  [list, 'GET', '/api/coches?numero_de_elementos=10', 200],
];

const operationOf = (page: Page, link: string): Locator => page.locator(`#operations-${link.replace('/', '-')}`);

/** Tries an operation that is open, with its example. */
async function tryOperation(page: Page, [link, method, path, status]: Operation): Promise<void> {
  const operation = operationOf(page, link);
  await operation.locator('.try-out__btn').click();
  // Nothing is filled in that would delete an item.
  if (method === 'DELETE') {
    const key = operation.locator('[data-param-in="path"] input').last();
    expect(await key.inputValue()).toBe('');
    await key.fill(decodeURIComponent(path.split('/').at(-1) ?? ''));
  }
  const sent = page.waitForRequest((request) => /^\/api\/(?!openapi)/.test(new URL(request.url()).pathname));
  await operation.locator('.execute').click();
  const request = await sent;
  const { pathname, search } = new URL(request.url());
  expect([request.method(), pathname + search]).toEqual([method, path]);
  const body = request.postData();
  // An object, or a file.
  if (body !== null) expect(body).toMatch(/^\{\s*["}]|[;,\n]/);
  expect((await request.response())?.status()).toBe(status);
  await operation.locator('.live-responses-table').waitFor();
}

async function openAndTry(page: Page, operation: Operation): Promise<void> {
  await operationOf(page, operation[0]).locator('.opblock-summary-control').click();
  await tryOperation(page, operation);
}

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
  let desktop: TestPage;
  const cleanUps: (() => void)[] = [];
  const { key, stored } = makeKey({ name: 'Docs', scopes: ['read', 'write'], created: 0, expires: undefined });
  const authorization = `Bearer ${key}`;
  beforeAll(async () => {
    const small = { catalogue: smallCatalogue, locales: smallTables((cleanUp) => cleanUps.push(cleanUp)) };
    const guards = ({ apiKeys }: Store) => [createAccessGate('all', createKeyIdentifier(apiKeys))];
    [browser, server] = await Promise.all([openBrowser(), openServer({ ...small, access: 'all', guards })]);
    await server.store.apiKeys.add(stored);
    desktop = await openPage(browser, { viewport: { width: 1280, height: 900 }, locale: 'es-MX' });
  }, GIVE_UP_MS);
  afterAll(async () => {
    await Promise.all([browser.close(), server.close()]);
    for (const cleanUp of cleanUps) cleanUp();
  });

  test('on a phone in dark colours the switch and a link lead to the Spanish documentation of the cars', async () => {
    const { origin, close } = await openServer();
    const { page, visit, misdeeds } = await openPage(browser, {
      ...{ viewport: PHONE, hasTouch: true, isMobile: true, locale: 'en-GB', colorScheme: 'dark' },
    });
    await visit(`${origin}/`);
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
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
    await page.context().close();
    await close();
  });

  test('a link opens an operation in English, operations work, and colours are those that the person prefers', async () => {
    const body = JSON.stringify({ identifier: "d'Artagnan" });
    const headers = { authorization, 'content-type': 'application/json' };
    expect((await fetch(`${server.origin}/api/cars`, { method: 'POST', headers, body })).status).toBe(201);
    const { page, visit, misdeeds } = desktop;
    await page.setExtraHTTPHeaders({ authorization });
    await page.emulateMedia({ colorScheme: 'light' });
    await visit(`${server.origin}/docs/?lang=en#/Cars/carsUpdate`);
    await page.locator('.opblock.is-open').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.locator('html.dark-mode').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toBe('Documentation');
    await expectFits(page);
    await tryOperation(page, ['Cars/carsUpdate', 'PUT', item, 200]);
    // The whole page is audited below.
    expect(await axeFaults(page, '.opblock.is-open')).toEqual([]);
    await openAndTry(page, ['Cars/carsRemove', 'DELETE', item, 204]);

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  test('from there the switch leads to the Spanish documentation', async () => {
    const { page } = desktop;
    await page.setExtraHTTPHeaders({});
    await page.getByRole('link', { name: 'español' }).click();
    await page.locator('[aria-current]').getByText('español').waitFor();
    const { pathname, search } = new URL(page.url());
    expect([pathname, search]).toEqual(['/docs/', '?lang=es']);
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await operationOf(page, 'Coches/carsRemove').waitFor();
  });

  test('there a person gives a key on a phone in dark colours, which requests have from then on', async () => {
    const { page } = desktop;
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    const operation = operationOf(page, 'Coches/carsRemove');
    expect(await operation.locator('.needs-key').innerText()).toBe('Necesita una clave');
    expect(await operation.locator('button:not([tabindex="-1"]):visible').count()).toBe(1);
    await operation.locator('.opblock-summary-control').click();
    const status = async (): Promise<number> => {
      const sent = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await operation.locator('.execute').click();
      return (await sent).status();
    };
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Probar');
    await operation.locator('[data-param-in="path"] input').fill('none');
    expect(await status()).toBe(401);

    const field = page.getByLabel('Clave de API');
    expect(await field.getAttribute('type')).toBe('password');
    await expectSound(page);
    await field.fill(key);
    await press('Usar la clave');
    // The car is not there, as the service says to whom it lets pass.
    expect(await status()).toBe(404);
    await page.getByText('La página envía su clave.').waitFor();
  });

  test('its lists take examples, and values that are typed; no English is left', async () => {
    const { page } = desktop;
    for (const operation of spanish) await openAndTry(page, operation);
    const post = operationOf(page, create);
    // An example is sent again as it is.
    const again = page.waitForResponse((response) => response.request().method() === 'POST');
    await post.locator('.execute').click();
    expect((await again).status()).toBe(201);
    await post
      .getByRole('textbox', { name: 'Cuerpo de la petición' })
      .fill('{ "identificador": "león 1", "marca": "Škoda" }');
    await post.getByRole('button', { name: 'Ejecutar' }).click();
    await post.locator('.live-responses-table').getByText('/api/coches/le%C3%B3n%201').first().waitFor();
    expect(await post.locator('.live-responses-table .response-col_status').last().innerText()).toContain('201');
    const made = await fetch(`${server.origin}/api/cars/le%C3%B3n%201`, { headers: { authorization } });
    expect(await made.json()).toEqual({ identifier: 'león 1', brand: 'Škoda' });

    const get = operationOf(page, list);
    await get.getByRole('combobox', { name: 'ordenar_por' }).selectOption('marca');
    await get.getByRole('combobox', { name: 'orden', exact: true }).selectOption('descendente');
    await get.getByRole('textbox', { name: 'numero_de_elementos' }).fill('1');
    await get.getByRole('button', { name: 'Ejecutar' }).click();
    await get.locator('.live-responses-table').getByText('"Škoda"').first().waitFor();
    expect(await get.locator('.request-url').innerText()).toContain(
      '/api/coches?ordenar_por=marca&orden=descendente&numero_de_elementos=1',
    );
    const response = await get.locator('.live-responses-table').innerText();
    expect(response).toContain('"marca": "Škoda"');
    expect(response).toMatch(/x-total-count: *\d/);

    const said = (await page.evaluate(TEXTS)) as readonly string[];
    expect(said).toEqual(expect.arrayContaining(['Cancelar', 'Respuesta del servidor', 'Esquemas']));
    expect(said.filter((text) => untranslated.includes(text))).toEqual([]);
    await expectFits(page);
  });

  test('the page at the root has the key, too, until it is told to forget it, and then asks for it', async () => {
    const { page, visit } = desktop;
    await visit(`${server.origin}/?lang=es`);
    await page.locator('#browse').waitFor();
    await page.getByRole('button', { name: 'Olvidar la clave' }).click();
    await page.locator('#browse').waitFor({ state: 'detached' });
    await page.getByLabel('Clave de API').fill(key);
    await page.keyboard.press('Enter');
    await page.locator('#browse .count:not(:empty), #browse .none:visible').first().waitFor();
    await expectSound(page);
  });

  test('without scripts the documentation leads to the document', async () => {
    const { page, visit } = await openPage(browser, { javaScriptEnabled: false });
    await page.setExtraHTTPHeaders({ authorization });
    await visit(`${server.origin}/docs/?lang=es`);
    await page.getByRole('link', { name: '/api/openapi.es.json' }).click();
    expect(page.url()).toBe(`${server.origin}/api/openapi.es.json`);
  });
});
