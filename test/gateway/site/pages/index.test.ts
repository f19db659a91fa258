/** The page at the root, used as a person uses it: on a phone in English, and on a desktop in Spanish. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../../support/app/server.ts';
import {
  axeFaults,
  browserPath,
  expectFits,
  GIVE_UP_MS,
  openBrowser,
  openPage,
  type TestPage,
} from '../../../support/process/browser.ts';

/** Bytes of the page with everything it loads, headers too. */
const LIMIT = 60_000;

const narrow = { width: 360, height: 740 };
const wide = { width: 1440, height: 900 };

const CARS = Array.from({ length: 12 }, (_, at) =>
  at === 7
    ? { identifier: 'citroen', brand: 'Citroën', model: 'C4', year: 2030 }
    : { identifier: `seat/${at}`, brand: 'Seat', model: `Ibiza ${at}`, year: 2000 + at },
);

/** Counts what comes over the network, with headers, as it is transferred. */
const counterOf = async (page: Page): Promise<{ readonly bytes: () => number }> => {
  const session: CDPSession = await page.context().newCDPSession(page);
  let bytes = 0;
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return { bytes: () => bytes };
};

describe.skipIf(browserPath === undefined)('the page at the root', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
    const headers = { 'content-type': 'application/json' };
    await fetch(`${server.origin}/api/cars`, { method: 'POST', headers, body: JSON.stringify(CARS) });
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  const expectAllFits = async (page: Page) => {
    for (const viewport of [narrow, wide]) {
      await page.setViewportSize(viewport);
      await expectFits(page);
    }
  };

  test('is small on a phone, sound in light colours, shows cards, and loads nothing from elsewhere', async () => {
    const { page, visit, misdeeds } = await openPage(browser, {
      ...{ viewport: narrow, hasTouch: true, isMobile: true, locale: 'en-GB', colorScheme: 'light' },
    });
    const network = await counterOf(page);
    // Without a language in the address it is the browser's.
    await visit(`${server.origin}/`);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.locator('#browse .count').getByText('1–10 / 12 cars').waitFor();
    await page.waitForLoadState('networkidle');
    expect(network.bytes()).toBeGreaterThan(10_000);
    expect(network.bytes()).toBeLessThan(LIMIT);
    await expectFits(page);
    expect(await axeFaults(page)).toEqual([]);
    // Each value of a card has its label.
    const [label] = (await page.evaluate(
      'getComputedStyle(document.querySelectorAll("#browse td")[1], "::before").content.split(" ")',
    )) as readonly string[];
    expect(label).toBe('"Brand"');
    await page.locator('#browse tbody a').nth(7).click();
    await page.getByRole('heading', { level: 1, name: 'Citroën C4' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });

  // One page serves these tests, one after the other. An audit by axe takes a second of work: each state is audited once.
  describe('on a desktop', () => {
    let own: TestPage;
    beforeAll(async () => {
      own = await openPage(browser, { viewport: wide, locale: 'es-MX', colorScheme: 'dark' });
    });
    const index = () => {
      const { page, misdeeds } = own;
      const section = page.locator('#browse');
      const press = (name: string) =>
        section
          .getByRole('button', { name, exact: true })
          .or(section.getByRole('link', { name, exact: true }))
          .first()
          .click();
      return { page, misdeeds, section, press, request: section.locator('.sent a'), count: section.locator('.count') };
    };

    test('is sound in dark colours', async () => {
      await own.visit(`${server.origin}/`);
      const { page, misdeeds, count } = index();
      await count.getByText('1–10 / 12 coches').waitFor();
      // The name of a language begins a line of its own.
      expect(await page.locator('.bar li').allInnerTexts()).toEqual(['English', 'Español']);
      await expectAllFits(page);
      expect(await axeFaults(page)).toEqual([]);
      expect(misdeeds()).toEqual({ said: [], abroad: [] });
    });

    test('shows cars that the API filters, sorts and pages', async () => {
      const { page, misdeeds, section, press, request, count } = index();
      expect(await request.getAttribute('href')).toBe('/api/coches?numero_de_elementos=10&pagina=1');
      expect(await section.locator('tbody tr').count()).toBe(10);
      // Columns without values are folded up: the key and three fields are left.
      expect(await section.locator('thead th').count()).toBe(4);
      await press('Mostrar todas las columnas');
      await section.locator('thead th').nth(9).waitFor();
      await press('Quitar filtros');
      await press('Siguiente');
      await count.getByText('11–12 / 12 coches').waitFor();
      expect(await section.locator('tbody tr').count()).toBe(2);
      await press('Anterior');
      await count.getByText('1–10 / 12 coches').waitFor();

      await press('Año');
      await section.locator('[aria-sort="ascending"]').waitFor();
      await press('Año');
      await section.locator('[aria-sort="descending"]').waitFor({ state: 'attached' });
      expect(await request.getAttribute('href')).toBe(
        '/api/coches?ordenar_por=anio&orden=descendente&numero_de_elementos=10&pagina=1',
      );
      await section.locator('tbody td').nth(1).getByText('Citroën').waitFor();
      await press('Quitar filtros');
      await section.locator('tbody td').nth(1).getByText('Seat').waitFor();

      await section.locator('[name="buscar"]').fill('cit');
      await section.locator('[name="marca"]').fill('CITROËN');
      await press('Filtrar');
      await count.getByText('1 coche', { exact: true }).waitFor();
      const asked = 'buscar=cit&marca=CITRO%C3%8BN';
      expect(await request.getAttribute('href')).toBe(`/api/coches?${asked}&numero_de_elementos=10&pagina=1`);
      const link = section.locator('tbody a');
      expect([await link.innerText(), await link.getAttribute('href')]).toEqual([
        ...['citroen', `/?/coches/citroen&${asked}&lang=es`],
      ]);
      expect(page.url()).toBe(`${server.origin}/?${asked}&lang=es#items`);
      await link.click();
      await page.getByRole('heading', { level: 1, name: 'Citroën C4' }).waitFor();
      expect(await page.locator('.facts dd').allInnerTexts()).toEqual(['citroen', 'Citroën', 'C4', '2030']);
      await page.goBack();
      expect(misdeeds()).toEqual({ said: [], abroad: [] });
    });

    test('shows what the API refuses as the API says it, and that nothing matches', async () => {
      const { page, misdeeds, section, press } = index();
      await press('Quitar filtros');
      await section.locator('[name="anio_desde"]').fill('abc');
      await page.keyboard.press('Enter');
      const problem = section.getByRole('alert');
      await problem.waitFor();
      expect([await problem.locator('strong').innerText(), await problem.locator('li').innerText()]).toEqual([
        ...['Parámetro no válido', '«anio_desde» debe ser un número entero.'],
      ]);
      expect(await problem.locator('a').getAttribute('href')).toBe('/api/problems/invalid-parameter?lang=es');
      expect(await axeFaults(page, '#browse')).toEqual([]);

      await section.locator('[name="anio_desde"]').fill('2099');
      await press('Filtrar');
      await section.getByText('Ningún coche cumple estos filtros.').waitFor();
      expect(await problem.count()).toBe(0);
      expect(misdeeds().abroad).toEqual([]);
    });

    test.each(['/api/problems', '/api/problems/invalid-body'])('%s is sound', async (path) => {
      const { page, visit, misdeeds } = own;
      await visit(server.origin + path);
      await expectAllFits(page);
      expect(await axeFaults(page)).toEqual([]);
      expect(misdeeds()).toEqual({ said: [], abroad: [] });
    });
  });

  test('says that there is no car yet', async () => {
    const bare = await openServer();
    const { page, visit } = await openPage(browser, { locale: 'es-MX' });
    await visit(bare.origin);
    await page.getByText('Todavía no hay ningún coche.').waitFor();
    expect(await axeFaults(page, '#browse')).toEqual([]);
    await bare.close();
  });

  test('shows the same list without scripts', async () => {
    const { page, visit, misdeeds } = await openPage(browser, { javaScriptEnabled: false });
    await visit(`${server.origin}/?lang=en`);
    await page.locator('[name="brand"]').fill('citroen');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.locator('.count').getByText('1 car', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('brand')).toBe('citroen');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(misdeeds()).toEqual({ said: [], abroad: [] });
  });
});
