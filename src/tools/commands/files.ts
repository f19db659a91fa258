/** Files that commands make, which appear complete or not at all, and lines that they read and print. */
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { commandError, unusableFile } from './command-error.ts';

/** A file appears by being renamed, which would put it in the place of a device, or of a link such as `/dev/stdout`. */
export function checkReplaceable(file: string): void {
  let isFile = true;
  try {
    isFile = lstatSync(file).isFile();
  } catch {
    // There is no such file; what else is wrong with its name shows when it is used.
  }
  if (!isFile) throw commandError('file-unusable', { file, reason: 'not a regular file' });
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

/** @returns what the lines of a file say, each of which is JSON */
export function readJsonLines<T>(file: string, schema: z.ZodType<T>, command: string): readonly T[] {
  const values: T[] = [];
  for (const [at, line] of readLines(file).entries()) {
    if (line.trim() === '') continue;
    try {
      values.push(schema.parse(JSON.parse(line)));
    } catch (error) {
      throw commandError('line-invalid', { file, line: at + 1, command }, error);
    }
  }
  return values;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw unusableFile(file, error);
  }
}

/** @returns the lines of a table, its columns as wide as their widest cell */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  return rows.map((row) => {
    const cells = row.map((cell, at) => cell.padEnd(Math.max(...rows.map((other) => other[at]?.length ?? 0))));
    return cells.join('  ').trimEnd();
  });
}
