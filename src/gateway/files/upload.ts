/** Reads forms with a file. */
import { sentence } from '../texts/phrase.ts';
import type { Problem } from '../texts/problem.ts';
import { malformed } from './text.ts';

const MULTIPART = /^\s*multipart\/form-data\s*;(?:[^"]*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i;
const FILE_NAME = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/i;
/** A name in percent encoding (RFC 8187), and one in an encoded word (RFC 2047). */
const EXTENDED_NAME = /;\s*filename\*\s*=\s*[\w-]+'[^']*'([^\s;]+)/i;
const ENCODED_WORD = /^=\?[\w-]+\?(?:(b)|q)\?([^?]*)\?=$/i;
const HEADERS = 8_192;
const END = '\r\n\r\n';

class FormBytes {
  readonly #chunks: AsyncIterator<Uint8Array>;
  rest: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  async receive(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (!done) this.rest = Buffer.concat([this.rest, value]);
    return !done;
  }

  async *content(delimiter: string): AsyncGenerator<Uint8Array> {
    try {
      for (let at = this.rest.indexOf(delimiter); ; at = this.rest.indexOf(delimiter)) {
        // What may be the beginning of a delimiter waits for the next chunk.
        const known = at === -1 ? this.rest.length - delimiter.length : at;
        if (known > 0) yield this.rest.subarray(0, known);
        this.rest = this.rest.subarray(Math.max(known, 0));
        if (at !== -1) break;
        await this.#require();
      }
      while (this.rest.length < delimiter.length + 2) await this.#require();
      if (this.rest.toString('latin1', delimiter.length, delimiter.length + 2) !== '--') throw formProblem();
      while (!(await this.#chunks.next()).done);
    } finally {
      await this.#chunks.return?.();
    }
  }

  async #require(): Promise<void> {
    if (!(await this.receive())) throw formProblem();
  }
}

function formProblem(): Problem {
  return malformed(sentence('multipart', {}));
}

/** @returns the name of a file, of which only the end matters, so that no charset is decoded */
function readFileName(disposition: string): string | undefined {
  const decode = (text: string, pattern: RegExp): string =>
    text.replaceAll(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const [, extended] = EXTENDED_NAME.exec(disposition) ?? [];
  if (extended !== undefined) return decode(extended, /%([0-9a-f]{2})/gi);
  const [, quoted, bare] = FILE_NAME.exec(disposition) ?? [];
  const name = quoted ?? bare;
  const [word, base64, content = ''] = ENCODED_WORD.exec(name ?? '') ?? [];
  if (word === undefined) return name;
  return base64 ? Buffer.from(content, 'base64').toString('latin1') : decode(content, /=([0-9a-f]{2})/gi);
}

/** @returns the only file of a form, whose content is read as it arrives; `undefined` if the form does not begin with a file */
export async function readForm(body: AsyncIterable<Uint8Array>, contentType: string | null) {
  const [, quoted, bare] = MULTIPART.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? bare ?? '';
  const bytes = new FormBytes(body);
  while (!bytes.rest.includes(END)) {
    if (bytes.rest.length > HEADERS || !(await bytes.receive())) return undefined;
  }
  const end = bytes.rest.indexOf(END);
  const [first, ...headers] = bytes.rest.toString('utf8', 0, end).split('\r\n');
  const fileName = readFileName(headers.find((line) => /^content-disposition:/i.test(line)) ?? '');
  if (first !== `--${boundary}` || fileName === undefined) return undefined;
  bytes.rest = bytes.rest.subarray(end + END.length);
  const type = headers.find((line) => /^content-type:/i.test(line))?.slice('content-type:'.length) ?? '';
  return { fileName, contentType: type.trim(), content: bytes.content(`\r\n--${boundary}`) };
}
