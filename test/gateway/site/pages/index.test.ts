/** The page at the root, used as a person uses it, in each language. */
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

const languages = [
  {
    lang: 'en',
    options: { viewport: narrow, hasTouch: true, isMobile: true, locale: 'en-GB' },
    colorScheme: 'light',
    problems: '/api/problems',
    search: 'search',
    fold: 'Show all columns',
    brand: 'brand',
    year: 'year_from',
    buttons: { filter: 'Filter', clear: 'Clear filters', next: 'Next', previous: 'Previous', sort: 'Year' },
    first: '/api/cars?number_of_elements=10&page=1',
    filtered: '/api/cars?search=cit&brand=CITRO%C3%8BN&number_of_elements=10&page=1',
    sorted: '/api/cars?sort_by=year&order=desc&number_of_elements=10&page=1',
    car: '/?/cars/citroen&search=cit&brand=CITRO%C3%8BN&lang=en',
    sent: '/?search=cit&brand=CITRO%C3%8BN&lang=en',
    counts: { all: '1–10 / 12 cars', rest: '11–12 / 12 cars', one: '1 car' },
    refused: ['Invalid parameter', '“year_from” must be a whole number.'],
    nothing: 'No cars match these filters.',
  },
  {
    lang: 'es',
    options: { viewport: wide, locale: 'es-MX' },
    colorScheme: 'dark',
    problems: '/api/problems/invalid-body',
    search: 'buscar',
    fold: 'Mostrar todas las columnas',
    brand: 'marca',
    year: 'anio_desde',
    buttons: { filter: 'Filtrar', clear: 'Quitar filtros', next: 'Siguiente', previous: 'Anterior', sort: 'Año' },
    first: '/api/coches?numero_de_elementos=10&pagina=1',
    filtered: '/api/coches?buscar=cit&marca=CITRO%C3%8BN&numero_de_elementos=10&pagina=1',
    sorted: '/api/coches?ordenar_por=anio&orden=descendente&numero_de_elementos=10&pagina=1',
    car: '/?/coches/citroen&buscar=cit&marca=CITRO%C3%8BN&lang=es',
    sent: '/?buscar=cit&marca=CITRO%C3%8BN&lang=es',
    counts: { all: '1–10 / 12 coches', rest: '11–12 / 12 coches', one: '1 coche' },
    refused: ['Parámetro no válido', '«anio_desde» debe ser un número entero.'],
    nothing: 'Ningún coche cumple estos filtros.',
  },
] as const;

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

  // An audit by axe takes a second of work. Languages differ in words only, so that each colour scheme, each page and each
  // state of it is audited in one of them; all fit in each. One page with cars serves the first tests, one after the other.
  describe.each(languages)(
    'in $lang',
    ({ lang, options, colorScheme, problems, search, fold, brand, year, buttons, ...said }) => {
      let own: TestPage;
      beforeAll(async () => {
        own = await openPage(browser, options);
      });
      const index = () => {
        const { page, misdeeds } = own;
        const section = page.locator('#browse');
        return { page, misdeeds, section, request: section.locator('.sent'), count: section.locator('.count') };
      };
      const press = (page: Page, name: string) =>
        page
          .locator('#browse')
          .getByRole('button', { name, exact: true })
          .or(page.locator('#browse').getByRole('link', { name, exact: true }))
          .first()
          .click();
      const expectAllFits = async (page: Page) => {
        for (const viewport of [narrow, wide, options.viewport]) {
          await page.setViewportSize(viewport);
          await expectFits(page);
        }
      };

      test(`is small, sound in ${colorScheme} colours, and loads nothing from elsewhere`, async () => {
        const network = await counterOf(own.page);
        // Without a language in the address it is the browser's.
        await own.visit(`${server.origin}/`);
        const { page, misdeeds, count } = index();
        expect(await page.locator('html').getAttribute('lang')).toBe(lang);
        await count.getByText(said.counts.all).waitFor();
        // The name of a language begins a line of its own.
        expect(await page.locator('.bar li').allInnerTexts()).toEqual(['English', 'Español']);
        await page.waitForLoadState('networkidle');
        expect(network.bytes()).toBeGreaterThan(10_000);
        expect(network.bytes()).toBeLessThan(LIMIT);
        await page.emulateMedia({ colorScheme });
        await expectAllFits(page);
        expect(await axeFaults(page)).toEqual([]);
        expect(misdeeds()).toEqual({ said: [], abroad: [] });
      });

      test('shows cars that the API filters, sorts and pages', async () => {
        const { page, misdeeds, section, request, count } = index();
        expect(await request.locator('a').getAttribute('href')).toBe(said.first);
        expect(await section.locator('tbody tr').count()).toBe(10);
        // Columns without values are folded up: the key and three fields are left.
        expect(await section.locator('thead th').count()).toBe(4);
        // A phone shows cards, in which each value has its label.
        if (options.viewport === wide) {
          await press(page, fold);
          await section.locator('thead th').nth(9).waitFor();
          await press(page, buttons.clear);
        } else {
          const [label] = (await page.evaluate(
            'getComputedStyle(document.querySelectorAll("#browse td")[1], "::before").content.split(" ")',
          )) as readonly string[];
          expect(label).toBe('"Brand"');
        }
        await press(page, buttons.next);
        await count.getByText(said.counts.rest).waitFor();
        expect(await section.locator('tbody tr').count()).toBe(2);
        await press(page, buttons.previous);
        await count.getByText(said.counts.all).waitFor();

        if (options.viewport === wide) {
          await press(page, buttons.sort);
          await section.locator('[aria-sort="ascending"]').waitFor();
          await press(page, buttons.sort);
        } else await own.visit(`${server.origin}/?sort_by=year&order=desc`);
        await section.locator('[aria-sort="descending"]').waitFor({ state: 'attached' });
        expect(await request.locator('a').getAttribute('href')).toBe(said.sorted);
        await section.locator('tbody td').nth(1).getByText('Citroën').waitFor();
        await press(page, buttons.clear);
        await section.locator('tbody td').nth(1).getByText('Seat').waitFor();

        await section.locator(`[name="${search}"]`).fill('cit');
        await section.locator(`[name="${brand}"]`).fill('CITROËN');
        await press(page, buttons.filter);
        await count.getByText(said.counts.one, { exact: true }).waitFor();
        expect(await request.locator('a').getAttribute('href')).toBe(said.filtered);
        const link = section.locator('tbody a');
        expect([await link.innerText(), await link.getAttribute('href')]).toEqual(['citroen', said.car]);
        expect(page.url()).toBe(`${server.origin}${said.sent}#items`);
        await link.click();
        await page.getByRole('heading', { level: 1, name: 'Citroën C4' }).waitFor();
        expect(await page.locator('.facts dd').allInnerTexts()).toEqual(['citroen', 'Citroën', 'C4', '2030']);
        if (colorScheme === 'light') expect(await axeFaults(page)).toEqual([]);
        await page.goBack();
        expect(misdeeds()).toEqual({ said: [], abroad: [] });
      });

      test('shows what the API refuses as the API says it, and that nothing matches', async () => {
        const { page, misdeeds, section } = index();
        await press(page, buttons.clear);
        await section.locator(`[name="${year}"]`).fill('abc');
        await page.keyboard.press('Enter');
        const problem = section.getByRole('alert');
        await problem.waitFor();
        expect([await problem.locator('strong').innerText(), await problem.locator('li').innerText()]).toEqual(
          said.refused,
        );
        expect(await problem.locator('a').getAttribute('href')).toBe(`/api/problems/invalid-parameter?lang=${lang}`);
        if (colorScheme === 'dark') expect(await axeFaults(page, '#browse')).toEqual([]);

        await section.locator(`[name="${year}"]`).fill('2099');
        await press(page, buttons.filter);
        await section.getByText(said.nothing).waitFor();
        expect(await problem.count()).toBe(0);
        expect(misdeeds().abroad).toEqual([]);
      });

      test('explains problems on a page that is sound', async () => {
        const { page, visit, misdeeds } = own;
        await visit(server.origin + problems);
        await expectAllFits(page);
        expect(await axeFaults(page)).toEqual([]);
        expect(misdeeds()).toEqual({ said: [], abroad: [] });
      });
    },
  );

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
