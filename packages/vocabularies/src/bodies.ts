/** Exchanges bodies as they arrive: JSON, NDJSON, server-sent events, CSV, forms and multipart. */
import { readMediaType } from './document.ts';
import type { QueryExchange } from './query.ts';
import { Scanner, type Side } from './scan.ts';
import type { ContentShapes, Shape } from './shapes.ts';
import { findSuggestion, findTerm } from './texts.ts';

/** Bytes of a body. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Reads text in parts that may be cut anywhere, and returns what can be written of them. */
export interface Transform {
  write(part: string): string;
  end(): string;
  /** Whether a part is no text: each of its characters is a byte. */
  readonly isBinary?: boolean;
  /** Whether all that was read is what its media type says; what is not stays as it was. */
  readonly isComplete?: boolean;
}

/** Bytes of a body that is read whole if its words are judged or its sentences replaced. */
const WHOLE = 65_536;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** @returns a transform for a media type; nothing if a body of it stays as it is */
export function createTransform(
  type: string,
  { body, item }: ContentShapes,
  exchange: QueryExchange,
): Transform | undefined {
  const { vocabulary, direction } = exchange;
  const side = (shape: Shape | undefined): Side | undefined => vocabulary.side(shape, direction);
  const media = readMediaType(type);
  if (/^application\/(x-)?(ndjson|jsonl|json-lines|json-seq)$/.test(media)) {
    return side(item) && new Scanner(side(item), { isSequence: true, exchange });
  }
  if (media === 'text/event-stream') return side(item) && new EventTransform(new Scanner(side(item), { exchange }));
  if (/[/+]json$/.test(media)) return side(body) && new Scanner(side(body), { exchange });
  if (media === 'text/csv')
    return item && side(item) && new HeaderTransform((line) => exchangeHeader(line, item, exchange), WHOLE);
  if (!body || body.members.size === 0) return undefined;
  if (media === 'application/x-www-form-urlencoded') {
    const terms = vocabulary.members(body);
    return new HeaderTransform((text) => exchange.exchange(text, terms), Number.POSITIVE_INFINITY);
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  if (media !== 'multipart/form-data' || !boundary) return undefined;
  return new PartTransform(boundary[1] ?? boundary[2] ?? '', (name) => exchangeName(name, body, exchange));
}

function exchangeName(name: string, shape: Shape, { vocabulary, direction, context }: QueryExchange): string {
  const terms = vocabulary.members(shape);
  const suggestion = findSuggestion(terms, name, direction);
  if (suggestion !== undefined) context.report?.({ kind: 'member', place: `/${name}`, word: name, suggestion });
  return findTerm(terms, name, direction)?.to ?? name;
}

/** Exchanges the names of columns, which may be quoted. */
function exchangeHeader(line: string, shape: Shape, exchange: QueryExchange): string {
  return line.replaceAll(/"(?:[^"]|"")*"|[^,;\t\r\n"\uFEFF]+/g, (cell) => {
    const isQuoted = cell.startsWith('"');
    const name = isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    const written = exchangeName(name, shape, exchange);
    if (written === name) return cell;
    return isQuoted || /[,;\t"]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
  });
}

