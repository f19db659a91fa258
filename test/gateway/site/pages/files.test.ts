/**
 * A file is checked and imported on the page of its list, and the page is read with a key where one is needed. That every text
 * of a page is said in the words of its language is tested with pseudo-languages.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKeyIdentifier, makeKey } from '../../../../src/host/access/keys.ts';
import { createAccessGate } from '../../../../src/host/access/policies.ts';
import { openServer } from '../../../support/app/server.ts';
import {
  axeFaults,
  browserPath,
  expectFits,
  GIVE_UP_MS,
  openBrowser,
  openPage,
} from '../../../support/process/browser.ts';

const FILE = 'marca;modelo;anio\nSeat;Ibiza;2008\nSeat;León;2010\n';
const FOLD = 'Importar coches de un archivo';
const CHECKED = 'El archivo se ha comprobado; todavía no se ha guardado nada.';

const open = async (access: 'open' | 'write' | 'all') => {
  const server = await openServer({
    access,
    guards: ({ apiKeys }) => [createAccessGate(access, createKeyIdentifier(apiKeys))],
  });
  onTestFinished(() => server.close());
  return server;
};

const choose = (page: Page, text: string) =>
  page.locator('[type="file"]').setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

/** @returns the name of the file that a link downloads */
const save = async (page: Page, name: string): Promise<string> => {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  return saved.suggestedFilename();
};

describe.skipIf(browserPath === undefined)('files', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, GIVE_UP_MS);
  afterAll(() => browser.close());

  test('are checked, then imported, and exported', async () => {
    const { origin } = await open('open');
    const { page, visit, misdeeds } = await openPage(browser, { viewport: { width: 390, height: 800 } });
    await visit(`${origin}/?lang=es`);
    await page.getByText(FOLD).click();
    const [check, importing] = ['Comprobar el archivo', 'Importar'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    expect(await importing?.isDisabled()).toBe(true);
    await choose(page, FILE);
    await check?.click();
    await page.getByText(CHECKED).waitFor();
    await page.locator('.report').getByText('Creados: 2').waitFor();
    expect(await page.locator('.count').innerText()).toBe('0 coches');
    await importing?.click();
    await page.getByText('El archivo se ha importado.').waitFor();
    await page.locator('.count').getByText('2 coches', { exact: true }).waitFor();
    expect(await save(page, 'Exportar los coches a un archivo')).toMatch(/\.xlsx$/);
    expect(misdeeds()).toEqual({ said: [], abroad: [] });

    await choose(page, FILE.replace('2008', 'pronto'));
    expect(await importing?.isDisabled()).toBe(true);
    await check?.click();
    await page.locator('.report.problem th').first().waitFor({ state: 'attached' });
    expect(await page.locator('.report th').allTextContents()).toEqual(['Fila', 'Columna', 'Valor', 'Detalle']);
    expect(await importing?.isDisabled()).toBe(true);
    await expectFits(page);
    expect(await axeFaults(page, '#browse')).toEqual([]);
  });

  test('are checked where they are dropped', async () => {
    const { origin } = await open('open');
    const { page, visit } = await openPage(browser, {});
    await visit(`${origin}/?lang=es`);
    await page.getByText(FOLD).click();
    const script = `(() => { const transfer = new DataTransfer(); transfer.items.add(new File([${JSON.stringify(FILE)}], 'file.csv')); return transfer; })()`;
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: await page.evaluateHandle(script) });
    await page.getByText(CHECKED).waitFor();
  });

  test('need a key that may write, which is said first', async () => {
    const { origin, store } = await open('write');
    const { page, visit } = await openPage(browser, {});
    const { key, stored } = makeKey({ name: 'Visitor', scopes: ['read'], created: 0, expires: undefined });
    await store.apiKeys.add(stored);
    const note = 'Importing needs a key with the scope “write”.';
    await visit(`${origin}/?lang=en`);
    await page.getByText('Import cars from a file').click();
    await page.getByText(note).waitFor();
    expect(await page.locator('[type="file"]').isVisible()).toBe(false);
    await page.locator('input[name="key"]').fill(key);
    await page.getByRole('button', { name: 'Use the key' }).click();
    // Whoever may not import is told why in place of the form.
    await page.locator('.report.problem').getByText('it lacks the scope “write”').waitFor();
    expect(await page.locator('[type="file"]').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Check the file' }).isVisible()).toBe(false);
    await page.getByText(note).waitFor();
    expect(await axeFaults(page, '#browse')).toEqual([]);
  });

  test('and lists need a key if all reading does', async () => {
    const { origin, store } = await open('all');
    const { page, visit } = await openPage(browser, { locale: 'es' });
    const { key, stored } = makeKey({ name: 'Shop', scopes: ['read', 'write'], created: 0, expires: undefined });
    await store.apiKeys.add(stored);
    await visit(`${origin}/?/coches`);
    await page.getByRole('heading', { name: 'Falta una clave válida' }).waitFor();
    await page.locator('input[name="key"]').fill(key);
    await page.getByRole('button', { name: 'Usar la clave' }).click();
    await page.getByText('0 coches').first().waitFor();
    await page.getByText(FOLD).click();
    await choose(page, FILE);
    await page.getByRole('button', { name: 'Comprobar el archivo' }).click();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.locator('.count').getByText('2 coches', { exact: true }).waitFor();
    await page.locator('td.key a').first().click();
    await page.getByRole('heading', { name: 'Seat Ibiza' }).waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?\/coches\/[^&]+&lang=es$/);
    await page.goBack();
    await page.getByText('2 coches').first().waitFor();
    await page.locator('input[type="search"]').fill('leon');
    await page.keyboard.press('Enter');
    await page.waitForURL(/leon/);
    await page.locator('tbody tr').filter({ hasText: 'León' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await save(page, 'Exportar los coches a un archivo')).toMatch(/\.xlsx$/);
  });
});
