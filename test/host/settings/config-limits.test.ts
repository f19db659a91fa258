import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/host/settings/config.ts';

const contradictory: readonly (readonly [headers: string, request: string])[] = [
  ['2000', '1999'],
  ['300001', ''],
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
