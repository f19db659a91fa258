/** The only list of settings, and how they are read from the environment. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import { DEFAULT_BODY_LIMIT, DEFAULT_DELETION_SHARE, DEFAULT_IMPORT_LIMIT } from '../../gateway/http/defaults.ts';
import { accessModes } from '../../gateway/model/access.ts';
import { FaultsError } from '../../util/faults-error.ts';
import { levels, logFormats } from '../log/log.ts';
import { databaseUrl } from './database-url.ts';

/** The service cannot start with these settings: one line for each invalid setting. */
export class ConfigError extends FaultsError {}

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
};

const choice = <const V extends readonly [string, ...string[]]>(values: V, hint?: string) =>
  z.enum(values, `must be ${values.join(' or ')}${hint ? `: ${hint}` : ''}`);

/** Parses `en,es-MX`, each tag once. */
const languageTags = (message: string) =>
  z.string().transform((text, context) => {
    try {
      return Intl.getCanonicalLocales(text.split(',').map((tag) => tag.trim()));
    } catch {
      context.addIssue(message);
      return z.NEVER;
    }
  });

const ONE_TAG = 'must be a language tag (BCP 47) such as "en"';

/** Members separated by commas, in lower case. */
const commaSeparated = (isMember: (text: string) => boolean, members: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((member) => member.trim().toLowerCase()))
    .refine((all) => all.every(isMember), `must be ${members}, separated by commas`)
    .default([]);

/** @returns whether a text is an origin as browsers send it: without the default port of its scheme, and without a path */
function isOrigin(text: string): boolean {
  return text === '*' || (/^https?:/.test(text) && URL.parse(text)?.origin === text);
}

function isHostName(text: string): boolean {
  return /^(?:\*|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/.test(text);
}

const range = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

function isRange(text: string): boolean {
  return range.safeParse(text).success;
}

const SECURE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$))\S+$/;

/** The address of an issuer has no user and no password, which requests would not send. */
const issuer = z.string().refine((text) => {
  const url = SECURE.test(text) ? URL.parse(text) : null;
  return url?.username === '' && url.password === '';
}, 'must be "https://…", without user and password');

export const projectLocales = fileURLToPath(new URL('../../../locales', import.meta.url));

