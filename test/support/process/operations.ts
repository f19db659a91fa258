/** Operations in the documentation, used as a person uses them. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** An operation by its link, with the request that its example makes and the status of its response. */
export type Operation = readonly [link: string, method: string, path: string, status: number];

export const operationOf = (page: Page, link: string): Locator => page.locator(`#operations-${link.replace('/', '-')}`);

/** Tries an operation that is open, with its example. */
export const tryOperation = async (page: Page, [link, method, path, status]: Operation): Promise<void> => {
  const operation = operationOf(page, link);
  await operation.locator('.try-out__btn').click();
  // Nothing is filled in that would delete an item.
  if (method === 'DELETE') {
    const key = operation.locator('[data-param-in="path"] input').last();
    expect(await key.inputValue()).toBe('');
    await key.fill(decodeURIComponent(path.split('/').at(-1) ?? ''));
  }
  const sent = page.waitForRequest((request) => /^\/api\/(?!openapi)/.test(new URL(request.url()).pathname));
  await operation.locator('.execute').click();
  const request = await sent;
  const { pathname, search } = new URL(request.url());
  expect([request.method(), pathname + search]).toEqual([method, path]);
  const body = request.postData();
  // An object, or a file.
  if (body !== null) expect(body).toMatch(/^\{\s*["}]|[;,\n]/);
  expect((await request.response())?.status()).toBe(status);
  await operation.locator('.live-responses-table').waitFor();
};

export const openAndTry = async (page: Page, operation: Operation): Promise<void> => {
  await operationOf(page, operation[0]).locator('.opblock-summary-control').click();
  await tryOperation(page, operation);
};
