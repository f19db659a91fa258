/**
 * The documentation of a small catalogue, which a browser shows sooner, on a desktop in light colours: what is the same
 * whatever is documented.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyRing, makeKey } from '../../../../src/host/access/keys.ts';
import { accessGate } from '../../../../src/host/access/policies.ts';
import type { Store } from '../../../../src/store/store.ts';
import { openServer } from '../../../support/app/server.ts';
import { smallCatalogue, smallTables } from '../../../support/language/small-catalogue.ts';
import {
  browserPath,
  expectFits,
  expectSound,
  GIVE_UP_MS,
  openBrowser,
  openPage,
  type TestPage,
} from '../../../support/process/browser.ts';
import { openAndTry, operationOf, tryOperation } from '../../../support/process/operations.ts';

const screen = { viewport: { width: 1280, height: 900 }, locale: 'es-MX' };
const path = '/api/cars/d%27Artagnan';

describe.skipIf(browserPath === undefined)('in a browser', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  let desktop: TestPage;
  const cleanUps: (() => void)[] = [];
  const { key, stored } = makeKey({ name: 'Docs', scopes: ['read', 'write'], created: 0, expires: undefined });
  const authorization = `Bearer ${key}`;
  beforeAll(async () => {
    const small = { catalogue: smallCatalogue, locales: smallTables((cleanUp) => cleanUps.push(cleanUp)) };
    const guards = ({ apiKeys }: Store) => [accessGate('all', keyRing(apiKeys))];
    [browser, server] = await Promise.all([openBrowser(), openServer({ ...small, access: 'all', guards })]);
    await server.store.apiKeys.add(stored);
    desktop = await openPage(browser, screen);
  }, GIVE_UP_MS);
  afterAll(async () => {
    await Promise.all([browser.close(), server.close()]);
    for (const cleanUp of cleanUps) cleanUp();
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
    await tryOperation(page, ['Cars/carsUpdate', 'PUT', path, 200]);
    await expectSound(page);
    await openAndTry(page, ['Cars/carsRemove', 'DELETE', path, 204]);

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

  test('there a person gives a key, which requests have from then on', async () => {
    const { page } = desktop;
    await page.setViewportSize({ width: 375, height: 740 });
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
    await expectSound(page);
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
});
