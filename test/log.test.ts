/** Lines of the log in both formats. */
import { describe, expect, test } from 'vitest';
import { createLog } from '../src/log.ts';
import type { ServedRequest } from '../src/model/log.ts';

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
  traceId: undefined,
};

type Options = Parameters<typeof createLog>[0];

const open = (options: Omit<Options, 'write'>) => {
  const writes: string[] = [];
  return { log: createLog({ ...options, write: (lines) => void writes.push(lines) }), writes };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('pretty', () => {
  test('an event is a line, with its cause below it', () => {
    const { log, writes } = open({ level: 'info', format: 'pretty' });
    log.warn('the disk is slow', new Error('first\nsecond'));
    log.info('serving');
    const [warning = '', line = ''] = writes;
    expect(warning.replace(TIME, '')).toMatch(/^ warn {2}the disk is slow\n {2}Error: first\n {2}second\n {2} +at /);
    expect(line.replace(TIME, '')).toBe(' info  serving\n');
  });

  test.each([
    [{}, ' debug GET /api/coches/c4 200 1.2 ms 845 B V1StGXR8_Z5jdHi6B-myT feed of Seville\n'],
    [
      { status: undefined, client: undefined },
      ' debug GET /api/coches/c4 aborted 1.2 ms 845 B V1StGXR8_Z5jdHi6B-myT\n',
    ],
  ])('a request with %j', async (part, line) => {
    const { log, writes } = open({ level: 'debug', format: 'pretty' });
    log.request?.({ ...served, ...part });
    await turn();
    expect(writes.join('').replace(TIME, '')).toBe(line);
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
    await turn();
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
    });
  });
});

test('only with `debug` is there a log of requests', () => {
  for (const level of ['error', 'warn', 'info'] as const) expect(open({ level }).log.request).toBeUndefined();
});

test('requests of one turn are written at once, before what comes after them', async () => {
  const { log, writes } = open({ level: 'debug', format: 'pretty' });
  log.request?.(served);
  log.request?.(served);
  log.info('stopped');
  await turn();
  expect(writes.map((text) => text.split('\n').length - 1)).toEqual([2, 1]);
  expect(writes[1]).toContain('stopped');
});
