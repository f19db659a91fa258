/** Lines of the log in both formats. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ServedRequest } from '../../../src/host/log/log.ts';
import { createLog } from '../../../src/host/log/log.ts';
import { collectInto } from '../../support/process/collect-into.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

const served: ServedRequest = {
  method: 'GET',
  path: '/api/coches/c4',
  route: '/api/coches/:cars',
  language: 'es',
  status: 200,
  duration: 1.23456,
  bytes: 845,
  requestId: 'V1StGXR8_Z5jdHi6B-myT',
  client: 'feed of Seville',
  address: '192.0.2.1',
  traceId: undefined,
  wordsOf: undefined,
};

type Options = Parameters<typeof createLog>[0];

const open = (options: Omit<Options, 'write'>) => {
  const writes: string[] = [];
  return { log: createLog({ ...options, write: collectInto(writes) }), writes };
};

describe('pretty', () => {
  test('an event is a line, with its cause below it', () => {
    const { log, writes } = open({ level: 'debug', format: 'pretty' });
    log.warn('the disk is slow', new Error('first\nsecond'));
    log.info('serving');
    const [warning = '', line = ''] = writes;
    expect(warning.replace(TIME, '')).toMatch(/^ warn {2}the disk is slow\n {2}Error: first\n {2}second\n {2} +at /);
    expect(line.replace(TIME, '')).toBe(' info  serving\n');
  });

  test('a request is its members, without control characters', () => {
    const { log, writes } = open({ level: 'debug', format: 'pretty' });
    log.request?.({ ...served, client: 'feed\u009b31m', status: undefined });
    log.close();
    expect(writes.join('').replace(TIME, '')).toBe(
      ' debug request method=GET path=/api/coches/c4 route=/api/coches/:cars language=es bytes=845 requestId=V1StGXR8_Z5jdHi6B-myT client=feed?31m address=192.0.2.1 duration=1.235\n',
    );
  });
});

describe('json', () => {
  test('an event is an object on one line', () => {
    const { log, writes } = open({ level: 'error', format: 'json' });
    log.error('it failed\nbadly', 'no room');
    expect(writes.join('')).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(writes.join(''))).toEqual({
      time: expect.stringMatching(TIME),
      level: 'error',
      message: 'it failed\nbadly',
      cause: 'no room',
    });
  });

  test('a request is one, too; what is not known is left out', async () => {
    const { log, writes } = open({ level: 'debug', format: 'json' });
    log.request?.(served);
    log.close();
    expect(JSON.parse(writes.join(''))).toEqual({
      time: expect.stringMatching(TIME),
      level: 'debug',
      message: 'request',
      method: 'GET',
      path: '/api/coches/c4',
      route: '/api/coches/:cars',
      language: 'es',
      status: 200,
      duration: 1.235,
      bytes: 845,
      requestId: 'V1StGXR8_Z5jdHi6B-myT',
      client: 'feed of Seville',
      address: '192.0.2.1',
    });
  });
});

describe('each part of a request is the JSON that it would be', () => {
  test.each([
    ...[0, 0.0004, 0.0005, 0.9995, 0.9996, 1, 9.0619, 12.05, 999.9999, 1_000.001, 86_400_000.5].map((duration) => ({
      duration,
    })),
    { path: '/a"b\\c' },
    { path: '/\u001b[31m\u009b' },
    { client: 'feed of "Seville"\n' },
    { method: 'PROPFIND', status: undefined, route: undefined, language: undefined, client: undefined },
    { duration: undefined, bytes: 0 },
    { bytes: 5_000_000_000, traceId: '0af7651916cd43dd8448eb211c80319c', wordsOf: 'es', status: 404 },
  ])('%j', (part) => {
    const { log, writes } = open({ level: 'debug', format: 'json' });
    log.request?.({ ...served, ...part });
    log.close();
    expect(writes.join('')).toMatch(/^[^\n]*\n$/);
    const { time, level, message, ...rest } = JSON.parse(writes.join(''));
    const whole = { ...served, ...part };
    const duration = whole.duration === undefined ? undefined : Math.round(whole.duration * 1_000) / 1_000;
    expect(rest).toEqual(JSON.parse(JSON.stringify({ ...whole, duration })));
    expect([time, level, message]).toEqual([expect.stringMatching(TIME), 'debug', 'request']);
  });
});

test('the time is that of the clock, to the thousandth', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { log, writes } = open({ level: 'debug', format: 'json' });
  for (const time of [
    '2026-11-22T08:37:53.508Z',
    '2026-11-22T08:37:53.999Z',
    '2026-11-22T08:37:54.000Z',
    '2026-11-22T08:37:53.001Z',
  ]) {
    vi.setSystemTime(time);
    log.info('now');
    expect(JSON.parse(writes.splice(0).join('')).time).toBe(time);
  }
});

test('requests are logged at `debug` only', () => {
  for (const level of ['error', 'warn', 'info'] as const) expect(open({ level }).log.request).toBeUndefined();
  expect(open({ level: 'debug' }).log.request).toBeDefined();
});

test('requests are written together, and before any other event', () => {
  const { log, writes } = open({ level: 'debug', format: 'pretty' });
  for (let time = 0; time < 3; time++) log.request?.(served);
  expect(writes).toEqual([]);
  log.info('stopped');
  expect(writes.map((text) => text.split('\n').length - 1)).toEqual([4]);
  expect(writes[0]).toMatch(/ stopped\n$/);
  log.request?.(served);
  log.close();
  expect(writes).toHaveLength(2);
});

test('requests are written by themselves after a moment, and as soon as there are many', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { log, writes } = open({ level: 'debug', format: 'json' });
  for (let time = 0; time < 2; time++) {
    log.request?.(served);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(writes.splice(0).join('')).toMatch(/^[^\n]*\n$/);
  }
  const paths = Array.from({ length: 1_000 }, (_, at) => `/${'ñ'.repeat(99)}/${at}`);
  for (const path of paths) log.request?.({ ...served, path });
  expect(writes.length).toBeGreaterThan(1);
  for (const text of writes) expect(text.length).toBeLessThanOrEqual(65_536);
  log.close();
  const lines = writes.join('').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(paths);
});

test('a line that is longer than what is written at once is whole', () => {
  const { log, writes } = open({ level: 'debug', format: 'json' });
  log.request?.(served);
  log.info('ñ'.repeat(70_000));
  expect(writes).toHaveLength(2);
  expect(JSON.parse(writes[1] ?? '').message).toBe('ñ'.repeat(70_000));
});

test('what an event is about is for programs', () => {
  const about = { requestId: 'r1', traceId: undefined };
  const json = open({ level: 'debug', format: 'json' });
  json.log.error('request r1 failed', 'no room', about);
  expect(JSON.parse(json.writes.join(''))).toMatchObject({ cause: 'no room', requestId: 'r1' });
  const pretty = open({ level: 'debug', format: 'pretty' });
  pretty.log.error('request r1 failed', 'no room', about);
  expect(pretty.writes.join('').replace(TIME, '')).toBe(' error request r1 failed\n  no room\n');
});
