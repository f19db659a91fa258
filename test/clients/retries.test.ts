/** What is sent, how often and when: the service is what the tests say. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, answering, created, refused, unreachable } from '../support/clients/answering.ts';

/** Answers as soon as it is given up. */
const silent: Answer = (init) =>
  new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));

const car = { brand: 'Seat', model: 'Ibiza' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.setSystemTime(new Date('2026-01-01T00:00:00Z'));
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets all pauses pass. @returns the milliseconds of each */
const pauses = async (work: Promise<unknown>): Promise<readonly number[]> => {
  const waited: number[] = [];
  let isOver = false;
  const end = work.then(
    () => undefined,
    () => undefined,
  );
  void end.then(() => {
    isOver = true;
  });
  for (;;) {
    await vi.advanceTimersByTimeAsync(0);
    if (isOver) return waited;
    const before = Date.now();
    await vi.advanceTimersToNextTimerAsync();
    if (Date.now() > before) waited.push(Date.now() - before);
  }
};

describe('what passes is tried again', () => {
  test.each<readonly [what: string, answer: Answer, waited: readonly number[]]>([
    ['no answer', unreachable, [500, 1000]],
    ['408', refused(408, 'request-timeout'), [500, 1000]],
    ['429, after as long as it says', refused(429, 'rate-limited', { 'retry-after': '7' }), [7000, 7000]],
    [
      '503, at the date that it says',
      refused(503, 'unavailable', { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }),
      [3000],
    ],
    ['503, which says nothing that can be read', refused(503, 'unavailable', { 'retry-after': 'soon' }), [500, 1000]],
    ['504 of a proxy', () => new Response('<h1>', { status: 504 }), [500, 1000]],
    ['409, only while the first is in progress', refused(409, 'request-in-progress'), [500, 1000]],
  ])('%s', async (_, answer, waited) => {
    const { cars, sent } = answering([answer]);
    expect(await pauses(cars.create(car))).toEqual(waited);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('by chance sooner, until it is answered', async () => {
    vi.mocked(Math.random).mockReturnValue(0.5);
    const { cars, sent } = answering([unreachable, refused(503, 'unavailable'), created]);
    const work = cars.create(car, { idempotencyKey: 'mine' });
    expect(await pauses(work)).toEqual([250, 500]);
    expect(await work).toEqual({ item: { identifier: 'a' }, tag: '"1"' });
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine', 'mine']);
  });
});

test.each([
  ['409 already-exists', refused(409, 'already-exists')],
  ['400', refused(400, 'invalid-query')],
  ['412', refused(412, 'precondition-failed')],
  ['501', refused(501, 'not-implemented')],
  ['429 that asks for more than a minute', refused(429, 'rate-limited', { 'retry-after': '61' })],
])('%s is not tried again', async (_, answer) => {
  const { cars, sent } = answering([answer]);
  await expect(cars.create(car)).rejects.toMatchObject({ name: 'CatalogueError', tries: 1 });
  expect(sent).toHaveLength(1);
});

test('as often as is asked for', async () => {
  const { cars, sent } = answering([unreachable], { retries: 0 });
  await expect(cars.list()).rejects.toThrow('fetch failed');
  expect(sent).toHaveLength(1);
});

test('a stream is sent once: it cannot be read again', async () => {
  const { cars, sent } = answering([unreachable]);
  await expect(cars.import(new Blob(['brand\nSeat\n']).stream())).rejects.toThrow('fetch failed');
  expect(sent).toHaveLength(1);
});

test('what no problem tells is one of its own kind', async () => {
  const { cars } = answering([() => new Response('<h1>Bad gateway', { status: 502, statusText: 'Bad Gateway' })], {
    retries: 0,
  });
  await expect(cars.list()).rejects.toMatchObject({ code: 'http-502', status: 502, message: '<h1>Bad gateway' });
});

describe('who gives up', () => {
  test('is told why at once, in a pause', async () => {
    const { cars, sent } = answering([unreachable]);
    const gaveUp = new AbortController();
    const work = cars.list({}, { signal: gaveUp.signal });
    const told = expect(work).rejects.toThrow('enough');
    await vi.advanceTimersByTimeAsync(1);
    gaveUp.abort(new Error('enough'));
    await told;
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('is told why at once, while it waits for an answer', async () => {
    const { cars, sent } = answering([silent]);
    const gaveUp = new AbortController();
    const work = cars.list({}, { signal: gaveUp.signal });
    gaveUp.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });
});

test('an answer is waited for so long, each time', async () => {
  vi.useRealTimers();
  vi.mocked(Math.random).mockReturnValue(0);
  const { cars, sent } = answering([silent], { timeout: 1 });
  await expect(cars.list()).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(sent).toHaveLength(3);
});
