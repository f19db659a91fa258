/** What the commands that import and export files have in common. */
import { type Config, ConfigError, readConfig } from '../config.ts';
import { type Language, languagesOf } from '../locale/language.ts';
import { loadLocales } from '../locale/load.ts';
import type { Catalogue } from '../model/catalogue.ts';
import { openStore } from '../open-store.ts';
import { explain } from '../process.ts';
import type { Store } from '../store/port.ts';
import { Unavailable } from '../store/unavailable.ts';
import { Problem } from '../texts/problem.ts';
import { type Arguments, optionIn, readArguments } from './arguments.ts';
import { formatFaults, UsageError } from './options.ts';

/** Exit codes. */
export const DONE = 0;
export const REJECTED = 1;
export const FAILED = 2;

export interface Surroundings {
  readonly catalogue: Catalogue;
  readonly config: Config;
  readonly language: Language;
  readonly languages: readonly Language[];
  /** Aborted where the person interrupts the command. */
  readonly signal: AbortSignal;
}

interface Command {
  /** As it is typed behind `npm run`. */
  readonly name: 'import' | 'export';
  /** Options without a value. */
  readonly flags: readonly string[];
  readonly help: (surroundings: Surroundings, language: Language) => string;
  /** @returns the exit code */
  readonly run: (args: Arguments, surroundings: Surroundings) => Promise<number>;
}

const isLasting = ({ DATABASE_URL }: Config): boolean => !/:memory:$/.test(DATABASE_URL);

export const withStore = async <T>(
  { catalogue, config }: Surroundings,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  if (!isLasting(config)) {
    throw new ConfigError(['DATABASE_URL: must be a database that lasts: what is in memory would be gone at once']);
  }
  const store = await openStore(config.DATABASE_URL, catalogue, {
    pool: config.DATABASE_POOL,
    timeout: config.DATABASE_TIMEOUT,
    prepare: config.DATABASE_PREPARE,
    listTimeout: config.LIST_TIMEOUT,
    logLimit: config.DATABASE_LOG_LIMIT,
    report: (line) => process.stderr.write(`${line}\n`),
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

/** @returns what a person is told of an error, a line for each fault */
const linesOf = (error: unknown, { language, signal }: Surroundings, name: Command['name']): readonly string[] => {
  if (signal.aborted) return [language.commands('work-interrupted', {})];
  if (error instanceof UsageError) {
    return [...error.faults, language.commands('help-hint', { command: `npm run ${name} --` })];
  }
  if (error instanceof Problem) return formatFaults(language, error);
  if (error instanceof Unavailable) {
    return [language.say({ phrase: 'store-unavailable', values: {} }), ...explain(error.cause ?? error).slice(0, 1)];
  }
  return explain(error);
};

const runIn = async (catalogue: Catalogue, command: Command, sent: readonly string[]): Promise<number> => {
  const args = readArguments(sent, ['help', ...command.flags]);
  const config = readConfig();
  const languages = languagesOf(
    catalogue,
    loadLocales(catalogue, config.LOCALES_DIR, config.DEFAULT_LANGUAGE),
    config.DEFAULT_LANGUAGE,
  );
  const tag = optionIn(args, 'language') ?? config.DEFAULT_LANGUAGE;
  const asked = languages.find((each) => each.tag.toLowerCase() === tag.toLowerCase());
  const language = asked ?? languages.find((each) => each.tag === config.DEFAULT_LANGUAGE) ?? languages[0];
  if (!language) throw new TypeError('there is no language');
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  const surroundings = { catalogue, config, language, languages, signal: controller.signal };
  try {
    if (args.options.some(([name]) => name === 'help')) {
      // Who does not say which language reads all of them.
      const spoken = optionIn(args, 'language') === undefined ? languages : [language];
      process.stdout.write(spoken.map((each) => command.help(surroundings, each)).join('\n'));
      return DONE;
    }
    if (!asked) {
      const known = languages.map((each) => each.tag).join(', ');
      throw new UsageError([language.say({ phrase: 'language-unknown', values: { value: tag, known } })]);
    }
    return await command.run(args, surroundings);
  } catch (error) {
    for (const line of linesOf(error, surroundings, command.name)) process.stderr.write(`${line}\n`);
    return FAILED;
  }
};

/** Runs a command; the process then ends with its exit code. */
export const runCommand = async (catalogue: Catalogue, command: Command): Promise<void> => {
  // The threads of a store, which may be all that is waited for, keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  try {
    process.exitCode = await runIn(catalogue, command, process.argv.slice(2));
  } catch (error) {
    for (const line of explain(error)) process.stderr.write(`${line}\n`);
    process.exitCode = FAILED;
  } finally {
    clearInterval(alive);
  }
};
