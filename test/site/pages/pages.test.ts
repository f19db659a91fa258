import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { tableOf } from '../../support/language/locale-folder.ts';
import { axeFaults, browserPath, expectFits, openBrowser, openPage } from '../../support/process/browser.ts';

test('there is a browser', (context) => {
  if (browserPath !== undefined) return;
  // Where the whole must be shown to work, a part that cannot be looked at is a failure.
  if (process.env.CI) throw new Error('no Chromium on the PATH; on Debian: apt-get install chromium');
  context.skip('no Chromium on the PATH');
});

/** Milliseconds: a browser without a graphics card, on a busy machine. */
const GIVE_UP_MS = 120_000;

const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1280, height: 900 } };
const looks = [
  ['phone', 'light', 'en', 'post', { ...phone, colorScheme: 'light', locale: 'en-GB' }],
  ['phone', 'dark', 'es', 'get', { ...phone, colorScheme: 'dark', locale: 'es-MX' }],
  ['desktop', 'light', 'es', 'get', { ...desktop, colorScheme: 'light', locale: 'es-ES' }],
  ['desktop', 'dark', 'en', 'post', { ...desktop, colorScheme: 'dark', locale: 'en-US' }],
] as const;
const spanish = looks[2][4];
const english = looks[3][4];

const { labels } = tableOf('es').pages;
const untranslated = Object.keys(labels).filter((label) => labels[label] !== label);

/** Opens the first operation of a kind. */
const openOperation = async (page: Page, method: 'get' | 'post') => {
  const operation = page.locator(`.opblock-${method}`).first();
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.try-out__btn').click();
  return operation;
};

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
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  describe.each(looks)('on a %s, %s, in %s', (_device, scheme, tag, method, options) => {
    test('the index is sound', async () => {
      const page = await openPage(browser, server.origin, options);
      await page.goto('/');
      expect(await page.locator('html').getAttribute('lang')).toBe(tag);
      await expectFits(page);
      expect(await axeFaults(page)).toEqual([]);
      expect(page.misdeeds).toEqual({ said: [], abroad: [] });
    });

    test('the documentation is sound, and with it what is opened in it', async () => {
      const page = await openPage(browser, server.origin, options);
      await page.goto('/docs/');
      await page.locator('.opblock').first().waitFor();
      await expectFits(page);
      const operation = await openOperation(page, method);
      if (method === 'get') {
        await operation.locator('.execute').click();
        await operation.locator('.live-responses-table').waitFor();
      }
      expect(await page.locator('html').getAttribute('lang')).toBe(tag);
      expect(await page.locator('html.dark-mode').count()).toBe(scheme === 'dark' ? 1 : 0);
      await expectFits(page);
      expect(await axeFaults(page)).toEqual([]);
      expect(page.misdeeds).toEqual({ said: [], abroad: [] });
    });
  });

  test('the switch changes the words of both pages, and what is chosen stays; the colours follow too', async () => {
    const page = await openPage(browser, server.origin, english);
    await page.goto('/');
    await page.getByRole('link', { name: 'español' }).click();
    expect(await page.locator('h1').innerText()).toBe('Catálogo del concesionario');
    await page.getByRole('link', { name: 'Documentación', exact: true }).click();
    await page.locator('.opblock').first().waitFor();
    expect(new URL(page.url()).search).toBe('?lang=es');
    expect(await page.locator('h1').innerText()).toBe('Documentación');
    expect(await page.locator('.opblock-summary-path').first().innerText()).toMatch(/^\/api\/coches$/m);

    await page.getByRole('link', { name: 'English' }).click();
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('h1').innerText()).toBe('Documentation');
    expect(await page.locator('.opblock-summary-path').first().innerText()).toMatch(/^\/api\/cars$/m);
    expect(await page.locator('[aria-current]').innerText()).toBe('English');

    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark-mode').waitFor();
    expect(page.misdeeds).toEqual({ said: [], abroad: [] });
  });

  test('a car is created and found again from the Spanish page, on which no English is left', async () => {
    const page = await openPage(browser, server.origin, spanish);
    await page.goto('/docs/');
    const post = page.locator('.opblock-post').first();
    await post.locator('.opblock-summary-control').click();
    await post.getByRole('button', { name: 'Probar' }).click();
    await post
      .getByRole('textbox', { name: 'Cuerpo de la petición' })
      .fill('{ "identificador": "león 1", "marca": "Seat", "modelo": "León", "cilindrada": 150 }');
    await post.getByRole('button', { name: 'Ejecutar' }).click();
    await post.locator('.live-responses-table').waitFor();
    expect(await post.locator('.live-responses-table .response-col_status').last().innerText()).toContain('201');
    expect(await post.locator('.live-responses-table').innerText()).toContain('/api/coches/le%C3%B3n%201');
    const made = await fetch(`${server.origin}/api/cars/le%C3%B3n%201`);
    expect(await made.json()).toEqual({ identifier: 'león 1', brand: 'Seat', model: 'León', enginePower: 150 });

    const get = page.locator('.opblock-get').first();
    await get.locator('.opblock-summary-control').click();
    await get.getByRole('button', { name: 'Probar' }).click();
    await get.getByRole('combobox', { name: 'ordenar_por' }).selectOption('cilindrada');
    await get.getByRole('combobox', { name: 'orden', exact: true }).selectOption('descendente');
    await get.getByRole('textbox', { name: 'numero_de_elementos' }).fill('1');
    await get.getByRole('button', { name: 'Ejecutar' }).click();
    await get.locator('.live-responses-table').waitFor();
    expect(await get.locator('.request-url').innerText()).toContain(
      '/api/coches?ordenar_por=cilindrada&orden=descendente&numero_de_elementos=1',
    );
    const answer = await get.locator('.live-responses-table').innerText();
    expect(answer).toContain('"modelo": "León"');
    expect(answer).toMatch(/x-total-count: *\d/);

    const said = (await page.evaluate(TEXTS)) as readonly string[];
    expect(said).toEqual(expect.arrayContaining(['Cancelar', 'Respuesta del servidor', 'Esquemas', 'Desplegar todo']));
    expect(said.filter((text) => untranslated.includes(text))).toEqual([]);
    expect(page.misdeeds).toEqual({ said: [], abroad: [] });
  });

  test('without scripts the documentation leads to the document', async () => {
    const page = await openPage(browser, server.origin, { ...spanish, javaScriptEnabled: false });
    await page.goto('/docs/');
    await page.getByRole('link', { name: '/api/openapi.es.json' }).click();
    expect(page.url()).toBe(`${server.origin}/api/openapi.es.json`);
  });
});
