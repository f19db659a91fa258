/** How long a file may take to arrive. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginUpload } from '../../../src/gateway/http/uploads.ts';
import { isBusyWith, slowUploads } from '../../../src/host/server/slow-uploads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECOND = 1_000;
const RATE = 8_192;
const MINUTE = 60 * SECOND;

const requestOf = (complete = false) => Object.assign(new EventEmitter(), { complete }) as unknown as IncomingMessage;

test('what is no file has its time, and no more', () => {
  expect(slowUploads(MINUTE).mayGoOn(requestOf(), () => {})).toBe(false);
});

test.each([
  ['all that it must', 60 * RATE, MINUTE, true],
  ['a byte less', 60 * RATE - 1, MINUTE, false],
  ['nothing', 0, MINUTE, false],
  ['little, because the service was busy', 100, 20 * SECOND, true],
  ['nothing, because the service was busy', 0, 0, true],
])('a file that has sent %s in its first minute', (_, received, waited, expected) => {
  const incoming = requestOf();
  Object.assign(beginUpload(incoming), { received, waited });
  expect(slowUploads(MINUTE).mayGoOn(incoming, () => {})).toBe(expected);
});

test('each minute counts by itself: what came before pays for nothing', () => {
  const incoming = requestOf();
  const upload = beginUpload(incoming);
  const uploads = slowUploads(MINUTE);
  Object.assign(upload, { received: 100_000_000, waited: MINUTE });
  expect(uploads.mayGoOn(incoming, () => {})).toBe(true);
  Object.assign(upload, { received: 100_000_500, waited: 2 * MINUTE });
  expect(uploads.mayGoOn(incoming, () => {})).toBe(false);
});

test('the time counts in which the service waits just now', () => {
  const incoming = requestOf();
  Object.assign(beginUpload(incoming), { waitsSince: performance.now() });
  const uploads = slowUploads(MINUTE);
  vi.advanceTimersByTime(20 * SECOND);
  expect(uploads.mayGoOn(incoming, () => {})).toBe(true);
  vi.advanceTimersByTime(40 * SECOND);
  expect(uploads.mayGoOn(incoming, () => {})).toBe(false);
});

test('it is asked again after each minute, and never about what has arrived', () => {
  const incoming = requestOf();
  beginUpload(incoming);
  const again = vi.fn();
  expect(slowUploads(MINUTE).mayGoOn(incoming, again)).toBe(true);
  vi.advanceTimersByTime(MINUTE - 1);
  expect(again).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(again).toHaveBeenCalledOnce();
  const arrived = requestOf(true);
  beginUpload(arrived);
  expect(slowUploads(MINUTE).mayGoOn(arrived, again)).toBe(false);
});

test('a file that takes long leaves nothing behind each minute, and is not asked about once its connection is closed', () => {
  const incoming = requestOf();
  beginUpload(incoming);
  const uploads = slowUploads(MINUTE);
  let asked = 0;
  const again = (): void => {
    asked++;
    uploads.mayGoOn(incoming, again);
  };
  again();
  vi.advanceTimersByTime(9 * MINUTE);
  expect([asked, incoming.listenerCount('close')]).toEqual([10, 1]);
  incoming.emit('close');
  vi.advanceTimersByTime(MINUTE);
  expect([asked, incoming.listenerCount('close')]).toEqual([10, 0]);
});

test('the service is busy with a file unless it waits for more of it', () => {
  const incoming = requestOf();
  expect(isBusyWith(incoming)).toBe(false);
  const upload = beginUpload(incoming);
  expect(isBusyWith(incoming)).toBe(true);
  upload.waitsSince = 1;
  expect(isBusyWith(incoming)).toBe(false);
});
