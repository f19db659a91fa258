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
