import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadReaders } from '../../src/gateway/files/read-file.ts';
import type { ReadingOptions } from '../../src/gateway/files/reader.ts';
import type { Tree } from '../../src/gateway/http/urls.ts';
import type { Collection } from '../../src/gateway/model/catalogue.ts';
import type { FileRow } from '../../src/gateway/model/import.ts';
import { Problem } from '../../src/gateway/texts/problem.ts';
import { cars, en, es } from './language/spoken.ts';

/** Does some work with the descriptor of a file. */
export const withFile = async <T>(bytes: readonly Uint8Array[], work: (fd: number) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'file-'));
  const path = join(folder, 'file');
  writeFileSync(path, Buffer.concat(bytes));
  const fd = openSync(path, 'r');
  rmSync(folder, { recursive: true });
  try {
    return await work(fd);
  } finally {
    closeSync(fd);
  }
};

/** @param format its name. @param file its chunks */
export const readAll = async (
  { language }: Tree,
  format: string,
  file: readonly Uint8Array[],
  collection: Collection = cars,
  options: ReadingOptions = {},
): Promise<readonly FileRow[]> => {
  const { rows } = await loadReaders(format);
  const isSeen = () => true;
  return withFile(file, async (fd) =>
    (await Array.fromAsync(rows({ language, collection, file: fd, options, isSeen }))).flat(),
  );
};

/** @returns what rows have, by canonical names */
export const getValues = (rows: readonly FileRow[], { fields }: Collection = cars): readonly object[] =>
  rows.map(({ cells }) =>
    Object.fromEntries(fields.flatMap(({ name }, at) => (cells[at] === undefined ? [] : [[name, cells[at]]]))),
  );

/** @returns the row, the column and the sentence of each error */
export const errorsIn = (rows: readonly FileRow[]) =>
  rows.flatMap(({ number, errors }) => errors.map(({ column, detail }) => [number, column, detail.phrase]));

/** @returns what is said of a file that is wrong as a whole, and then of each error, where these are several */
export const fileProblem = async (
  tree: Tree,
  ...reading: [string, readonly Uint8Array[], Collection?, ReadingOptions?]
) => {
  const problem: unknown = await readAll(tree, ...reading).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(problem instanceof Problem)) throw problem ?? new Error('the file was read');
  const { detail, errors } = problem;
  return [detail, ...(errors.length > 1 ? errors.map((error) => error.detail) : [])].map(tree.language.format);
};

/**
 * @param text files as JSON texts behind the language that they are read in, `latin1` where they are bytes; below each, on lines
 *   of their own, what is expected of it
 */
export const fileCases = (text: string) =>
  text
    .trim()
    .split(/\n(?=(?:en|es) )/)
    .map((lines) => {
      const [first = '', ...expected] = lines.split('\n');
      const [, tag, encoding = 'utf8', file = ''] = /^(\w+) (?:(latin1) )?(.*)$/.exec(first) ?? [];
      const content = Buffer.from(JSON.parse(file), encoding as BufferEncoding);
      return { tree: tag === 'en' ? en : es, file: content, title: first.slice(0, 60), expected };
    });