/** Every setting, by the name of its environment variable, and how its text is read. */
export const variables = z.object({
  PORT: wholeNumber(0, 65_535).prefault('3000'),
  HOST: z.string().default('127.0.0.1'),
  CATALOGUE: z.string().optional(),
  DATABASE_URL: databaseUrl.default('sqlite:data/catalogue.db'),
  DATABASE_POOL: wholeNumber(1, 1_000).optional(),
  /** Milliseconds. */
  DATABASE_TIMEOUT: wholeNumber(100, 600_000).optional(),
  DATABASE_PREPARE: choice(['on', 'off'], 'off if a pooler in transaction mode stands before the server').default('on'),
  /** Bytes, of a file only; without it the store's own default applies. */
  DATABASE_LOG_LIMIT: wholeNumber(1_048_576, 1_099_511_627_776).optional(),
  /** Milliseconds; without it the store's own default applies. */
  LIST_TIMEOUT: wholeNumber(1_000, 86_400_000).optional(),
  IDENTIFIERS: choice(['uuid', 'nanoid']).default('uuid'),
  DEFAULT_LANGUAGE: languageTags(ONE_TAG)
    .refine(({ length }) => length === 1, ONE_TAG)
    .transform(([tag = '']) => tag)
    .prefault('en'),
  /** The languages that are served; without it, those whose tables are in the folder itself. */
  LANGUAGES: languageTags('must be language tags (BCP 47) such as "en,es,pt", separated by commas').optional(),
  LOCALES_DIR: z.string().default(projectLocales),
  PSEUDO: choice(['on', 'off']).default('off'),
  ALLOWED_HOSTS: commaSeparated(isHostName, '"*" or names such as "cars.example" without a port'),
  CORS_ORIGINS: commaSeparated(
    isOrigin,
    '"*" or origins as browsers send them, such as "https://shop.example", without the usual port',
  ),
  ACCESS: choice(accessModes).default('open'),
  OIDC_ISSUER: issuer.optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_SCOPE_CLAIM: z.string().default('scope'),
  /** Seconds. */
  IDEMPOTENCY_TTL: wholeNumber(1, 31_536_000).prefault('86400'),
  /** Seconds after which deletions are forgotten. */
  CHANGES_TTL: wholeNumber(60, 31_536_000).prefault('604800'),
  HOOK_ADDRESSES: choice(['public', 'any']).default('public'),
  KEY_STREAMS: wholeNumber(1, 1_000_000).prefault('100'),
  BODY_LIMIT: wholeNumber(1, 1_073_741_824).prefault(String(DEFAULT_BODY_LIMIT)),
  IMPORT_LIMIT: wholeNumber(1, 1_099_511_627_776).prefault(String(DEFAULT_IMPORT_LIMIT)),
  /** Percent. */
  DELETION_SHARE: wholeNumber(0, 100).prefault(String(DEFAULT_DELETION_SHARE)),
  PROFILES_DIR: z
    .string()
    .refine((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true, 'must be a folder')
    .optional(),
  /** Bytes of rows in memory; 0 turns the cache off. */
  CACHE_LIMIT: wholeNumber(0, 1_099_511_627_776).prefault('67108864'),
  /** Milliseconds. */
  HEADERS_TIMEOUT: wholeNumber(1, 3_600_000).prefault('10000'),
  REQUEST_TIMEOUT: wholeNumber(1, 3_600_000).prefault('300000'),
  IDLE_TIMEOUT: wholeNumber(1, 3_600_000).prefault('30000'),
  /** Percent of the long lists, and of the slow reads that wait, that one client may have. */
  CLIENT_SHARE: wholeNumber(1, 100).prefault('50'),
  /** Requests of one client in a window, and the window's seconds; without a limit nothing is counted. */
  RATE_LIMIT: wholeNumber(1, 1_000_000_000).optional(),
  RATE_WINDOW: wholeNumber(1, 86_400).prefault('60'),
  TRUSTED_PROXIES: commaSeparated(isRange, 'addresses or subnets such as "10.0.0.0/8"'),
  STOP_DELAY: wholeNumber(0, 5_000).prefault('0'),
  /** Milliseconds; the contract allows 10 s from the signal to the end. */
  STOP_TIMEOUT: wholeNumber(500, 8_000).prefault('8000'),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).prefault('4000'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  BACKUP_DIR: z.string().optional(),
  LOG_LEVEL: choice(levels).default('info'),
  LOG_FORMAT: choice(logFormats).optional(),
  LOG_CHANGES: choice(['on', 'off']).default('on'),
  LOG_ADDRESSES: choice(['on', 'masked', 'off']).default('on'),
});

export type Config = Readonly<z.infer<typeof variables>>;

const contradictions: readonly (readonly [keyof Config, (config: Config) => boolean, message: string])[] = [
  [
    'LANGUAGES',
    ({ LANGUAGES, DEFAULT_LANGUAGE }) => LANGUAGES?.includes(DEFAULT_LANGUAGE) === false,
    'must be a list with DEFAULT_LANGUAGE in it',
  ],
  ['OIDC_AUDIENCE', (all) => !all.OIDC_ISSUER !== !all.OIDC_AUDIENCE, 'must be set if OIDC_ISSUER is, and only then'],
  [
    'OIDC_ISSUER',
    (all) => all.OIDC_ISSUER !== undefined && all.ACCESS === 'open',
    'must be left out unless ACCESS is write or all',
  ],
  ['HEADERS_TIMEOUT', (all) => all.HEADERS_TIMEOUT > all.REQUEST_TIMEOUT, 'must not be greater than REQUEST_TIMEOUT'],
  ['METRICS_PORT', (all) => all.METRICS_PORT !== 0 && all.METRICS_PORT === all.PORT, 'must be another one than PORT'],
  ['STOP_DELAY', (all) => all.STOP_DELAY >= all.STOP_TIMEOUT, 'must be less than STOP_TIMEOUT'],
];

const settings = variables.check(({ value, issues }) => {
  for (const [name, isWrong, message] of contradictions) {
    if (isWrong(value)) issues.push({ code: 'custom', path: [name], message, input: value });
  }
});

/** Settings of earlier versions. */
const GONE = [
  ...['UPSTREAM_MAPPING', 'UPSTREAM_AUTHORIZATION', 'UPSTREAM_AUTHORIZATION_FILE', 'WORKERS', 'CLIENT_CONNECTIONS'],
  ...['DATABASE_READ_URL', 'DATABASE_READ_URL_FILE', 'RATE_LIMIT_STORE', 'RATE_LIMITS', 'OTHER_COLLECTIONS'],
];

const SECRETS = ['DATABASE_URL', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_SCOPE_CLAIM'] as const;
const NAMES = [...Object.keys(variables.shape), ...SECRETS.map((name) => `${name}_FILE`)];
/** Shorter settings are like variables of other programs. */
const SHORTEST_GUESS = 6;

type Variables = Readonly<Record<string, string>>;

function readSet(environment: NodeJS.ProcessEnv): Variables {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  );
}

/** Reads the settings that stand in files, without the end of their line, as secrets are mounted. */
function readSecrets(set: Variables): { readonly secrets: Variables; readonly faults: readonly string[] } {
  const secrets: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of SECRETS) {
    const file = set[`${name}_FILE`];
    if (file === undefined) continue;
    if (set[name] !== undefined) faults.push(`${name}_FILE: must be left out if ${name} is set`);
    try {
      secrets[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      faults.push(`${name}_FILE: cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { secrets, faults };
}

export function findMisspelt(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const long = NAMES.filter((name) => name.length >= SHORTEST_GUESS);
  const index = new WordIndex(Object.fromEntries(long.map((name) => [name, name])));
  const strip = (name: string): string => name.replaceAll('_', '').toUpperCase();
  return Object.keys(readSet(environment))
    .filter((name) => !NAMES.includes(name))
    .flatMap((name) => {
      const suggestion = index.suggest(name) ?? long.find((setting) => strip(setting) === strip(name));
      return suggestion === undefined ? [] : [`${name} is not a setting; did you mean ${suggestion}?`];
    });
}

/** @param path of a catalogue: its folder, or the module in it */
export function findCatalogueFolder(path: string): string {
  return isModule(path) ? dirname(path) : path;
}

export function isModule(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const set = readSet(environment);
  const formerSettings = GONE.filter((name) => set[name] !== undefined);
  const { secrets, faults } = readSecrets(set);
  const allFaults = [
    ...formerSettings.map((name) => `${name}: is no setting any more; CHANGELOG.md says what replaces it`),
    ...faults,
  ];
  if (allFaults.length > 0) throw new ConfigError(allFaults);
  const folder = set.CATALOGUE && basename(findCatalogueFolder(resolve(set.CATALOGUE)));
  const ownDatabase = folder ? { DATABASE_URL: `sqlite:data/${folder}.db` } : {};
  const result = settings.safeParse({ ...ownDatabase, ...set, ...secrets }, { jitless: true });
  if (result.success) return Object.freeze(result.data);
  // Values are not shown: a database address may contain a password.
  throw new ConfigError(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
}
