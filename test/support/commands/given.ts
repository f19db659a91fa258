/** What commands of operators are given, without a process around them. */
import { catalogue } from '../../../src/catalogue.ts';
import { CommandError } from '../../../src/commands/command-error.ts';
import type { Given } from '../../../src/commands/run.ts';
import { readConfig } from '../../../src/config.ts';
import { en } from '../language/spoken.ts';
import { launch, project } from '../process/service.ts';

/** Prints the names of texts instead of their words. */
export const givenOn = (
  url: string,
  file?: string,
  flags: readonly string[] = [],
): Given & { readonly printed: readonly string[] } => {
  const printed: string[] = [];
  return {
    operands: file === undefined ? [] : [file],
    flags: new Set(flags),
    options: new Map(),
    parameters: [],
    catalogue,
    printed,
    spoken: en.language,
    language: en.language,
    languages: [en.language],
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

/** Runs a command as a process of its own. @returns its exit code, and everything that it printed */
export const runCommand = async (
  main: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<readonly [code: number | string, printed: string]> => {
  const { exit, output } = launch({ cwd: project, args: ['--import', './src/preload.js', main, ...args], env });
  return [await exit, output()];
};
