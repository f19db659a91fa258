import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

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

test('DATABASE_READ_URL stands beside a server only', () => {
  const DATABASE_READ_URL = 'postgres://cars@replica/cars';
  expect(readConfig({ DATABASE_URL: 'postgres://cars@db/cars', DATABASE_READ_URL })).toMatchObject({
    DATABASE_READ_URL,
  });
  for (const DATABASE_URL of ['', 'sqlite::memory:']) {
    expect(() => readConfig({ DATABASE_URL, DATABASE_READ_URL })).toThrow(/^DATABASE_READ_URL: must be left out/);
  }
});
