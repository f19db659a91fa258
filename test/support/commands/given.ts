/** What commands of operators are given, without a process around them. */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vi } from 'vitest';
import { readConfig } from '../../../src/host/settings/config.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { CommandError } from '../../../src/tools/commands/command-error.ts';
import type { CommandContext } from '../../../src/tools/commands/run.ts';
import { calls } from '../../../src/util/calls.ts';
import { localesFolder } from '../app/app.ts';
import { catalogue } from '../cars/catalogue.ts';
import { en } from '../language/spoken.ts';
import { launch, project } from '../process/service.ts';

/** Prints the names of texts instead of their words. */
export const givenOn = (
  url: string,
  file?: string,
  flags: readonly string[] = [],
): CommandContext & { readonly printed: readonly string[] } => {
  const printed: string[] = [];
  return {
    operands: file === undefined ? [] : [file],
    flags: new Set(flags),
    options: new Map(),
    parameters: [],
    catalogue,
    printed,
    outputLanguage: en.language,
    language: en.language,
    languages: [en.language],
    locales: loadLocales(catalogue, localesFolder, 'en'),
    config: readConfig({ DATABASE_URL: url }),
    say: (text, values = {}) => `${text} ${JSON.stringify(values)}`,
    progress: { show: () => {}, showRows: () => {}, end: () => {} },
    print: (line) => printed.push(line),
    note: () => {},
  };
};

/** @returns the name of the text with which a command refuses */
export const refusal = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof CommandError) return error.text;
    throw error;
  }
};

/** Commands are about the catalogue of the tests. */
export const ofTests = { CATALOGUE: join(project, 'test/support/cars') };

/** Runs a command as a process of its own. @returns its exit code, and everything that it printed */
export const runCommand = async (
  main: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly [code: number | string, printed: string]> => {
  const { exit, output } = launch({
    cwd: project,
    args: [main, ...args],
    env: { ...ofTests, ...env },
  });
  return [await exit, output()];
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let runs = 0;

/**
 * Runs the main file of a command in this process, for what is no business of a process: not how it ends, nor its signals.
 *
 * @returns the exit code, everything that was printed, and what of it was the result
 */
export const runHere = async (
  main: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly [code: number | string, printed: string, result: string]> => {
  const { argv, env: own, exitCode, stdout, stderr } = process;
  let printed = '';
  let result = '';
  const listeners = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const errors = [stdout, stderr].map((stream) => [stream, stream.listeners('error')] as const);
  const spies = [stdout, stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += text;
      if (stream === stdout) result += text;
      return true;
    }),
  );
  try {
    process.argv = [process.execPath, main, ...args];
    process.env = { ...ofTests, ...env };
    runs += 1;
    await import(`${pathToFileURL(resolve(project, main))}?run=${runs}`);
    return [process.exitCode ?? 0, printed, result];
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = own;
    Object.assign(process, { argv, exitCode });
    delete calls.program;
    for (const [signal, before] of listeners) {
      for (const each of process.listeners(signal)) if (!before.includes(each)) process.off(signal, each);
    }
    for (const [stream, before] of errors) {
      const added = stream.listeners('error').filter((each) => !before.includes(each));
      for (const each of added) stream.off('error', each as () => void);
    }
  }
};
