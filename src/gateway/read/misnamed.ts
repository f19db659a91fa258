/** What the first bytes of a file say that it is. */
import { readableFormat } from '../formats/formats.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';

/** Bytes that are looked at. */
const HEAD = 1_024;
/** How formats begin, in Latin-1, and as what else a file with this beginning cannot be meant; `xls` is what Excel wrote before 2007. */
const beginnings: readonly (readonly [name: string, beginning: RegExp, others: readonly string[]])[] = [
  ['xlsx', /^PK\x03\x04/, ['csv', 'json', 'ndjson']],
  ['xls', /^\xd0\xcf\x11\xe0/, ['csv', 'json', 'ndjson', 'xlsx']],
  ['json', /^(?:\xef\xbb\xbf)?\s*\[\s*[{\]]/, ['csv', 'xlsx']],
  ['ndjson', /^(?:\xef\xbb\xbf)?\s*\{\s*["}]/, ['csv', 'xlsx']],
  ['csv', /^(?:\xef\xbb\xbf)?["#\w\xc0-\xff][^\r\n:={}[\]]*[,;\t]/, ['json', 'xlsx']],
];

/**
 * @param said the name of the format as which the bytes were sent
 * @returns the problem of a file that is something else; `undefined` where nothing says so
 */
export const misnamed = (bytes: Uint8Array, said: string): Problem | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD)).toString('latin1');
  const [format, , others] = beginnings.find(([, beginning]) => beginning.test(head)) ?? [];
  if (format === undefined || !others?.includes(said)) return undefined;
  if (format === 'xls') return new Problem('malformed-file', sentence('file-old', {}));
  const { type } = readableFormat(format);
  const values = { sent: said.toUpperCase(), found: format.toUpperCase(), type, format };
  const code = said === 'json' ? 'malformed-json' : 'malformed-file';
  return new Problem(code, sentence('file-misnamed', values), { suggestion: type });
};
