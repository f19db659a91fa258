import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DEFAULT_BODY_LIMIT, DEFAULT_DELETION_SHARE, DEFAULT_IMPORT_LIMIT } from '../../gateway/http/defaults.ts';
import { accessModes } from '../../gateway/model/access.ts';
import { logFormats } from '../log/events.ts';
import { databaseUrl } from './database-url.ts';
import {
  commaSeparated,
  isOrigin,
  issuer,
  languageTag,
  numbersByName,
  oneOf,
  rangeList,
  wholeNumber,
} from './kinds.ts';

const projectLocales = fileURLToPath(new URL('../../../locales', import.meta.url));

/** Every setting, by the name of its environment variable, and how its text is read. */
export const variables = z.object({
  PORT: wholeNumber(0, 65_535).prefault('3000'),
  HOST: z.string().default('127.0.0.1'),
  /** A folder with another catalogue and its tables. */
  CATALOGUE: z.string().optional(),
  /** Another catalogue has a file of its own by default. */
  DATABASE_URL: databaseUrl.default('sqlite:data/catalogue.db'),
  /** For PostgreSQL only; the store has defaults. */
  DATABASE_POOL: wholeNumber(1, 1_000).optional(),
  /** Milliseconds. */
  DATABASE_TIMEOUT: wholeNumber(100, 600_000).optional(),
  /** For PostgreSQL only: whether statements are prepared on its connections. */
  DATABASE_PREPARE: z
    .enum(
      ['on', 'off'],
      'must be on or off: nothing looks for a pooler any more; off where one in transaction mode stands before the server',
    )
    .default('on'),
  /** Whether a database may have collections that the catalogue lacks. */
  OTHER_COLLECTIONS: oneOf(['refuse', 'keep']).default('refuse'),
  /** Bytes, of a file only; without it the store's own default applies. */
  DATABASE_LOG_LIMIT: wholeNumber(1_048_576, 1_099_511_627_776).optional(),
  /** Milliseconds; without it the store's own default applies. */
  LIST_TIMEOUT: wholeNumber(1_000, 86_400_000).optional(),
  IDENTIFIERS: oneOf(['uuid', 'nanoid']).default('uuid'),
  DEFAULT_LANGUAGE: languageTag.prefault('en'),
  LOCALES_DIR: z.string().default(projectLocales),
  ALLOWED_HOSTS: commaSeparated(
    (text) => /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/.test(text),
    'must be "*" or names such as "cars.example" without a port, separated by commas',
  ),
  CORS_ORIGINS: commaSeparated(
    isOrigin,
    'must be "*" or origins as browsers send them, such as "https://shop.example", without the usual port, separated by commas',
  ),
  ACCESS: oneOf(accessModes).default('open'),
  /** An identity provider whose tokens are accepted like keys. */
  OIDC_ISSUER: issuer.optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_SCOPE_CLAIM: z.string().default('scope'),
  /** Seconds. */
  IDEMPOTENCY_TTL: wholeNumber(1, 31_536_000).prefault('86400'),
  /** Seconds for which deletions are told. */
  CHANGES_TTL: wholeNumber(60, 31_536_000).prefault('604800'),
  /** Where hooks may be: on the internet and over TLS only, or anywhere. */
  HOOK_ADDRESSES: oneOf(['public', 'any']).default('public'),
  /** Streams of events of one key, in each process. */
  KEY_STREAMS: wholeNumber(1, 1_000_000).prefault('100'),
  BODY_LIMIT: wholeNumber(1, 1_073_741_824).prefault(String(DEFAULT_BODY_LIMIT)),
  IMPORT_LIMIT: wholeNumber(1, 1_099_511_627_776).prefault(String(DEFAULT_IMPORT_LIMIT)),
  /** Percent. */
  DELETION_SHARE: wholeNumber(0, 100).prefault(String(DEFAULT_DELETION_SHARE)),
  /** Bytes of kept rows; 0 keeps none. */
  CACHE_LIMIT: wholeNumber(0, 1_099_511_627_776).prefault('67108864'),
  /** Milliseconds. */
  HEADERS_TIMEOUT: wholeNumber(1, 3_600_000).prefault('10000'),
  /** Files have no other limit of time, so it is Node's own. */
  REQUEST_TIMEOUT: wholeNumber(1, 3_600_000).prefault('300000'),
  IDLE_TIMEOUT: wholeNumber(1, 3_600_000).prefault('30000'),
  /** Percent of the long lists, and of the slow reads that wait, that one client address may have. */
  CLIENT_SHARE: wholeNumber(1, 100).prefault('50'),
  /** Requests of one client in a window, and the window's seconds; without a limit nothing is counted. */
  RATE_LIMIT: wholeNumber(1, 1_000_000_000).optional(),
  /** The same of clients with a scope, or of a key. */
  RATE_LIMITS: numbersByName(1_000_000_000).optional(),
  RATE_WINDOW: wholeNumber(1, 86_400).prefault('60'),
  TRUSTED_PROXIES: rangeList.default([]),
  STOP_DELAY: wholeNumber(0, 5_000).prefault('0'),
  /** Milliseconds; the contract allows 10 s from the signal to the end. */
  STOP_TIMEOUT: wholeNumber(500, 8_000).prefault('8000'),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).prefault('4000'),
  /** Port of the metrics server; without it nothing is measured. */
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** A folder of copies, the time of whose newest is measured. */
  BACKUP_DIR: z.string().optional(),
  LOG_LEVEL: oneOf(['error', 'warn', 'info', 'debug']).default('info'),
  LOG_FORMAT: oneOf(logFormats).optional(),
  /** Whether each change is logged at level `info`, with who made it. */
  LOG_CHANGES: oneOf(['on', 'off']).default('on'),
  /** What is logged of clients' addresses. */
  LOG_ADDRESSES: oneOf(['on', 'masked', 'off']).default('on'),
});
