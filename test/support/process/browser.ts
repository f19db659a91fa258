import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

/** Milliseconds: a browser without a graphics card, on a busy machine. */
export const GIVE_UP_MS = 120_000;

/** The shell is the same browser without windows: tests of pages take four fifths of the CPU. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where this machine has a browser; `undefined` where it has none. */
export const browserPath = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/**
 * Two pages behind the address bar of every window, a second of work, and a process in reserve. Chromium reads the last such
 * list only, so it has those of Playwright's, too, for what asks Google, prefers HTTPS or ends with a context.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
];

/** @param hosts names that lead to this machine */
export const openBrowser = (hosts: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: browserPath ?? '',
    args: [
      // Chromium refuses its sandbox to root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--disable-features=${DISABLED_FEATURES.join(',')}`,
      // Threads that compile and collect garbage beside a page, for it to answer sooner: an eighth of its CPU.
      '--js-flags=--single-threaded',
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')}`,
    ],
  });

/** Everything that a page should keep from doing. */
interface Misdeeds {
  /** What the console was told, and errors that nobody caught. */
  readonly said: readonly string[];
  /** Requests to any other origin. */
  readonly abroad: readonly string[];
}

export interface TestPage {
  readonly page: Page;
  /** Loads an address anew. What its page must not do is remembered from then on, with the address's origin as the only one. */
  readonly visit: (address: string) => Promise<void>;
  readonly misdeeds: () => Misdeeds;
}

/** Opens a page that many tests use one after the other: what one has loaded and compiled costs the next one nothing. */
export const openPage = async (browser: Browser, options: BrowserContextOptions): Promise<TestPage> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(GIVE_UP_MS);
  const page = await context.newPage();
  let home = '';
  let said: string[] = [];
  let abroad: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== home) abroad.push(request.url());
  });
  const visit = async (address: string): Promise<void> => {
    // An address that differs in its fragment only would not be loaded.
    await page.goto('about:blank');
    home = new URL(address).origin;
    said = [];
    abroad = [];
    await page.goto(address);
  };
  return { page, visit, misdeeds: () => ({ said, abroad }) };
};

/** Half as many bytes as the module itself, and none of them is run here. */
const auditor = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * @param part a selector of what alone is audited
 * @returns what axe finds fault with, all its rules on, shortened to what a person needs to mend it
 */
export const axeFaults = async (page: Page, part = 'html'): Promise<readonly string[]> => {
  // A colour that is still changing is judged as what it changes to. What has no end cannot be ended.
  await page.evaluate('for (const each of document.getAnimations()) try { each.finish() } catch {}');
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(readFileSync(auditor, 'utf8'));
  const found = (await page.evaluate(`axe.run('${part}', { resultTypes: ["violations"] })`)) as axe.AxeResults;
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary}`),
  );
};

/** With one operation, or state, shown: the others have nothing that it has not. */
export const expectSound = async (page: Page): Promise<void> => {
  await expectFits(page);
  expect(await axeFaults(page)).toEqual([]);
};

/** Nothing is cut off, and nothing moves sideways but what scrolls by itself. */
export const expectFits = async (page: Page): Promise<void> => {
  const [content, window] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as readonly [number, number];
  expect(content).toBeLessThanOrEqual(window);
};
