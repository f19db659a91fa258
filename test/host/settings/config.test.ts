import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startLine } from '../../../src/host/service/run.ts';
import { ConfigError, findMisspelt, readConfig } from '../../../src/host/settings/config.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const defaults = {
  PORT: 3000,
  HOST: '127.0.0.1',
  IDENTIFIERS: 'uuid',
  DATABASE_URL: 'sqlite:data/catalogue.db',
  DEFAULT_LANGUAGE: 'en',
  LOCALES_DIR: fileURLToPath(new URL('../../../locales', import.meta.url)),
  BODY_LIMIT: 1_048_576,
  IMPORT_LIMIT: 268_435_456,
  DELETION_SHARE: 20,
  ACCESS: 'open',
  IDEMPOTENCY_TTL: 86_400,
  CHANGES_TTL: 604_800,
  KEY_STREAMS: 100,
  CLIENT_SHARE: 50,
  LOG_LEVEL: 'info',
  METRICS_HOST: '127.0.0.1',
};
const names = Object.keys(defaults);

const faultsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

test('what is not set has the default that the contract names', () => {
  expect(readConfig({})).toMatchObject(defaults);
});

test('what is empty is as if it were not set', () => {
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toMatchObject(defaults);
});

test.each([
  ['UPSTREAM_MAPPING', 'upstream.json', 'the service does not stand before another API (CHANGELOG.md)'],
  ['UPSTREAM_AUTHORIZATION', 'Bearer s3cret', 'the service does not stand before another API (CHANGELOG.md)'],
  ['UPSTREAM_AUTHORIZATION_FILE', '/none', 'the service does not stand before another API (CHANGELOG.md)'],
  [
    'DATABASE_READ_URL',
    'postgres://u:s3cret@replica/cars',
    'all is read where it is written, at DATABASE_URL; a larger server or pool (DATABASE_POOL) serves more reads',
  ],
])('%s, which is gone, is told with what replaces it', (name, text, instead) => {
  expect(faultsOf({ [name]: text })).toEqual([`${name}: is no setting any more: ${instead}`]);
  expect(faultsOf({ [name]: '' })).toEqual([]);
});

test('DATABASE_PREPARE=auto of earlier versions is told what replaces it', () => {
  expect(faultsOf({ DATABASE_PREPARE: 'auto' })).toEqual([
    'DATABASE_PREPARE: must be on or off: off if a pooler in transaction mode stands before the server',
  ]);
});

test('an API in place of a database is refused, because that is gone', () => {
  expect(faultsOf({ DATABASE_URL: 'upstream+https://u:s3cret@api.example/cars' })).toEqual([
    'DATABASE_URL: "upstream+https://…" is not available any more: the service does not stand before another API, its items are in SQLite or PostgreSQL (CHANGELOG.md)',
  ]);
});

test('several hosts of one database are refused, with what leads to the primary instead', () => {
  for (const DATABASE_URL of ['postgres://u:s3cret@db-1:5433,db-2/cars', 'postgres://u:s3cret@/cars?host=db-1,db-2']) {
    expect(faultsOf({ DATABASE_URL })).toEqual([
      'DATABASE_URL: names one host: a proxy such as HAProxy, or the address that the provider gives, leads to the primary (docs/deployment.md)',
    ]);
  }
});

test('variables that are no settings are of no concern', () => {
  expect(readConfig({ PATH: '/bin', port: 'x' })).toEqual(readConfig({}));
});

