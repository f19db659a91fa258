import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { describeStart } from '../../../src/host/service/run.ts';
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

test.each([
  ['UPSTREAM_AUTHORIZATION', 'Bearer s3cret'],
  ['DATABASE_READ_URL_FILE', '/none'],
  ['WORKERS', '4'],
  ['OTHER_COLLECTIONS', 'keep'],
])('%s, which is gone, is told with where its successor stands', (name, text) => {
  expect(faultsOf({ [name]: text })).toEqual([`${name}: is no setting any more; CHANGELOG.md says what replaces it`]);
  expect(faultsOf({ [name]: '' })).toEqual([]);
});

test('variables that are no settings are of no concern', () => {
  expect(readConfig({ PATH: '/bin', port: 'x' })).toEqual(readConfig({}));
});

test('settings cannot be changed afterwards', () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

/** Values by the text that sets them; a text alone is its own value, digits alone are a number. */
const good: Readonly<Record<string, readonly (string | readonly [text: string, value: unknown])[]>> = {
  PORT: ['0', '65535'],
  HOST: ['::1', '0.0.0.0'],
  IDENTIFIERS: ['uuid', 'nanoid'],
  RATE_LIMIT: ['600'],
  RATE_WINDOW: ['1'],
  TRUSTED_PROXIES: [['127.0.0.1, ::1,10.0.0.0/8,fd00::/8', ['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8']]],
  IDEMPOTENCY_TTL: ['1', '31536000'],
  CHANGES_TTL: ['60'],
  ACCESS: ['write', 'all'],
  DATABASE_URL: [
    ...['sqlite::memory:', 'sqlite://:memory:', 'sqlite:/var/lib/cars.db', 'sqlite:///var/lib/cars.db'],
    ...['sqlite:./file:1.db', 'postgres://cars@db/cars', 'postgresql://u:p%40@[::1]:5433/cars?sslmode=require'],
    'postgres://db/cars?sslmode=prefer',
    'postgres://db/cars?sslmode=verify-full&sslrootcert=/etc/ca.crt&sslcert=/etc/own.crt&sslkey=/etc/own.key',
    ...['postgres://db/cars?ssl=true&sslnegotiation=direct', 'postgres://u@/cars?host=/run/postgresql'],
    ...['postgres://db/cars?sslmode=require&channel_binding=require', 'postgres:///cars?host=/run/postgresql'],
  ],
  DATABASE_POOL: ['1', '1000'],
  DATABASE_TIMEOUT: ['100', '600000'],
  DATABASE_PREPARE: ['on', 'off'],
  DATABASE_LOG_LIMIT: ['1048576'],
  LIST_TIMEOUT: ['1000', '86400000'],
  DEFAULT_LANGUAGE: ['es', ['ES', 'es'], ['es-mx', 'es-MX'], ['ZH-hant-tw', 'zh-Hant-TW']],
  LANGUAGES: [
    ['en', ['en']],
    ['EN, es-mx,pt', ['en', 'es-MX', 'pt']],
  ],
  LOCALES_DIR: ['/srv/words'],
  ALLOWED_HOSTS: [
    ['*', ['*']],
    [
      'cars.example, WWW.cars.example.,[fd00::1],10.0.0.1',
      ['cars.example', 'www.cars.example.', '[fd00::1]', '10.0.0.1'],
    ],
  ],
  CORS_ORIGINS: [
    ['*', ['*']],
    ['http://[::1]:8000, https://a_b.example:444', ['http://[::1]:8000', 'https://a_b.example:444']],
    ['https://Shop.example,http://localhost:8000', ['https://shop.example', 'http://localhost:8000']],
  ],
  CACHE_LIMIT: ['0'],
  BODY_LIMIT: ['1', '10000000'],
  IMPORT_LIMIT: ['1', '1099511627776'],
  DELETION_SHARE: ['0', '100'],
  CLIENT_SHARE: ['1', '100'],
  STOP_DELAY: ['0', '5000'],
  STOP_TIMEOUT: [['', 8_000], '500', '8000'],
  MAX_CONNECTIONS: ['100'],
  METRICS_PORT: ['0', '9464'],
  METRICS_HOST: ['0.0.0.0'],
  LOG_LEVEL: ['error', 'warn', 'debug'],
  LOG_FORMAT: ['pretty', 'json'],
};
const listed = Object.entries(good).flatMap(([name, texts]) =>
  texts.map((each) => {
    const [text, value] = typeof each === 'string' ? [each, /^\d+$/.test(each) ? Number(each) : each] : each;
    return [name, text, value] as const;
  }),
);
test.each(listed)('%s=%s', (name, text, value) => {
  expect(readConfig({ [name]: text })).toHaveProperty(name, value);
});

const bad: Readonly<Record<string, readonly string[]>> = {
  PORT: ['65536', '-1', '3000.5', '3e3', '0x10', ' 3000', 'http'],
  IDENTIFIERS: ['UUID', 'serial'],
  ACCESS: ['none'],
  IDEMPOTENCY_TTL: ['0', '24h', '31536001'],
  CHANGES_TTL: ['59'],
  KEY_STREAMS: ['0'],
  RATE_LIMIT: ['0'],
  RATE_WINDOW: ['0'],
  TRUSTED_PROXIES: ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '127.0.0.1,', '*'],
  DATABASE_URL: [
    ...['catalogue.db', 'sqlite:', 'sqlite://', 'sqlite::memory', 'sqlite:://memory:', 'sqlite:file:cars.db'],
    ...['sqlite:file:///var/lib/cars.db?mode=memory', 'sqlite://file:cars.db', 'file:cars.db'],
    ...['mysql://localhost/cars', 'postgres:cars', 'postgres://u:p@host:port/cars', 'sqlite:a.db\nsqlite:b.db'],
    ...['postgres://db/cars?SSLMODE=verify-full', 'postgres://db/cars?ssl_mode=verify-full'],
    'postgres://db/cars?application_name=x&sslmode=verify_full',
    'postgres://db/cars?sslmode=verify-full&sslcrl=/etc/revoked.crl',
    ...['postgres://db/cars?sslmode=Disable', 'postgres://db/cars?sslmode=allow'],
  ],
  DATABASE_POOL: ['0', 'many'],
  DATABASE_TIMEOUT: ['99', '5s'],
  DATABASE_PREPARE: ['auto'],
  DATABASE_LOG_LIMIT: ['1000000', '256MB'],
  LIST_TIMEOUT: ['999'],
  DEFAULT_LANGUAGE: ['e', 'en_US', 'en, es'],
  LANGUAGES: ['en,', 'en_US', 'es,pt'],
  ALLOWED_HOSTS: ['cars.example:3000', 'https://cars.example', 'cars.example,', '*.example'],
  CORS_ORIGINS: [
    ...['shop.example', 'https://shop.example/', 'null', 'https://shop.example:443', 'http://shop.example:80'],
    ...['https://shop.example:99999', 'https://coches.españa.example'],
  ],
  CACHE_LIMIT: ['-1', '64 MiB'],
  BODY_LIMIT: ['0', '1MB', '99999999999999999999'],
  IMPORT_LIMIT: ['0', '256MiB'],
  DELETION_SHARE: ['101', '-1'],
  CLIENT_SHARE: ['0', '101', '50%'],
  STOP_DELAY: ['5001'],
  STOP_TIMEOUT: ['499', '8001'],
  MAX_CONNECTIONS: ['0'],
  METRICS_PORT: ['65536', '3000', 'on'],
  LOG_LEVEL: ['loud', 'INFO'],
  LOG_FORMAT: ['text'],
};

