/** *Try it out* where changes need a key. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { accessGate } from '../../../src/access/gate.ts';
import { makeKey } from '../../../src/access/key.ts';
import { keyRing } from '../../../src/access/key-ring.ts';
import type { Store } from '../../../src/store/port.ts';
import { openServer } from '../../support/app/server.ts';
import { smallCatalogue, smallTables } from '../../support/language/small-catalogue.ts';
import { browserPath, expectFits, GIVE_UP_MS, openBrowser, openPage } from '../../support/process/browser.ts';

describe.skipIf(browserPath === undefined)('in a browser', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, GIVE_UP_MS);
  afterAll(() => browser.close());

  test('a person gives a key, as Bearer or as X-API-Key, and the page forgets it', async () => {
    // Of a small catalogue, whose documentation a browser shows sooner.
    const small = { catalogue: smallCatalogue, locales: smallTables() };
    const guards = ({ keys }: Store) => [accessGate('write', keyRing(keys))];
    const server = await openServer({ ...small, access: 'write', guards });
    onTestFinished(server.close);
    const { key, stored } = makeKey({ name: 'Docs', scopes: ['write'], created: 0, expires: undefined });
    await server.store.keys.add(stored);
    const { page, visit } = await openPage(browser, { viewport: { width: 375, height: 740 }, locale: 'es' });
    await visit(`${server.origin}/docs/#/Coches/carsRemove`);
    const operation = page.locator('.opblock.is-open');
    const status = async (): Promise<number> => {
      const sent = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await operation.locator('.execute').click();
      return (await sent).status();
    };
    const dialog = page.locator('.dialog-ux');
    const close = () => dialog.getByRole('button', { name: 'Cerrar' }).first().click();
    await operation.getByRole('button', { name: 'Probar' }).click();
    expect(await status()).toBe(401);

    for (const [field, place] of [['auth-bearer-value', 0] as const, ['api_key_value', 1] as const]) {
      await page.getByRole('button', { name: 'Autorizar' }).click();
      await dialog.locator(`#${field}`).fill(key);
      await expectFits(page);
      await dialog.getByRole('button', { name: 'Usar la clave' }).nth(place).click();
      const said = await dialog.innerText();
      for (const text of ['Claves', 'Una clave de API', 'Autorizado', 'Valor:']) expect(said).toContain(text);
      await close();
      // The car is not there, as the service says to whom it lets pass.
      expect(await status()).toBe(404);

      await page.getByRole('button', { name: 'Autorizar' }).click();
      await dialog.getByRole('button', { name: 'Olvidar la clave' }).click();
      await close();
      expect(await status()).toBe(401);
    }
  });
});
