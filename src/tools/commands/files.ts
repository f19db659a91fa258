/** Files that commands make, which appear complete or not at all, and lines that they read and print. */
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import { CommandError, UsageError, useFile } from './command-error.ts';
import type { CommandContext } from './run.ts';

/** A file appears by being renamed, which would put it in the place of a device, or of a link such as `/dev/stdout`. */
export function checkReplaceable(file: string): void {
  let isFile = true;
  try {
    isFile = lstatSync(file).isFile();
  } catch {
    // There is no such file; what else is wrong with its name shows when it is used.
  }
  if (!isFile) throw new CommandError('file-unusable', { file, reason: 'not a regular file' });
}

const ENDS = ['', '-journal', '-wal', '-shm'];

/** Runs work on a file, which has a name of this process until the work renames it; if that fails, nothing is left. */
export async function withPartialFile<T>(file: string, work: (part: string) => T | Promise<T>): Promise<T> {
  const part = `${file}.${process.pid}.part`;
  try {
    return await work(part);
  } finally {
    for (const end of ENDS) if (existsSync(part + end)) rmSync(part + end);
  }
}

/** Reads the lines of a file, each of which is JSON. */
function readJsonLines<T>(file: string, schema: z.ZodType<T>, command: string): readonly T[] {
  const values: T[] = [];
  const lines = useFile(file, () => readFileSync(file, 'utf8').split('\n'));
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      values.push(schema.parse(JSON.parse(line)));
    } catch (error) {
      throw new CommandError('line-invalid', { file, line: at + 1, command }, error);
    }
  }
  return values;
}

/** Where entries of a kind are stored. */
interface Entries<S> {
  readonly all: () => MaybePromise<readonly { readonly id: string }[]>;
  readonly add: (entry: S) => MaybePromise<void>;
}

/** Adds the entries of a file but those that are there already, so that it can be run again; none if one cannot be made. */
export async function importEntries<T extends { readonly id: string }, S>(
  file: string,
  schema: z.ZodType<T>,
  { all, add }: Entries<S>,
  make: (entry: T) => MaybePromise<S>,
  { say, print, command }: Pick<CommandContext, 'say' | 'print'> & { readonly command: string },
): Promise<void> {
  const existingIds = new Set((await all()).map(({ id }) => id));
  const entries = readJsonLines(file, schema, command);
  const missing = await Promise.all(entries.filter(({ id }) => !existingIds.has(id)).map(make));
  for (const entry of missing) await add(entry);
  print(say('entries-imported', { added: missing.length, present: entries.length - missing.length }));
}

/**
 * @param formats those that a command supports
 * @returns the format of a file: that of `--format`, else `usual`, else by the extension
 */
export function chooseFormat<F extends { readonly name: string }>(
  formats: readonly F[],
  { say, options }: Pick<CommandContext, 'say' | 'options'>,
  file: string,
  usual?: string,
): F {
  const option = options.get('format');
  const name = option ?? usual ?? /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  const known = formats.map((candidate) => candidate.name).join(', ');
  throw new UsageError([
    option === undefined ? say('format-needed', { file, known }) : say('option-choice', { option: '--format', known }),
  ]);
}

/** @returns the lines of a table, its columns as wide as their widest cell */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.map((row) => {
    const cells = row.map((cell, at) => cell.padEnd(Math.max(...rows.map((other) => other[at]?.length ?? 0))));
    return cells.join('  ').trimEnd();
  });
}
