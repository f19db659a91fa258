/** Each operation, opened first in a page of its own: what Swagger UI shows must not depend on what was opened before. */
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { browserPath, openBrowser } from '../../support/process/browser.ts';

/** Milliseconds: a browser without a graphics card, on a busy machine. */
const GIVE_UP_MS = 120_000;

/** Operations by their links, in either language by turns, with the request that their examples make. */
const operations: readonly (readonly [language: string, link: string, method: string, path: string])[] = [
  ['es', 'Coches/carsList', 'GET', '/api/coches'],
  ['en', 'Cars/carsCreate', 'POST', '/api/cars'],
  ['es', 'Coches/carsRead', 'GET', '/api/coches/seat-ibiza-1'],
  ['en', 'Cars/carsUpdate', 'PUT', '/api/cars/seat-ibiza-1'],
  ['es', 'Coches/carsRemove', 'DELETE', '/api/coches/seat-ibiza-1'],
  ['en', 'Oils/oilsList', 'GET', '/api/cars/seat-ibiza-1/oils'],
  ['es', 'Aceites/oilsCreate', 'POST', '/api/coches/seat-ibiza-1/aceites'],
  ['en', 'Oils/oilsRead', 'GET', '/api/cars/seat-ibiza-1/oils/5W-30'],
  ['es', 'Aceites/oilsUpdate', 'PUT', '/api/coches/seat-ibiza-1/aceites/5W-30'],
  ['en', 'Oils/oilsRemove', 'DELETE', '/api/cars/seat-ibiza-1/oils/5W-30'],
];

describe.skipIf(browserPath === undefined)('a link into the documentation opens', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let context: BrowserContext;
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
    // One cache for all pages: their scripts are loaded once.
    context = await browser.newContext({ baseURL: server.origin, viewport: { width: 1280, height: 900 } });
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  test.each(operations)('in %s: %s, which sends %s %s', async (language, link, method, path) => {
    const page = await context.newPage();
    onTestFinished(() => page.close());
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/api/c'));
    await page.goto(`/docs/?lang=${language}#/${link}`);
    const operation = page.locator('.opblock.is-open');
    await operation.locator('.try-out__btn').click();
    await operation.locator('.execute').click();
    const request = await sent;
    expect([request.method(), new URL(request.url()).pathname]).toEqual([method, path]);
    const body = request.postData();
    if (body !== null) expect(Object.keys(JSON.parse(body)).length).toBeGreaterThan(0);
    // Whether the example's car is there is another question; that the request was understood is not.
    const response = await request.response();
    expect([200, 201, 204, 404]).toContain(response?.status());
  });
});
