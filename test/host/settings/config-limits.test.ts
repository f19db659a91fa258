import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/host/settings/config.ts';

const contradictory: readonly (readonly [headers: string, request: string])[] = [
  ['2000', '1999'],
  ['60001', ''],
  ['', '9999'],
];

test.each(contradictory)('HEADERS_TIMEOUT=%s is too great for REQUEST_TIMEOUT=%s, and named', (headers, request) => {
  expect(() => readConfig({ HEADERS_TIMEOUT: headers, REQUEST_TIMEOUT: request })).toThrow(ConfigError);
  expect(() => readConfig({ HEADERS_TIMEOUT: headers, REQUEST_TIMEOUT: request })).toThrow(
    /^HEADERS_TIMEOUT: must not be greater than REQUEST_TIMEOUT$/,
  );
});

test('HEADERS_TIMEOUT may be as great as REQUEST_TIMEOUT', () => {
  expect(readConfig({ HEADERS_TIMEOUT: '2000', REQUEST_TIMEOUT: '2000' })).toMatchObject({
    HEADERS_TIMEOUT: 2_000,
    REQUEST_TIMEOUT: 2_000,
  });
});

test('STOP_DELAY is less than STOP_TIMEOUT', () => {
  expect(() => readConfig({ STOP_DELAY: '1000', STOP_TIMEOUT: '1000' })).toThrow(
    /^STOP_DELAY: must be less than STOP_TIMEOUT$/,
  );
  expect(readConfig({ STOP_DELAY: '999', STOP_TIMEOUT: '1000' })).toMatchObject({ STOP_TIMEOUT: 1_000 });
});

test.each([
  [{ DATABASE_TIMEOUT: '30000' }],
  [{ DATABASE_TIMEOUT: '600000' }],
  [{ IDLE_TIMEOUT: '5000' }],
  [{ DATABASE_TIMEOUT: '2000', IDLE_TIMEOUT: '2000' }],
])('a connection to a client is not closed while the server may still respond: %j', (environment) => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://cars@db/cars', ...environment })).toThrow(
    /^IDLE_TIMEOUT: must be greater than DATABASE_TIMEOUT/,
  );
  expect(readConfig(environment)).toMatchObject({ DATABASE_URL: 'sqlite:data/catalogue.db' });
});

test('IDLE_TIMEOUT may be a little greater than DATABASE_TIMEOUT', () => {
  const environment = { DATABASE_URL: 'postgres://cars@db/cars', DATABASE_TIMEOUT: '1999', IDLE_TIMEOUT: '2000' };
  expect(readConfig(environment)).toMatchObject({ DATABASE_TIMEOUT: 1_999, IDLE_TIMEOUT: 2_000 });
});

test('DATABASE_READ_URL stands beside a server only', () => {
  const DATABASE_READ_URL = 'postgres://cars@replica/cars';
  expect(readConfig({ DATABASE_URL: 'postgres://cars@db/cars', DATABASE_READ_URL })).toMatchObject({
    DATABASE_READ_URL,
  });
  for (const DATABASE_URL of ['', 'sqlite::memory:']) {
    expect(() => readConfig({ DATABASE_URL, DATABASE_READ_URL })).toThrow(/^DATABASE_READ_URL: must be left out/);
  }
});

test.each([
  [
    { DATABASE_URL: 'sqlite::memory:' },
    'WORKERS: must be 1 where DATABASE_URL is "sqlite::memory:", a database that only one process has',
  ],
  [
    { RATE_LIMIT_STORE: 'memory' },
    'RATE_LIMIT_STORE: must not be memory where WORKERS is more than 1: each worker would count alone',
  ],
])('WORKERS=2 does not go with %j', (environment, fault) => {
  expect(() => readConfig({ WORKERS: '2', ...environment })).toThrow(new ConfigError([fault]));
  expect(readConfig({ WORKERS: '1', ...environment })).toMatchObject(environment);
});