/** Server-sent events: the JSON of `data:` lines is exchanged; comments and other fields stay. */
class EventTransform implements Transform {
  readonly #scanner: Scanner;
  /** The first characters of a line, which say what it is. */
  #start = '';

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  write(part: string): string {
    return part.replaceAll(/[^\n]*\n|[^\n]+/g, (line) => this.#writeLine(line));
  }

  #writeLine(line: string): string {
    const own = line.slice(0, Math.max(0, 5 - this.#start.length));
    this.#start += own;
    if (/^\r?\n$/.test(this.#start)) this.#scanner.restart();
    const rest = line.slice(own.length);
    let written = own + (this.#start === 'data:' ? this.#scanner.write(rest) : rest);
    if (line.endsWith('\n')) {
      // Whatever a line leaves incomplete is no JSON.
      written += this.#scanner.end();
      this.#start = '';
    }
    return written;
  }

  end(): string {
    return this.#scanner.end();
  }
}

/** Changes the first line of a text, or all of a text that is short by its nature. */
class HeaderTransform implements Transform {
  readonly #exchange: (line: string) => string;
  readonly #most: number;
  #held: string | undefined = '';

  /** @param most characters that are held: a longer one is left as it is */
  constructor(exchange: (line: string) => string, most: number) {
    this.#exchange = exchange;
    this.#most = most;
  }

  write(part: string): string {
    if (this.#held === undefined) return part;
    const held = this.#held + part;
    const end = this.#most === Number.POSITIVE_INFINITY ? -1 : held.indexOf('\n');
    this.#held = held;
    if (end === -1 && held.length < this.#most) return '';
    this.#held = undefined;
    return end === -1 ? held : this.#exchange(held.slice(0, end)) + held.slice(end);
  }

  end(): string {
    return this.#held === undefined ? '' : this.#exchange(this.#held);
  }
}

/** Multipart: the names of parts are exchanged in their headers; what is in a part passes. */
class PartTransform implements Transform {
  readonly isBinary = true;
  readonly #exchange: (name: string) => string;
  readonly #delimiter: string;
  /** What may be the beginning of a delimiter, or the headers of a part. */
  #held = '\r\n';
  #isInHeaders = false;

  constructor(boundary: string, exchange: (name: string) => string) {
    this.#delimiter = `\r\n--${boundary}`;
    this.#exchange = exchange;
  }

  write(part: string): string {
    const isFirst = this.#held === '\r\n' && !this.#isInHeaders;
    this.#held += part;
    let written = '';
    for (;;) {
      if (this.#isInHeaders) {
        const end = this.#held.indexOf('\r\n\r\n');
        if (end === -1 && this.#held.length < WHOLE) break;
        const headers = this.#held.slice(0, end + 4);
        written += headers.replace(/(\bname=")((?:[^"\\]|\\.)*)"/i, (_, start: string, raw: string) => {
          const name = new TextDecoder().decode(toBytes(raw));
          const other = this.#exchange(name);
          return `${start}${other === name ? raw : fromBytes(encoder.encode(other.replaceAll('"', '%22')))}"`;
        });
        this.#held = this.#held.slice(headers.length);
        this.#isInHeaders = false;
      }
      const at = this.#held.indexOf(this.#delimiter);
      const end = at === -1 ? Math.max(0, this.#held.length - this.#delimiter.length) : at + this.#delimiter.length;
      written += this.#held.slice(0, end);
      this.#held = this.#held.slice(end);
      if (at === -1) break;
      this.#isInHeaders = true;
    }
    return isFirst && written.startsWith('\r\n') ? written.slice(2) : written;
  }

  end(): string {
    return this.#held;
  }
}

/** @returns a character for each byte */
function fromBytes(bytes: Bytes): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function toBytes(text: string): Bytes {
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

function join(parts: readonly Bytes[]): Bytes {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Reads chunks of bytes, which may be cut within a character. What is no UTF-8 is left as it is. */
export class ByteTransform {
  readonly #transform: Transform;
  #cut: Bytes = new Uint8Array(0);
  #isText = true;

  constructor(transform: Transform) {
    this.#transform = transform;
  }

  write(chunk: Bytes): Bytes {
    if (!this.#isText) return chunk;
    if (this.#transform.isBinary) return toBytes(this.#transform.write(fromBytes(chunk)));
    const bytes = this.#cut.length > 0 ? join([this.#cut, chunk]) : chunk;
    const end = findCharacterEnd(bytes);
    this.#cut = bytes.slice(end);
    const text = decodeUtf8(bytes.subarray(0, end));
    if (text !== undefined) return encoder.encode(this.#transform.write(text));
    this.#isText = false;
    return join([encoder.encode(this.#transform.end()), bytes]);
  }

  end(): Bytes {
    if (!this.#isText) return new Uint8Array(0);
    const rest = this.#transform.end();
    return join([this.#transform.isBinary ? toBytes(rest) : encoder.encode(rest), this.#cut]);
  }
}

/** @returns the position behind the last character that is complete */
function findCharacterEnd(bytes: Bytes): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function decodeUtf8(bytes: Bytes): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A body that is whole, or that goes on. */
export type Body = string | Bytes | ReadableStream<Bytes>;

/** Rounds of the microtask queue in which a body that is there already has been read. */
const ROUNDS = 8;

/**
 * @param isHeld whether as much as `WHOLE` is waited for; otherwise only what is there already is read at once
 * @param create makes the transform; it is given the text of the body, if it is read whole already
 * @param check called when a later part was read; what it throws ends the stream
 */
export async function exchangeBody(
  stream: ReadableStream<Uint8Array>,
  isHeld: boolean,
  create: (whole: string | undefined) => Transform | undefined,
  check: () => void = () => {},
): Promise<Body> {
  const reader = stream.getReader() as ReadableStreamDefaultReader<Bytes>;
  const chunks: Bytes[] = [];
  let length = 0;
  let next = reader.read();
  let result = isHeld ? await next : await findResult(next);
  while (result && !result.done) {
    chunks.push(result.value);
    length += result.value.length;
    next = reader.read();
    if (length > WHOLE) break;
    result = isHeld ? await next : await findResult(next);
  }
  const first = join(chunks);
  if (result?.done) return exchangeWhole(first, create);
  const own = create(undefined);
  const transform = own && new ByteTransform(own);
  let ready: Bytes | undefined = transform ? transform.write(first) : first;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        for (;;) {
          if (ready && ready.length > 0) {
            controller.enqueue(ready);
            ready = undefined;
            return;
          }
          const { done, value } = await next;
          if (done) {
            const rest = transform?.end();
            if (rest && rest.length > 0) controller.enqueue(rest);
            controller.close();
            return;
          }
          next = reader.read();
          ready = transform ? transform.write(value) : value;
          check();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** @returns a body in which everything is exchanged; as it is, if it is not what its media type says */
function exchangeWhole(bytes: Bytes, create: (whole: string | undefined) => Transform | undefined): Body {
  const text = decodeUtf8(bytes);
  const transform = create(text);
  if (!transform) return bytes;
  if (transform.isBinary) return toBytes(transform.write(fromBytes(bytes)) + transform.end());
  if (text === undefined) return bytes;
  const written = transform.write(text);
  return transform.isComplete === false ? bytes : written + transform.end();
}

/** @returns what a promise has already become, or will within a few rounds */
async function findResult<T>(promise: Promise<T>): Promise<T | undefined> {
  let result: T | undefined;
  promise.then(
    (value) => {
      result = value;
    },
    () => {},
  );
  for (let round = 0; round < ROUNDS && result === undefined; round++) await undefined;
  return result;
}
