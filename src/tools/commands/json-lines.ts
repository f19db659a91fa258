import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { commandError, unusableFile } from './command-error.ts';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unusableFile(file, error);
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * @param command that has written the file
 * @returns what the lines of a file say, each of which is JSON
 * @throws CommandError if the file cannot be read, or a line is not as the command writes it
 */
export function readJsonLines<T>(file: string, schema: z.ZodType<T>, command: string): readonly T[] {
  return readText(file)
    .split('\n')
    .flatMap((line, at) => {
      if (line.trim() === '') return [];
      const { success, data } = schema.safeParse(parseLine(line));
      if (!success) throw commandError('line-invalid', { file, line: at + 1, command });
      return [data];
    });
}
