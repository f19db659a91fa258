import { readBlocks } from '../../util/unnamed-file.ts';
import { withUnits } from '../locale/language.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import { findMisnamed } from './detect-format.ts';
import type { FileReaders, FileSource } from './reader.ts';
import type { RowSpool } from './spool.ts';

const readers: Readonly<Record<string, () => Promise<FileReaders>>> = {
  csv: async () => (await import('./csv.ts')).csvReaders,
  json: async () => (await import('./json.ts')).jsonReaders,
  ndjson: async () => (await import('./json.ts')).ndjsonReaders,
  xlsx: async () => (await import('./xlsx.ts')).xlsxReaders,
};

export async function loadReaders(format: string): Promise<FileReaders> {
  const load = readers[format];
  if (!load) throw new TypeError(`no format to read: ${format}`);
  return load();
}

export function inUnits<S extends Pick<FileSource, 'language' | 'options'>>(source: S): S {
  const { units } = source.options;
  return units ? { ...source, language: withUnits(source.language, new Map(units)) } : source;
}

export async function readFile(
  format: string,
  source: Omit<FileSource, 'isSeen'>,
  spool: RowSpool,
  signal?: AbortSignal,
): Promise<void> {
  const [head] = readBlocks(source.file);
  const problem = head && findMisnamed(head, format);
  if (problem?.detail.phrase === 'file-old' && isEncrypted(source.file)) {
    throw new Problem('malformed-file', sentence('file-password', {}));
  }
  if (problem) throw problem;
  const { timeZone = 'UTC' } = source.options;
  const onZoneless = (field: string, row: number, value: string) =>
    spool.warnings.addZoneless(timeZone, field, row, value);
  const { rows } = await loadReaders(format);
  for await (const chunk of rows({ ...inUnits(source), isSeen: spool.isSeen, onZoneless })) {
    spool.add(chunk);
    signal?.throwIfAborted();
  }
}

/** What a workbook with a password has in a directory of sectors, none of which two blocks share. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

const isEncrypted = (file: number): boolean =>
  readBlocks(file).some(({ buffer, length }) => Buffer.from(buffer, 0, length).includes(ENCRYPTED));
