import { basename, resolve } from 'node:path';
import type { z } from 'zod';
import { DEFAULT_TIMEOUT } from '../../store/postgres/connection/options.ts';
import { FaultsError } from '../../util/faults-error.ts';
import { isServer } from './database-url.ts';
import { findGoneSettings } from './gone.ts';
import { misspeltIn } from './misspelt.ts';
import { fileSettings, withFiles } from './secret-files.ts';
import { variables } from './variables.ts';

/** The service cannot start with these settings: one line for each invalid setting. */
export class ConfigError extends FaultsError {}

const settings = variables
  .refine(({ OIDC_ISSUER, OIDC_AUDIENCE }) => (OIDC_ISSUER === undefined) === (OIDC_AUDIENCE === undefined), {
    path: ['OIDC_AUDIENCE'],
    message: 'must be set where OIDC_ISSUER is, and only there',
  })
  .refine(({ OIDC_ISSUER, ACCESS }) => OIDC_ISSUER === undefined || ACCESS !== 'open', {
    path: ['OIDC_ISSUER'],
    message: 'must be left out unless ACCESS is write or all',
  })
  .refine(({ HEADERS_TIMEOUT, REQUEST_TIMEOUT }) => HEADERS_TIMEOUT <= REQUEST_TIMEOUT, {
    path: ['HEADERS_TIMEOUT'],
    message: 'must not be greater than REQUEST_TIMEOUT',
  })
  .refine(({ PORT, METRICS_PORT }) => METRICS_PORT === undefined || METRICS_PORT === 0 || METRICS_PORT !== PORT, {
    path: ['METRICS_PORT'],
    message: 'must be another one than PORT',
  })
  .refine(({ STOP_DELAY, STOP_TIMEOUT }) => STOP_DELAY < STOP_TIMEOUT, {
    path: ['STOP_DELAY'],
    message: 'must be less than STOP_TIMEOUT',
  })
  .refine(
    ({ DATABASE_URL, DATABASE_TIMEOUT = DEFAULT_TIMEOUT, IDLE_TIMEOUT }) =>
      !isServer(DATABASE_URL) || DATABASE_TIMEOUT < IDLE_TIMEOUT,
    {
      path: ['IDLE_TIMEOUT'],
      message: 'must be greater than DATABASE_TIMEOUT: requests that wait for the database would be cut off unanswered',
    },
  )
  // Without access control nobody is asked for a key, and all have `RATE_LIMIT`.
  .refine(({ ACCESS, RATE_LIMIT, RATE_LIMITS }) => (RATE_LIMIT && ACCESS !== 'open') || !RATE_LIMITS, {
    path: ['RATE_LIMITS'],
    message: 'must be left out unless RATE_LIMIT is set, and ACCESS is write or all',
  });

export type Config = Readonly<z.infer<typeof settings>>;

const NAMES = Object.keys(variables.shape);

const setIn = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''));

/** The settings of a process, and what the log says about them. */
export interface StartSettings {
  readonly config: Config;
  /** The text of each setting that differs from its default. */
  readonly changed: ReadonlyMap<string, string>;
  /** Lines of warning. */
  readonly misspelt: readonly string[];
}

/**
 * @param environment variables; an empty one counts as unset
 * @throws ConfigError that names each invalid setting
 */
export const readStartSettings = (environment: NodeJS.ProcessEnv = process.env): StartSettings => {
  const config = readConfig(environment);
  const set = setIn(environment);
  const defaults = readConfig({});
  const isChanged = (name: string): boolean =>
    JSON.stringify(config[name as keyof Config]) !== JSON.stringify(defaults[name as keyof Config]);
  const changed = NAMES.filter((name) => set[name] !== undefined && isChanged(name));
  return {
    config,
    changed: new Map(changed.map((name) => [name, set[name] ?? ''])),
    misspelt: misspeltIn(Object.keys(set), [...NAMES, ...fileSettings]),
  };
};

/**
 * @param environment variables; an empty one counts as unset
 * @returns all settings, checked
 * @throws ConfigError that names each invalid setting
 */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const [set, unreadable] = withFiles(setIn(environment));
  const faults = [...findGoneSettings(set), ...unreadable];
  if (faults.length > 0) throw new ConfigError(faults);
  const own = set.CATALOGUE === undefined ? {} : { DATABASE_URL: `sqlite:data/${basename(resolve(set.CATALOGUE))}.db` };
  const checked = settings.safeParse({ ...own, ...set }, { jitless: true });
  if (checked.success) return Object.freeze(checked.data);
  // Values are not shown: a database address may contain a password.
  throw new ConfigError(checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
};
