/** What a file is, by how it begins. */
import { readableFormat } from '../formats/formats.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

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
export function findMisnamed(bytes: Uint8Array, name: string): Problem | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString('latin1');
  const [format, , others] = beginnings.find(([, beginning]) => beginning.test(head)) ?? [];
  if (format === undefined || !others?.includes(name)) return undefined;
  if (format === 'xls') return new Problem('malformed-file', sentence('file-old', {}));
  const { type } = readableFormat(format);
  const values = { sent: name.toUpperCase(), found: format.toUpperCase(), type, format };
  const code = name === 'json' ? 'malformed-json' : 'malformed-file';
  return new Problem(code, sentence('file-misnamed', values), { suggestion: type });
}
