import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFaults, browserPath, expectFits, openBrowser, openPage } from './support/browser.ts';
import { openServer } from './support/server.ts';

test('there is a browser', (context) => {
  if (browserPath !== undefined) return;
  // Where the whole must be shown to work, a part that cannot be looked at is a failure.
  if (process.env.CI) throw new Error('no Chromium on the PATH; on Debian: apt-get install chromium');
  context.skip('no Chromium on the PATH');
});

const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1280, height: 900 } };
const looks = [
  ['phone', 'light', 'en', { ...phone, colorScheme: 'light', locale: 'en-GB' }],
  ['phone', 'dark', 'es', { ...phone, colorScheme: 'dark', locale: 'es-MX' }],
  ['desktop', 'light', 'es', { ...desktop, colorScheme: 'light', locale: 'es-ES' }],
  ['desktop', 'dark', 'en', { ...desktop, colorScheme: 'dark', locale: 'en-US' }],
] as const;

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), openServer()]);
  });
  afterAll(() => Promise.all([browser.close(), server.close()]));

  describe.each(looks)('on a %s, %s, %s', (_device, _scheme, tag, options) => {
    test('the index is sound', async () => {
      const page = await openPage(browser, server.origin, options);
      await page.goto('/');
      expect(await page.locator('html').getAttribute('lang')).toBe(tag);
      await expectFits(page);
      expect(await axeFaults(page)).toEqual([]);
      expect(page.misdeeds).toEqual({ said: [], abroad: [] });
    });
  });
});
