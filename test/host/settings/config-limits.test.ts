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
    'RATE_LIMIT_STORE',
    'is no setting any more: each instance counts RATE_LIMIT for itself; a limit for all of them together is set in the proxy before them',
  ],
  [
    'WORKERS',
    'is no setting any more: a process serves on one core; several instances on one PostgreSQL serve on several (docs/deployment.md)',
  ],
])('%s is gone: whoever has it set reads what replaces it', (name, instead) => {
  expect(() => readConfig({ [name]: '1' })).toThrow(new ConfigError([`${name}: ${instead}`]));
  expect(() => readConfig({ [name]: '', PORT: '3000' })).not.toThrow();
});
