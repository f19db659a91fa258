/** Decodes the text of a file as it arrives. */
import { isUtf8 } from 'node:buffer';
import { blocksIn } from '../../../util/unnamed-file.ts';
import type { Sentence } from '../../texts/phrase.ts';
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { byteSize } from '../../texts/size.ts';

const charsets = ['utf-8', 'windows-1252'] as const;
export type Charset = (typeof charsets)[number];

export interface TextOptions {
  /** By default UTF-8. */
  readonly charset?: Charset | undefined;
  /** Told how many bytes have been read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/** @returns the charset of a label (https://encoding.spec.whatwg.org/#names-and-labels); `undefined` for others */
export const charsetOf = (label: string): Charset | undefined => {
  try {
    const { encoding } = new TextDecoder(label);
    return charsets.find((charset) => charset === encoding);
  } catch {
    return undefined;
  }
};

export const malformed = (detail: Sentence): Problem => new Problem('malformed-file', detail);

/** @returns the problem of a workbook that has more of something than is read; elements have their names */
export const excess = (name: string, limit: number): Problem => malformed(sentence('workbook-excess', { name, limit }));

export const workbookTooLarge = (limit: number): Problem =>
  new Problem('body-too-large', sentence('workbook-too-large', { limit: byteSize(limit) }));

/** @returns how many bytes at the end of a block belong to a character that continues in the next one */
const unfinished = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    // The rest of a character begins with the bits 10.
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
};

/** @returns the lines before the first that is not UTF-8 */
const validLines = (bytes: Buffer): string => {
  let end = 0;
  for (;;) {
    const next = bytes.subarray(end).findIndex((byte) => byte === 0x0a || byte === 0x0d);
    if (next === -1 || !isUtf8(bytes.subarray(end, end + next + 1))) return bytes.toString('utf8', 0, end);
    end += next + 1;
  }
};

function* fromUtf8(blocks: Iterable<Uint8Array>, rowNow: () => number): Generator<string> {
  const refuse = (): never => {
    throw malformed(sentence('file-encoding', { row: rowNow(), charset: 'UTF-8' }));
  };
  let rest: Buffer = Buffer.alloc(0);
  for (const block of blocks) {
    const bytes =
      rest.length > 0 ? Buffer.concat([rest, block]) : Buffer.from(block.buffer, block.byteOffset, block.length);
    const end = bytes.length - unfinished(bytes);
    const whole = bytes.subarray(0, end);
    rest = bytes.subarray(end);
    if (isUtf8(whole)) yield whole.toString('utf8');
    else {
      yield validLines(whole);
      refuse();
    }
  }
  if (rest.length > 0) refuse();
}

/**
 * Decodes a file, without its byte-order mark.
 *
 * @param file its descriptor
 * @param rowNow returns the number of the current row, for an error
 * @throws Problem where it is not in the declared charset
 */
export function* textIn(
  file: number,
  { charset = 'utf-8', onRead }: TextOptions,
  rowNow: () => number,
): Generator<string> {
  const blocks = blocksIn(file, onRead);
  if (charset !== 'utf-8') {
    const decoder = new TextDecoder(charset);
    for (const block of blocks) yield decoder.decode(block);
    return;
  }
  let isFirst = true;
  for (const text of fromUtf8(blocks, rowNow)) {
    yield isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
    isFirst = false;
  }
}
