/** Lines of the log in both formats. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFaultReporter, createLog, type ServedRequest } from '../../../src/host/log/log.ts';
import { collectInto } from '../../support/process/collect-into.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

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
};

type Options = Parameters<typeof createLog>[0];

const open = (options: Omit<Options, 'write'>) => {
  const writes: string[] = [];
  return { log: createLog({ ...options, write: collectInto(writes) }), writes };
};

describe('pretty', () => {
  test('an event is a line, with its cause below it; what it is about is for programs', () => {
    const { log, writes } = open({ level: 'debug', format: 'pretty' });
    log.warn('the disk is slow', new Error('first\nsecond'), { requestId: 'r1', traceId: undefined });
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
  test('an event is an object on one line, with what it is about', () => {
    const { log, writes } = open({ level: 'error', format: 'json' });
    log.error('it failed\nbadly', 'no room', { requestId: 'r1', traceId: undefined });
    expect(writes.join('')).toMatch(/^[^\n]*\n$/);
    expect(JSON.parse(writes.join(''))).toEqual({
      time: expect.stringMatching(TIME),
      level: 'error',
      message: 'it failed\nbadly',
      cause: 'no room',
      requestId: 'r1',
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

test('the time is that of the clock, to the thousandth', () => {
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

const MINUTE = 60_000;

const ids = (id: string) => ({ id, traceId: undefined });

const openReport = () => {
  const lines: string[] = [];
  const report = createFaultReporter({
    error: (message, cause) => void lines.push(cause === undefined ? message : `${message} (${cause})`),
  });
  return { lines, report };
};

test('a fault is logged at once, and its repetitions once a minute', () => {
  const { lines, report } = openReport();
  for (let at = 0; at < 5; at++) report(new Error('disk full'), ids(`r${at}`));
  report(new Error('gone'), ids('other'));
  expect(lines).toEqual(['request r0 failed (Error: disk full)', 'request other failed (Error: gone)']);

  vi.advanceTimersByTime(MINUTE);
  expect(lines.splice(0)).toHaveLength(3);
  // A new minute begins with the next fault.
  report(new Error('disk full'), ids('r5'));
  expect(lines.splice(0)).toEqual(['request r5 failed (Error: disk full)']);
  vi.advanceTimersByTime(2 * MINUTE);
  expect(lines).toEqual([]);
});

test('faults of which no two are alike are a hundred and one lines a minute', () => {
  const { lines, report } = openReport();
  for (let at = 0; at < 5_000; at++) report(`fault ${at}\nof its own`, ids(`r${at}`));
  expect(lines).toHaveLength(101);
  vi.advanceTimersByTime(MINUTE);
  expect(lines.slice(101)).toEqual(['4899 more failed within a minute: other faults']);
});

test('what a fault is about is told for programs', () => {
  const told: unknown[] = [];
  const report = createFaultReporter({ error: (...event) => void told.push(event) });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  report('disk full', { id: 'r1', traceId });
  expect(told).toEqual([['request r1 failed', 'disk full', { requestId: 'r1', traceId }]]);
});
