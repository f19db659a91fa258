/** Each operation, opened first in a page of its own: what Swagger UI shows must not depend on what was opened before. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../support/app/server.ts';
import { browserPath, openBrowser, openPage } from '../../support/process/browser.ts';

/** Milliseconds: a browser without a graphics card, on a busy machine. */
const GIVE_UP_MS = 120_000;

/** Operations by their links, with the request that their examples make. */
const operations: readonly (readonly [language: string, link: string, method: string, path: string])[] = [
  ['es', 'Coches/carsList', 'GET', '/api/coches'],
  ['es', 'Coches/carsCreate', 'POST', '/api/coches'],
  ['es', 'Coches/carsRead', 'GET', '/api/coches/seat-ibiza-1'],
  ['es', 'Coches/carsUpdate', 'PUT', '/api/coches/seat-ibiza-1'],
  ['es', 'Coches/carsPatch', 'PATCH', '/api/coches/seat-ibiza-1'],
  ['es', 'Coches/carsRemove', 'DELETE', '/api/coches/seat-ibiza-1'],
  ['es', 'Aceites/oilsList', 'GET', '/api/coches/seat-ibiza-1/aceites'],
  ['es', 'Aceites/oilsCreate', 'POST', '/api/coches/seat-ibiza-1/aceites'],
  ['es', 'Aceites/oilsRead', 'GET', '/api/coches/seat-ibiza-1/aceites/5W-30'],
  ['es', 'Aceites/oilsUpdate', 'PUT', '/api/coches/seat-ibiza-1/aceites/5W-30'],
  ['es', 'Aceites/oilsPatch', 'PATCH', '/api/coches/seat-ibiza-1/aceites/5W-30'],
  ['es', 'Aceites/oilsRemove', 'DELETE', '/api/coches/seat-ibiza-1/aceites/5W-30'],
  ['en', 'Cars/carsList', 'GET', '/api/cars'],
  ['en', 'Cars/carsCreate', 'POST', '/api/cars'],
  ['en', 'Cars/carsRead', 'GET', '/api/cars/seat-ibiza-1'],
  ['en', 'Cars/carsUpdate', 'PUT', '/api/cars/seat-ibiza-1'],
  ['en', 'Cars/carsPatch', 'PATCH', '/api/cars/seat-ibiza-1'],
  ['en', 'Cars/carsRemove', 'DELETE', '/api/cars/seat-ibiza-1'],
  ['en', 'Oils/oilsList', 'GET', '/api/cars/seat-ibiza-1/oils'],
  ['en', 'Oils/oilsCreate', 'POST', '/api/cars/seat-ibiza-1/oils'],
  ['en', 'Oils/oilsRead', 'GET', '/api/cars/seat-ibiza-1/oils/5W-30'],
  ['en', 'Oils/oilsUpdate', 'PUT', '/api/cars/seat-ibiza-1/oils/5W-30'],
  ['en', 'Oils/oilsPatch', 'PATCH', '/api/cars/seat-ibiza-1/oils/5W-30'],
  ['en', 'Oils/oilsRemove', 'DELETE', '/api/cars/seat-ibiza-1/oils/5W-30'],
];

describe.skipIf(browserPath === undefined)('a link into the documentation opens', { timeout: GIVE_UP_MS }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
  }, GIVE_UP_MS);
  afterAll(() => Promise.all([browser.close(), server.close()]));

  test.each(operations)('in %s: %s, which sends %s %s', async (language, link, method, path) => {
    const page = await openPage(browser, server.origin, { viewport: { width: 1280, height: 900 } });
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