test('settings cannot be changed afterwards', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

const good: readonly (readonly [name: string, text: string, value: unknown])[] = [
  ['PORT', '0', 0],
  ['PORT', '65535', 65_535],
  ['HOST', '::1', '::1'],
  ['HOST', '0.0.0.0', '0.0.0.0'],
  ['IDENTIFIERS', 'uuid', 'uuid'],
  ['RATE_LIMIT', '600', 600],
  ['RATE_WINDOW', '1', 1],
  ['TRUSTED_PROXIES', '127.0.0.1, ::1,10.0.0.0/8,fd00::/8', ['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8']],
  ['IDEMPOTENCY_TTL', '1', 1],
  ['CHANGES_TTL', '60', 60],
  ['IDEMPOTENCY_TTL', '31536000', 31_536_000],
  ['ACCESS', 'write', 'write'],
  ['ACCESS', 'all', 'all'],
  ['IDENTIFIERS', 'nanoid', 'nanoid'],
  ['DATABASE_URL', 'sqlite::memory:', 'sqlite::memory:'],
  ['DATABASE_URL', 'sqlite://:memory:', 'sqlite://:memory:'],
  ['DATABASE_URL', 'sqlite:/var/lib/cars.db', 'sqlite:/var/lib/cars.db'],
  ['DATABASE_URL', 'sqlite:///var/lib/cars.db', 'sqlite:///var/lib/cars.db'],
  ['DATABASE_URL', 'sqlite:./file:1.db', 'sqlite:./file:1.db'],
  ['DATABASE_URL', 'postgres://cars@db/cars', 'postgres://cars@db/cars'],
  [
    'DATABASE_URL',
    'postgresql://u:p%40@[::1]:5433/cars?sslmode=require',
    'postgresql://u:p%40@[::1]:5433/cars?sslmode=require',
  ],
  ...(
    [
      'sslmode=prefer',
      'sslmode=verify-full&sslrootcert=/etc/ca.crt&sslcert=/etc/own.crt&sslkey=/etc/own.key',
      'ssl=true&sslnegotiation=direct',
      'sslmode=require&channel_binding=require',
    ] as const
  ).map(
    (parameters) => ['DATABASE_URL', `postgres://db/cars?${parameters}`, `postgres://db/cars?${parameters}`] as const,
  ),
  ['DATABASE_URL', 'postgres:///cars?host=/run/postgresql', 'postgres:///cars?host=/run/postgresql'],
  ['DATABASE_URL', 'postgres://u@/cars?host=/run/postgresql', 'postgres://u@/cars?host=/run/postgresql'],
  ['DATABASE_POOL', '1', 1],
  ['DATABASE_POOL', '1000', 1_000],
  ['DATABASE_TIMEOUT', '100', 100],
  ['DATABASE_TIMEOUT', '600000', 600_000],
  ['DATABASE_PREPARE', 'on', 'on'],
  ['DATABASE_PREPARE', 'off', 'off'],
  ['DATABASE_LOG_LIMIT', '1048576', 1_048_576],
  ['LIST_TIMEOUT', '1000', 1_000],
  ['LIST_TIMEOUT', '86400000', 86_400_000],
  ['DEFAULT_LANGUAGE', 'es', 'es'],
  ['DEFAULT_LANGUAGE', 'ES', 'es'],
  ['DEFAULT_LANGUAGE', 'es-mx', 'es-MX'],
  ['DEFAULT_LANGUAGE', 'ZH-hant-tw', 'zh-Hant-TW'],
  ['LOCALES_DIR', '/srv/words', '/srv/words'],
  ['ALLOWED_HOSTS', '*', ['*']],
  [
    'ALLOWED_HOSTS',
    'cars.example, WWW.cars.example.,[fd00::1],10.0.0.1',
    ['cars.example', 'www.cars.example.', '[fd00::1]', '10.0.0.1'],
  ],
  ['CORS_ORIGINS', '*', ['*']],
  ['CORS_ORIGINS', 'http://[::1]:8000, https://a_b.example:444', ['http://[::1]:8000', 'https://a_b.example:444']],
  ['CORS_ORIGINS', 'https://Shop.example,http://localhost:8000', ['https://shop.example', 'http://localhost:8000']],
  ['CACHE_LIMIT', '0', 0],
  ['BODY_LIMIT', '1', 1],
  ['BODY_LIMIT', '10000000', 10_000_000],
  ['IMPORT_LIMIT', '1', 1],
  ['IMPORT_LIMIT', '1099511627776', 1_099_511_627_776],
  ['DELETION_SHARE', '0', 0],
  ['DELETION_SHARE', '100', 100],
  ['CLIENT_SHARE', '1', 1],
  ['CLIENT_SHARE', '100', 100],
  ['STOP_DELAY', '0', 0],
  ['STOP_DELAY', '5000', 5_000],
  ['STOP_TIMEOUT', '', 8_000],
  ['STOP_TIMEOUT', '500', 500],
  ['STOP_TIMEOUT', '8000', 8_000],
  ['MAX_CONNECTIONS', '100', 100],
  ['METRICS_PORT', '0', 0],
  ['METRICS_PORT', '9464', 9_464],
  ['METRICS_HOST', '0.0.0.0', '0.0.0.0'],
  ['LOG_LEVEL', 'error', 'error'],
  ['LOG_LEVEL', 'warn', 'warn'],
  ['LOG_LEVEL', 'debug', 'debug'],
  ['LOG_FORMAT', 'pretty', 'pretty'],
  ['LOG_FORMAT', 'json', 'json'],
];
test.each(good)('%s=%s', (name, text, value) => {
  expect(readConfig({ [name]: text })).toHaveProperty(name, value);
});

const bad: readonly (readonly [name: string, text: string])[] = [
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['PORT', '3e3'],
  ['PORT', '0x10'],
  ['PORT', ' 3000'],
  ['PORT', 'http'],
  ['IDENTIFIERS', 'UUID'],
  ['ACCESS', 'none'],
  ['IDEMPOTENCY_TTL', '0'],
  ['CHANGES_TTL', '59'],
  ['KEY_STREAMS', '0'],
  ['IDEMPOTENCY_TTL', '24h'],
  ['IDEMPOTENCY_TTL', '31536001'],
  ['RATE_LIMIT', '0'],
  ['RATE_LIMITS', 'write'],
  ['RATE_LIMITS', 'write=0'],
  ['RATE_LIMITS', 'write=1,'],
  ['RATE_LIMITS', 'write=1000000001'],
  ['RATE_LIMITS', 'write=1'],
  ['RATE_WINDOW', '0'],
  ['TRUSTED_PROXIES', 'proxy.example'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
  ['TRUSTED_PROXIES', '127.0.0.1,'],
  ['TRUSTED_PROXIES', '*'],
  ['IDENTIFIERS', 'serial'],
  ['DATABASE_URL', 'catalogue.db'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'sqlite://'],
  ['DATABASE_URL', 'sqlite::memory'],
  ['DATABASE_URL', 'sqlite:://memory:'],
  ['DATABASE_URL', 'sqlite:file:cars.db'],
  ['DATABASE_URL', 'sqlite:file:///var/lib/cars.db?mode=memory'],
  ['DATABASE_URL', 'sqlite://file:cars.db'],
  ['DATABASE_URL', 'file:cars.db'],
  ['DATABASE_URL', 'mysql://localhost/cars'],
  ['DATABASE_URL', 'postgres:cars'],
  ['DATABASE_URL', 'postgres://u:p@host:port/cars'],
  ['DATABASE_URL', 'sqlite:a.db\nsqlite:b.db'],
  ['DATABASE_URL', 'postgres://db/cars?SSLMODE=verify-full'],
  ['DATABASE_URL', 'postgres://db/cars?ssl_mode=verify-full'],
  ['DATABASE_URL', 'postgres://db/cars?application_name=x&sslmode=verify_full'],
  ['DATABASE_URL', 'postgres://db/cars?sslmode=verify-full&sslcrl=/etc/revoked.crl'],
  ['DATABASE_URL', 'postgres://db/cars?sslmode=Disable'],
  ['DATABASE_URL', 'postgres://db/cars?sslmode=allow'],
  ['DATABASE_POOL', '0'],
  ['DATABASE_POOL', 'many'],
  ['DATABASE_TIMEOUT', '99'],
  ['DATABASE_TIMEOUT', '5s'],
  ['DATABASE_PREPARE', 'auto'],
  ['DATABASE_LOG_LIMIT', '1000000'],
  ['DATABASE_LOG_LIMIT', '256MB'],
  ['LIST_TIMEOUT', '999'],
  ['DEFAULT_LANGUAGE', 'e'],
  ['DEFAULT_LANGUAGE', 'en_US'],
  ['DEFAULT_LANGUAGE', 'en, es'],
  ['ALLOWED_HOSTS', 'cars.example:3000'],
  ['ALLOWED_HOSTS', 'https://cars.example'],
  ['ALLOWED_HOSTS', 'cars.example,'],
  ['ALLOWED_HOSTS', '*.example'],
  ['CORS_ORIGINS', 'shop.example'],
  ['CORS_ORIGINS', 'https://shop.example/'],
  ['CORS_ORIGINS', 'null'],
  ['CORS_ORIGINS', 'https://shop.example:443'],
  ['CORS_ORIGINS', 'http://shop.example:80'],
  ['CORS_ORIGINS', 'https://shop.example:99999'],
  ['CORS_ORIGINS', 'https://coches.españa.example'],
  ['CACHE_LIMIT', '-1'],
  ['CACHE_LIMIT', '64 MiB'],
  ['BODY_LIMIT', '0'],
  ['IMPORT_LIMIT', '0'],
  ['IMPORT_LIMIT', '256MiB'],
  ['DELETION_SHARE', '101'],
  ['DELETION_SHARE', '-1'],
  ['BODY_LIMIT', '1MB'],
  ['BODY_LIMIT', '99999999999999999999'],
  ['CLIENT_SHARE', '0'],
  ['CLIENT_SHARE', '101'],
  ['CLIENT_SHARE', '50%'],
  ['STOP_DELAY', '5001'],
  ['STOP_TIMEOUT', '499'],
  ['STOP_TIMEOUT', '8001'],
  ['MAX_CONNECTIONS', '0'],
  ['METRICS_PORT', '65536'],
  ['METRICS_PORT', '3000'],
  ['METRICS_PORT', 'on'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_LEVEL', 'INFO'],
  ['LOG_FORMAT', 'text'],
];

describe('a bad setting is named in one line, with what is wrong', () => {
  test.each(bad)('%s=%s', (name, text) => {
    const faults = faultsOf({ [name]: text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}\\b.* must be [^\\n]+$`));
  });

  test('all of them at once', () => {
    const environment = {
      PORT: 'x',
      IDENTIFIERS: 'x',
      DATABASE_URL: 'x',
      DEFAULT_LANGUAGE: 'x',
      BODY_LIMIT: 'x',
      LOG_LEVEL: 'x',
    };
    const found = faultsOf(environment).map((fault) => fault.slice(0, fault.search(/\W/)));
    expect(found.toSorted()).toEqual(Object.keys(environment).toSorted());
  });

  test('an identity provider has an audience, and is asked where access is restricted', () => {
    const OIDC_ISSUER = 'https://login.example/realms/cars';
    const OIDC_AUDIENCE = 'https://cars.example';
    expect(faultsOf({ ACCESS: 'write', OIDC_ISSUER, OIDC_AUDIENCE })).toEqual([]);
    expect(faultsOf({ ACCESS: 'all', OIDC_ISSUER: 'http://localhost:8080', OIDC_AUDIENCE })).toEqual([]);
    const alone = ['OIDC_AUDIENCE: must be set if OIDC_ISSUER is, and only then'];
    expect(faultsOf({ ACCESS: 'write', OIDC_ISSUER })).toEqual(alone);
    expect(faultsOf({ OIDC_AUDIENCE })).toEqual(alone);
    expect(faultsOf({ OIDC_ISSUER, OIDC_AUDIENCE })).toEqual([
      'OIDC_ISSUER: must be left out unless ACCESS is write or all',
    ]);
    const insecure = ['http://login.example', 'http://127.0.0.1.example', 'login.example', 'https://'];
    for (const unusable of [...insecure, 'https://[bad', 'https://u:secret@login.example', 'https://u@login.example']) {
      expect(faultsOf({ ACCESS: 'write', OIDC_ISSUER: unusable, OIDC_AUDIENCE })).toEqual([
        'OIDC_ISSUER: must be "https://…", without user and password',
      ]);
    }
  });

  test('quotas of scopes and keys are set beside the one of all others, where clients have keys', () => {
    const faults = ['RATE_LIMITS: must be left out unless RATE_LIMIT is set, and ACCESS is write or all'];
    expect(faultsOf({ ACCESS: 'write', RATE_LIMIT: '9', RATE_LIMITS: 'write=1' })).toEqual([]);
    expect(faultsOf({ ACCESS: 'all', RATE_LIMITS: 'write=1' })).toEqual(faults);
    expect(faultsOf({ RATE_LIMIT: '9', RATE_LIMITS: 'write=1' })).toEqual(faults);
  });

  test('a password in a database’s address is not told', () => {
    for (const url of ['mysql://cars:s3cret@localhost/cars', 'postgres://cars:s3cret@host:port/cars']) {
      expect(faultsOf({ DATABASE_URL: url }).join()).not.toContain('s3cret');
    }
  });
});

describe('an address of a database in a file', () => {
  const secret = (text: string): string => {
    const file = join(temporaryFolder(), 'secret');
    writeFileSync(file, text);
    return file;
  };
  const URL = 'postgres://u:secret@db/cars';

  test('is as if it were a variable, without the end of its line', () => {
    const files = {
      DATABASE_URL_FILE: secret(`${URL}\n`),
    };
    expect(readConfig(files)).toEqual(readConfig({ DATABASE_URL: URL }));
    expect(readConfig({ ...files, DATABASE_URL: '' }).DATABASE_URL).toBe(URL);
  });

  test.each([
    [
      'beside the variable',
      () => ({ DATABASE_URL_FILE: secret(URL), DATABASE_URL: URL }),
      'must be left out if DATABASE_URL is set',
    ],
    ['that is not there', () => ({ DATABASE_URL_FILE: '/none/secret' }), 'cannot be read (ENOENT)'],
    ['that is a folder', () => ({ DATABASE_URL_FILE: temporaryFolder() }), 'cannot be read (EISDIR)'],
  ])('%s is refused', (_, make, reason) => {
    expect(faultsOf(make())).toEqual([`DATABASE_URL_FILE: ${reason}`]);
  });

  test('is not told where it is wrong', () => {
    expect(faultsOf({ DATABASE_URL_FILE: secret('mysql://u:secret@db') })).toEqual([
      expect.stringMatching(/^DATABASE_URL: must be (?!.*secret)/),
    ]);
  });
});

describe('a variable that looks like a setting', () => {
  test.each([
    ['BODYLIMIT', 'BODY_LIMIT'],
    ['RATELIMIT', 'RATE_LIMIT'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['MAXCONNECTIONS', 'MAX_CONNECTIONS'],
    ['log_level', 'LOG_LEVEL'],
    ['ACCES', 'ACCESS'],
    ['ACESS', 'ACCESS'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ])('%s', (name, meant) => {
    expect(findMisspelt({ [name]: 'x' })).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  test.each(['PATH', 'HOME', 'HOSTS', 'LANG', 'NODE_ENV', 'HOSTNAME', 'PORTAGE', 'PORTS', 'npm_config_cache'])(
    '%s does not',
    (name) => {
      expect(findMisspelt({ [name]: 'x' })).toEqual([]);
    },
  );
});

test.each(['u:12/s3cret@db', 'u:p@ss/s3cret@db', 'u:12?s3cret@db', 'u:12#s3cret@db', '12/s3cret@db'])(
  'a password that ends before its time is refused, and shown nowhere: %s',
  (server) => {
    expect(faultsOf({ DATABASE_URL: `postgres://${server}/cars` })).toEqual([
      expect.stringMatching(/^DATABASE_URL: user and password must be percent-encoded: (?!.*s3cret)/),
    ]);
  },
);

describe('the first line', () => {
  const lineOf = (environment: NodeJS.ProcessEnv): string =>
    startLine(readConfig(environment)).replace(/^.*?, database /, '');

  test.each<[what: string, environment: NodeJS.ProcessEnv, line: string]>([
    ['nothing that is set', {}, 'sqlite:data/catalogue.db'],
    ['no password of a server', { DATABASE_URL: 'postgres://u:secret@db/cars' }, 'postgres://db/cars'],
    ['no password with the sign before a host', { DATABASE_URL: 'postgres://u:s@cret@db/cars' }, 'postgres://db/cars'],
    ['no password that was meant for a server', { DATABASE_URL: 'sqlite://u:se/cret@db/cars' }, 'sqlite://db/cars'],
  ])('has %s', (_, environment, line) => {
    expect(lineOf(environment)).toBe(line);
  });
});
