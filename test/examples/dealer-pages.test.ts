/** The dealer's pages, which have most that a catalogue may have: references, choices, amounts, dates and lists. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { openServer } from '../support/app/server.ts';
import { dealerTables } from '../support/language/dealer.ts';
import {
  axeFaults,
  browserPath,
  expectFits,
  GIVE_UP_MS,
  openBrowser,
  openPage,
  type TestPage,
} from '../support/process/browser.ts';

const car = {
  registration: '3613 NRY',
  make: 'Renault',
  model: 'Mégane',
  version: 'Blue dCi Zen '.repeat(4).trim(),
  price: 12489,
  kilometres: 56500,
  first_registered: '2018-01-07',
  fuel: 'diesel',
  state: 'available',
  branch: 'Gijón',
  equipment: ['Techo panorámico', 'Cámara trasera'],
};

/** Languages differ in words and formats only, so that an audit by axe, a second of work, is of each kind of page once. */
const pages = [
  ['/?lang=es', ['12.489,00', '56.500', 'diésel'], 390, 'dark'],
  ['/?lang=en', ['12,489.00', '56,500', 'diesel']],
  ['/?/coches/3613%20NRY&lang=es', ['12.489,00', '07/01/2018', 'Techo panorámico, Cámara trasera']],
  ['/?/cars/3613%20NRY&lang=en', ['12,489.00', 'Jan 7, 2018', 'Avenida de la Costa, 51'], 1280, 'light'],
  ['/?/sedes&lang=es', ['Avenida de la Costa, 51']],
  ['/?/branches/Gij%C3%B3n&lang=en', ['Avenida de la Costa, 51']],
] as const;

describe.skipIf(browserPath === undefined)('the pages of a dealer', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  let own: TestPage;
  beforeAll(async () => {
    const locales = dealerTables(afterAll);
    [browser, server] = await Promise.all([openBrowser(), openServer({ catalogue, locales })]);
    own = await openPage(browser, {});
    const headers = { 'content-type': 'application/json' };
    for (const [list, item] of [
      ['branches', { name: 'Gijón', address: 'Avenida de la Costa, 51', phone: '985 00 00 01' }],
      ['cars', car],
    ] as const) {
      const answer = await fetch(`${server.origin}/api/${list}`, {
        method: 'POST',
        body: JSON.stringify(item),
        headers,
      });
      expect([answer.status, await answer.text()]).toEqual([201, expect.anything()]);
    }
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  test.each(pages)('%s is as people write it, and sound', async (address, texts, audited?, colorScheme?) => {
    const { page, visit, misdeeds } = own;
    await visit(server.origin + address);
    const shown = await page.locator('main').innerText();
    for (const text of texts) expect(shown).toContain(text);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expectFits(page);
      if (width !== audited) continue;
      await page.emulateMedia({ colorScheme: colorScheme ?? null });
      expect(await axeFaults(page)).toEqual([]);
    }
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });
});
