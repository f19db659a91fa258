import { describe, expect, test } from 'vitest';
import { isAddress, isTlsKnown, publicAddress } from '../../../../src/store/postgres/connection/addresses.ts';

const good: readonly (readonly [url: string, name: string])[] = [
  ['postgres://cars:s3cret@db/cars', 'postgres://db/cars'],
  ['postgresql://u:p%40%2F@db:5433/cars', 'postgres://db:5433/cars'],
  ['postgres://u:p@b@db/cars', 'postgres://db/cars'],
  ['postgres://u@[::1]:5433/cars', 'postgres://[::1]:5433/cars'],
  ['postgres:///cars?host=/run/postgresql', 'postgres:///cars?host=/run/postgresql'],
  ['postgres://u:p@/cars?host=/run/postgresql&port=5433', 'postgres:///cars?host=/run/postgresql&port=5433'],
  ['postgres://u@%2Frun%2Fpostgresql/cars', 'postgres:///cars?host=/run/postgresql'],
  ['postgres://u:a,b@db/cars', 'postgres://db/cars'],
  ['postgres://db/cars?options=-c%20search_path=a,b', 'postgres://db/cars'],
];

const several = [
  'postgres://u:p@db-1:5433,db-2,10.0.0.3:5434/cars?application_name=x',
  'postgresql://db-1,db-2/cars',
  'postgres://u@/cars?host=db-1,db-2&port=5433,5434',
  'postgres://u@/cars?port=5433&host=db-1%2Cdb-2',
];

const bad = [
  'postgres:cars',
  'mysql://db/cars',
  'postgres://u:p@host:port/cars',
  'postgres://db:0/cars',
  'postgres://db:65536/cars',
  'postgres://db:5432:5433/cars',
  'postgres://a b/cars',
  'postgres://a,b:x/cars',
  'postgres:///cars?host=db&port=x',
];

describe('a URL', () => {
  test.each(good)('%s', (url, name) => {
    expect([isAddress(url), publicAddress(url)]).toEqual([true, name]);
  });

  test.each([...bad, ...several])('that cannot be read, or names several hosts: %s', (url) => {
    expect([isAddress(url), publicAddress(url)]).toEqual([false, '']);
  });
});

test.each([
  ['require', true],
  ['prefer', true],
  ['verify-ca', true],
  ['verify-full', true],
  ['disable', true],
  ['no-verify', true],
  ['require&uselibpqcompat=true', true],
  // The driver does not know it, and would connect without TLS.
  ['allow', false],
  ['Disable', false],
  ['', false],
])('sslmode=%s is known: %s', (mode, isKnown) => {
  expect(isTlsKnown(`postgres://db/cars?sslmode=${mode}`)).toBe(isKnown);
});
