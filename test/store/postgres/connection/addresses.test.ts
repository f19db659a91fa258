import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { addressesOf, publicAddress, strengthened } from '../../../../src/store/postgres/connection/addresses.ts';

/** Where the driver goes: host, port, database, user, password. */
type Target = readonly [host: string, port: number, database: string, user?: string, password?: string];

const targetsOf = (url: string) =>
  addressesOf(url)?.map(({ url }): readonly unknown[] => {
    const { host, port, database, user, password } = new pg.Client({ connectionString: url });
    return [host, port, database, user, password];
  });

const good: readonly (readonly [url: string, targets: readonly Target[], name: string])[] = [
  ['postgres://cars:s3cret@db/cars', [['db', 5432, 'cars', 'cars', 's3cret']], 'postgres://db/cars'],
  ['postgresql://u:p%40%2F@db:5433/cars', [['db', 5433, 'cars', 'u', 'p@/']], 'postgres://db:5433/cars'],
  ['postgres://u:p@b@db/cars', [['db', 5432, 'cars', 'u', 'p@b']], 'postgres://db/cars'],
  ['postgres://u@[::1]:5433/cars', [['::1', 5433, 'cars', 'u']], 'postgres://[::1]:5433/cars'],
  [
    'postgres://u:p@db-1:5433,db-2,10.0.0.3:5434/cars?application_name=x',
    [
      ['db-1', 5433, 'cars', 'u', 'p'],
      ['db-2', 5432, 'cars', 'u', 'p'],
      ['10.0.0.3', 5434, 'cars', 'u', 'p'],
    ],
    'postgres://db-1:5433/cars or postgres://db-2/cars or postgres://10.0.0.3:5434/cars',
  ],
  [
    'postgres://u@/cars?host=db-1,db-2&port=5433,5434',
    [
      ['db-1', 5433, 'cars', 'u'],
      ['db-2', 5434, 'cars', 'u'],
    ],
    'postgres://db-1:5433/cars or postgres://db-2:5434/cars',
  ],
  [
    'postgres://u@/cars?host=db-1,db-2&port=5433',
    [
      ['db-1', 5433, 'cars', 'u'],
      ['db-2', 5433, 'cars', 'u'],
    ],
    'postgres://db-1:5433/cars or postgres://db-2:5433/cars',
  ],
  [
    'postgres:///cars?host=/run/postgresql',
    [['/run/postgresql', 5432, 'cars']],
    'postgres:///cars?host=/run/postgresql',
  ],
  [
    'postgres://u:p@/cars?host=/run/postgresql&port=5433',
    [['/run/postgresql', 5433, 'cars', 'u', 'p']],
    'postgres:///cars?host=/run/postgresql&port=5433',
  ],
  [
    'postgres://u@%2Frun%2Fpostgresql/cars',
    [['/run/postgresql', 5432, 'cars', 'u']],
    'postgres:///cars?host=/run/postgresql',
  ],
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
  test.each(good)('%s', (url, targets, name) => {
    const found = targetsOf(url);
    expect(found).toEqual(
      targets.map(([host, port, database, user = pg.defaults.user, password]) => [
        host,
        port,
        database,
        user,
        password ?? null,
      ]),
    );
    expect(publicAddress(url)).toBe(name);
  });

  test.each(bad)('that cannot be read: %s', (url) => {
    expect([addressesOf(url), publicAddress(url)]).toEqual([undefined, '']);
  });
});

test.each([
  ['require', true],
  ['prefer', true],
  ['allow', true],
  ['verify-ca', true],
  ['require&uselibpqcompat=true', false],
  ['verify-full', false],
  ['disable', false],
])('sslmode=%s is taken for more than it says: %s', (mode, isMore) => {
  const url = `postgres://db/cars?sslmode=${mode}`;
  const [address] = addressesOf(url) ?? [];
  expect(strengthened(url)).toBe(isMore ? mode : undefined);
  expect(new URL(address?.url ?? '').searchParams.get('sslmode')).toBe(
    isMore ? 'verify-full' : mode.replace(/&.*/, ''),
  );
});