describe('a bad setting is named in one line, with what is wrong', () => {
  const all = Object.entries(bad).flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  test.each(all)('%s=%s', (name, text) => {
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
});

test.each([
  [{ HEADERS_TIMEOUT: '2000', REQUEST_TIMEOUT: '1999' }, 'HEADERS_TIMEOUT: must not be greater than REQUEST_TIMEOUT'],
  [{ HEADERS_TIMEOUT: '300001' }, 'HEADERS_TIMEOUT: must not be greater than REQUEST_TIMEOUT'],
  [{ REQUEST_TIMEOUT: '9999' }, 'HEADERS_TIMEOUT: must not be greater than REQUEST_TIMEOUT'],
  [{ HEADERS_TIMEOUT: '2000', REQUEST_TIMEOUT: '2000' }],
  [{ STOP_DELAY: '1000', STOP_TIMEOUT: '1000' }, 'STOP_DELAY: must be less than STOP_TIMEOUT'],
  [{ STOP_DELAY: '999', STOP_TIMEOUT: '1000' }],
])('settings that contradict each other are named: %j', (environment: NodeJS.ProcessEnv, ...faults: string[]) => {
  expect(faultsOf(environment)).toEqual(faults);
});

describe('an address of a database in a file', () => {
  const secret = (text: string): string => {
    const file = join(temporaryFolder(), 'secret');
    writeFileSync(file, text);
    return file;
  };
  const URL = 'postgres://u:secret@db/cars';

  test('is as if it were a variable, without the end of its line', () => {
    const files = { DATABASE_URL_FILE: secret(`${URL}\n`) };
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
    describeStart(readConfig(environment)).replace(/^.*?, database /, '');

  test.each<[what: string, environment: NodeJS.ProcessEnv, line: string]>([
    ['nothing that is set', {}, 'sqlite:data/catalogue.db'],
    ['no password of a server', { DATABASE_URL: 'postgres://u:secret@db/cars' }, 'postgres://db/cars'],
    ['no password with the sign before a host', { DATABASE_URL: 'postgres://u:s@cret@db/cars' }, 'postgres://db/cars'],
    ['no password that was meant for a server', { DATABASE_URL: 'sqlite://u:se/cret@db/cars' }, 'sqlite://db/cars'],
  ])('has %s', (_, environment, line) => {
    expect(lineOf(environment)).toBe(line);
  });
});
