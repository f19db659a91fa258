/** Reads files of any format. */
import { blocksIn } from '../../util/unnamed-file.ts';
import { readableFormat } from '../formats/formats.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
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

export async function readFile(
  format: string,
  source: Omit<FileSource, 'isSeen'>,
  spool: RowSpool,
  signal?: AbortSignal,
): Promise<void> {
  const [head] = blocksIn(source.file);
  const problem = head && misnamed(head, format);
  if (problem?.detail.phrase === 'file-old' && isEncrypted(source.file)) {
    throw new Problem('malformed-file', sentence('file-password', {}));
  }
  if (problem) throw problem;
  const { timeZone = 'UTC' } = source.options;
  const onZoneless = (field: string, row: number, value: string) =>
    spool.warnings.addZoneless(timeZone, field, { row, value });
  const { rows } = await loadReaders(format);
  for await (const some of rows({ ...source, isSeen: spool.isSeen, onZoneless })) {
    spool.add(some);
    signal?.throwIfAborted();
  }
}

/** What a workbook with a password has in a directory of sectors, none of which two blocks share. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

function isEncrypted(file: number): boolean {
  for (const block of blocksIn(file)) if (Buffer.from(block.buffer, 0, block.length).includes(ENCRYPTED)) return true;
  return false;
}

const HEAD = 1_024;
/** How formats begin, in Latin-1, and which other formats a file with this beginning cannot be; `xls` is what Excel wrote before 2007. */
const beginnings: readonly (readonly [name: string, beginning: RegExp, others: readonly string[]])[] = [
  ['xlsx', /^PK\x03\x04/, ['csv', 'json', 'ndjson']],
  ['xls', /^\xd0\xcf\x11\xe0/, ['csv', 'json', 'ndjson', 'xlsx']],
  ['json', /^(?:\xef\xbb\xbf)?\s*\[\s*[{\]]/, ['csv', 'xlsx']],
  ['ndjson', /^(?:\xef\xbb\xbf)?\s*\{\s*["}]/, ['csv', 'xlsx']],
  ['csv', /^(?:\xef\xbb\xbf)?["#\w\xc0-\xff][^\r\n:={}[\]]*[,;\t]/, ['json', 'xlsx']],
];

/** @param name of the format as which the bytes were sent. @returns the problem of a file that is something else */
export function misnamed(bytes: Uint8Array, name: string): Problem | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString('latin1');
  const [format, , others] = beginnings.find(([, beginning]) => beginning.test(head)) ?? [];
  if (format === undefined || !others?.includes(name)) return undefined;
  if (format === 'xls') return new Problem('malformed-file', sentence('file-old', {}));
  const { type } = readableFormat(format);
  const values = { sent: name.toUpperCase(), found: format.toUpperCase(), type, format };
  const code = name === 'json' ? 'malformed-json' : 'malformed-file';
  return new Problem(code, sentence('file-misnamed', values), { suggestion: type });
}
