/** A file is checked and imported on the page of its list, and the page is read with a key where one is needed. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keyRing, makeKey } from '../../../../src/host/access/keys.ts';
import { accessGate } from '../../../../src/host/access/policies.ts';
import { openServer } from '../../../support/app/server.ts';
import {
  axeFaults,
  browserPath,
  expectFits,
  GIVE_UP_MS,
  openBrowser,
  openPage,
} from '../../../support/process/browser.ts';

const languages = [
  {
    lang: 'en',
    list: 'cars',
    file: 'brand,model,year\nSeat,Ibiza,2008\nSeat,León,2010\n',
    faulty: 'brand,model,year\nSeat,Ibiza,soon\n',
    words: {
      fold: 'Import cars from a file',
      check: 'Check the file',
      import: 'Import',
      saved: 'Export the cars to a file',
    },
    checked: 'The file was checked; nothing has been stored yet.',
    imported: 'The file has been imported.',
    created: 'Created: 2',
    refused: ['Row', 'Column', 'Value', 'Detail'],
    counts: ['0 cars', '2 cars'],
    note: 'Importing needs a key with the scope “write”.',
    forbidden: 'it lacks the scope “write”',
    key: 'Use the key',
    missing: 'A valid key is missing',
  },
  {
    lang: 'es',
    list: 'coches',
    file: 'marca;modelo;anio\nSeat;Ibiza;2008\nSeat;León;2010\n',
    faulty: 'marca;modelo;anio\nSeat;Ibiza;pronto\n',
    words: {
      fold: 'Importar coches de un archivo',
      check: 'Comprobar el archivo',
      import: 'Importar',
      saved: 'Exportar los coches a un archivo',
    },
    checked: 'El archivo se ha comprobado; todavía no se ha guardado nada.',
    imported: 'El archivo se ha importado.',
    created: 'Creados: 2',
    refused: ['Fila', 'Columna', 'Valor', 'Detalle'],
    counts: ['0 coches', '2 coches'],
    note: 'Para importar hace falta una clave con el permiso «write».',
    forbidden: 'le falta el permiso «write»',
    key: 'Usar la clave',
    missing: 'Falta una clave válida',
  },
] as const;

const open = async (access: 'open' | 'write' | 'all') => {
  const server = await openServer({ access, guards: ({ apiKeys }) => [accessGate(access, keyRing(apiKeys))] });
  onTestFinished(() => server.close());
  return server;
};

const choose = (page: Page, text: string) =>
  page.locator('[type="file"]').setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

describe.skipIf(browserPath === undefined)('files', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, GIVE_UP_MS);
  afterAll(() => browser.close());

  test.each(languages)(
    'are checked, then imported, and exported in $lang',
    async ({ lang, file, faulty, words, ...said }) => {
      const { origin } = await open('open');
      const { page, visit, misdeeds } = await openPage(browser, { viewport: { width: 390, height: 800 } });
      await visit(`${origin}/?lang=${lang}`);
      await page.getByText(words.fold).click();
      const [check, importing] = [words.check, words.import].map((name) =>
        page.getByRole('button', { name, exact: true }),
      );
      expect(await importing?.isDisabled()).toBe(true);
      await choose(page, file);
      await check?.click();
      await page.getByText(said.checked).waitFor();
      await page.locator('.report').getByText(said.created).waitFor();
      expect(await page.locator('.count').innerText()).toBe(said.counts[0]);
      await importing?.click();
      await page.getByText(said.imported).waitFor();
      await page.locator('.count').getByText(said.counts[1], { exact: true }).waitFor();
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: words.saved }).click(),
      ]);
      expect(saved.suggestedFilename()).toMatch(/\.xlsx$/);
      expect(misdeeds()).toEqual({ said: [], abroad: [] });

      await choose(page, faulty);
      expect(await importing?.isDisabled()).toBe(true);
      await check?.click();
      await page.locator('.report.problem th').first().waitFor({ state: 'attached' });
      expect(await page.locator('.report th').allTextContents()).toEqual(said.refused);
      expect(await importing?.isDisabled()).toBe(true);
      await expectFits(page);
      expect(await axeFaults(page, '#browse')).toEqual([]);
    },
  );

  test.each(languages.slice(1))('a dropped one is checked in $lang', async ({ lang, file, words, checked }) => {
    const { origin } = await open('open');
    const { page, visit } = await openPage(browser, {});
    await visit(`${origin}/?lang=${lang}`);
    await page.getByText(words.fold).click();
    const script = `(() => { const transfer = new DataTransfer(); transfer.items.add(new File([${JSON.stringify(file)}], 'file.csv')); return transfer; })()`;
    const data = await page.evaluateHandle(script);
    await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
    await page.getByText(checked).waitFor();
  });

  test.each(languages)('need a key in $lang that may write, which is said first', async ({ lang, words, ...said }) => {
    const { origin, store } = await open('write');
    const { page, visit } = await openPage(browser, {});
    const { key, stored } = makeKey({ name: 'Visitor', scopes: ['read'], created: 0, expires: undefined });
    await store.apiKeys.add(stored);
    await visit(`${origin}/?lang=${lang}`);
    await page.getByText(words.fold).click();
    await page.getByText(said.note).waitFor();
    expect(await page.locator('[type="file"]').isVisible()).toBe(false);
    await page.locator('input[name="key"]').fill(key);
    await page.getByRole('button', { name: said.key }).click();
    // Whoever may not import is told why in place of the form.
    await page.locator('.report.problem').getByText(said.forbidden).waitFor();
    expect(await page.locator('[type="file"]').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: words.check }).isVisible()).toBe(false);
    await page.getByText(said.note).waitFor();
    expect(await axeFaults(page, '#browse')).toEqual([]);
  });

  test.each(languages)(
    'and lists need a key in $lang if all reading does',
    async ({ lang, list, file, words, ...said }) => {
      const { origin, store } = await open('all');
      const { page, visit } = await openPage(browser, { locale: lang });
      const { key, stored } = makeKey({ name: 'Shop', scopes: ['read', 'write'], created: 0, expires: undefined });
      await store.apiKeys.add(stored);
      await visit(`${origin}/?/${list}`);
      await page.getByRole('heading', { name: said.missing }).waitFor();
      await page.locator('input[name="key"]').fill(key);
      await page.getByRole('button', { name: said.key }).click();
      await page.getByText(said.counts[0]).first().waitFor();
      await page.getByText(words.fold).click();
      await choose(page, file);
      await page.getByRole('button', { name: words.check }).click();
      await page.getByRole('button', { name: words.import, exact: true }).click();
      await page.locator('.count').getByText(said.counts[1], { exact: true }).waitFor();
      await page.locator('td.key a').first().click();
      await page.getByRole('heading', { name: 'Seat Ibiza' }).waitFor();
      expect(new URL(page.url()).search).toMatch(new RegExp(`^\\?/${list}/[^&]+&lang=${lang}$`));
      await page.goBack();
      await page.getByText(said.counts[1]).first().waitFor();
      await page.locator('input[type="search"]').fill('leon');
      await page.keyboard.press('Enter');
      await page.waitForURL(/leon/);
      await page.locator('tbody tr').filter({ hasText: 'León' }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: words.saved }).click(),
      ]);
      expect(saved.suggestedFilename()).toMatch(/\.xlsx$/);
    },
  );
});
