/** Exchanges bodies as they arrive: JSON, NDJSON, server-sent events, CSV, forms and multipart. */
import type { Content } from './document.ts';
import { QueryExchange } from './query.ts';
import { type Bytes, type Context, join, Scanner, type Side } from './scan.ts';
import type { ContentShapes, Shape } from './shapes.ts';
import type { Direction, Vocabulary } from './vocabulary.ts';

/** Reads chunks that may be cut anywhere, and returns what can be written of them. */
export interface Transform {
  write(chunk: Bytes): Bytes;
  end(): Bytes;
  /** Whether all that was read is what its media type says; what is not stays as it was. */
  readonly isComplete?: boolean;
}

/** Bytes of a body that is read whole if its words are judged or its sentences replaced. */
const WHOLE = 65_536;

const EMPTY: Bytes = new Uint8Array(0);
const NEWLINE = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a body is exchanged with. */
export interface Exchanging {
  readonly vocabulary: Vocabulary;
  readonly direction: Direction;
  readonly context: Context;
  readonly findShape: (content: Content) => ContentShapes;
}

/** @returns a transform for a media type; nothing if a body of it stays as it is */
export function createTransform(type: string, content: Content, exchanging: Exchanging): Transform | undefined {
  const { vocabulary, direction, context } = exchanging;
  const { body, item } = exchanging.findShape(content);
  const side = (shape: Shape | undefined): Side | undefined => vocabulary.side(shape, direction);
  const media = type
    .toLowerCase()
    .replace(/\s*;.*/s, '')
    .trim();
  if (/^application\/(x-)?(ndjson|jsonl|json-lines|json-seq)$/.test(media)) {
    return side(item) && new Scanner(side(item), { isSequence: true, context });
  }
  if (media === 'text/event-stream') return side(item) && new EventTransform(new Scanner(side(item), { context }));
  if (/[/+]json$/.test(media)) return side(body) && new Scanner(side(body), { context });
  if (media === 'text/csv')
    return item && side(item) && new HeaderTransform((line) => exchangeHeader(line, item, exchanging));
  if (!body || body.members.size === 0) return undefined;
  if (media === 'application/x-www-form-urlencoded') {
    return new WholeTransform((text) =>
      new QueryExchange(vocabulary, direction, context).exchange(text, vocabulary.members(body)),
    );
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  if (media !== 'multipart/form-data' || !boundary) return undefined;
  return new PartTransform(boundary[1] ?? boundary[2] ?? '', (name) => exchangeName(name, body, exchanging));
}

function exchangeName(name: string, shape: Shape, { vocabulary, direction, context }: Exchanging): string {
  const terms = vocabulary.members(shape);
  const suggestion = direction === 'in' ? terms.foreign.get(name.normalize('NFC')) : undefined;
  if (suggestion !== undefined) context.report?.({ kind: 'member', place: `/${name}`, word: name, suggestion });
  return terms[direction].get(direction === 'in' ? name.normalize('NFC') : name)?.to ?? name;
}

/** Exchanges the names of columns, which may be quoted. */
function exchangeHeader(line: string, shape: Shape, exchanging: Exchanging): string {
  return line.replaceAll(/"(?:[^"]|"")*"|[^,;\t\r\n"\uFEFF]+/g, (cell) => {
    const isQuoted = cell.startsWith('"');
    const name = isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    const written = exchangeName(name, shape, exchanging);
    if (written === name) return cell;
    return isQuoted || /[,;\t"]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
  });
}

/** Server-sent events: the JSON of `data:` lines is exchanged; comments and other fields stay. */
class EventTransform implements Transform {
  readonly #scanner: Scanner;
  #line: number[] = [];
  #isData = false;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  write(chunk: Bytes): Bytes {
    const parts: Bytes[] = [];
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(NEWLINE, at);
      const stop = end === -1 ? chunk.length : end + 1;
      // The first bytes of a line say what it is.
      while (!this.#isData && this.#line.length < 5 && at < stop) {
        const byte = chunk[at++] as number;
        this.#line.push(byte);
        parts.push(new Uint8Array([byte]));
        if (this.#line.length === 5) this.#isData = String.fromCharCode(...this.#line) === 'data:';
        if (byte === NEWLINE && this.#line.length <= 2) this.#scanner.restart();
      }
      if (at < stop)
        parts.push(this.#isData ? this.#scanner.write(chunk.subarray(at, stop)) : chunk.subarray(at, stop));
      at = stop;
      if (end !== -1) {
        // Whatever a line leaves incomplete is no JSON.
        parts.push(this.#scanner.end());
        this.#line = [];
        this.#isData = false;
      }
    }
    return join(parts);
  }

  end(): Bytes {
    return this.#scanner.end();
  }
}

/** Changes the first line of a text; the others pass. */
class HeaderTransform implements Transform {
  readonly #exchange: (line: string) => string;
  #held: Bytes | undefined = EMPTY;

  constructor(exchange: (line: string) => string) {
    this.#exchange = exchange;
  }

  write(chunk: Bytes): Bytes {
    if (!this.#held) return chunk;
    const held = join([this.#held, chunk]);
    const end = held.indexOf(NEWLINE);
    this.#held = held;
    if (end === -1 && held.length < WHOLE) return EMPTY;
    this.#held = undefined;
    if (end === -1) return held;
    return join([encoder.encode(this.#exchange(decoder.decode(held.subarray(0, end)))), held.subarray(end)]);
  }

  end(): Bytes {
    return this.#held ? encoder.encode(this.#exchange(decoder.decode(this.#held))) : EMPTY;
  }
}

/** Changes a body that is short by its nature, when all of it is there. */
class WholeTransform implements Transform {
  readonly #exchange: (text: string) => string;
  readonly #parts: Bytes[] = [];

  constructor(exchange: (text: string) => string) {
    this.#exchange = exchange;
  }

  write(chunk: Bytes): Bytes {
    this.#parts.push(chunk);
    return EMPTY;
  }

  end(): Bytes {
    return encoder.encode(this.#exchange(decoder.decode(join(this.#parts))));
  }
}

/** Multipart: the names of parts are exchanged in their headers; what is in a part passes. */
class PartTransform implements Transform {
  readonly #exchange: (name: string) => string;
  readonly #delimiter: string;
  /** Bytes that may be the beginning of a delimiter, or the headers of a part; one character for each byte. */
  #held = '\r\n';
  #isInHeaders = false;

  constructor(boundary: string, exchange: (name: string) => string) {
    this.#delimiter = `\r\n--${boundary}`;
    this.#exchange = exchange;
  }

  write(chunk: Bytes): Bytes {
    const isFirst = this.#held === '\r\n' && !this.#isInHeaders;
    this.#held += readBytes(chunk);
    let written = '';
    for (;;) {
      if (this.#isInHeaders) {
        const end = this.#held.indexOf('\r\n\r\n');
        if (end === -1 && this.#held.length < WHOLE) break;
        const headers = this.#held.slice(0, end + 4);
        written += headers.replace(/(\bname=")((?:[^"\\]|\\.)*)"/i, (_, start: string, name: string) => {
          const text = decoder.decode(writeBytes(name));
          const other = this.#exchange(text);
          return `${start}${other === text ? name : readBytes(encoder.encode(other.replaceAll('"', '%22')))}"`;
        });
        this.#held = this.#held.slice(headers.length);
        this.#isInHeaders = false;
      }
      const at = this.#held.indexOf(this.#delimiter);
      if (at === -1) {
        const safe = Math.max(0, this.#held.length - this.#delimiter.length);
        written += this.#held.slice(0, safe);
        this.#held = this.#held.slice(safe);
        break;
      }
      written += this.#held.slice(0, at + this.#delimiter.length);
      this.#held = this.#held.slice(at + this.#delimiter.length);
      this.#isInHeaders = true;
    }
    return writeBytes(isFirst && written.startsWith('\r\n') ? written.slice(2) : written);
  }

  end(): Bytes {
    return writeBytes(this.#held);
  }
}

function readBytes(bytes: Bytes): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function writeBytes(text: string): Bytes {
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

/** A body that is whole, or that goes on. */
export type Body = Bytes | ReadableStream<Bytes>;

/** Rounds of the microtask queue in which a body that is there already has been read. */
const ROUNDS = 8;

/**
 * @param isHeld whether as much as `WHOLE` is waited for; otherwise only what is there already is read at once
 * @param create makes the transform; it is given the body, if it is read whole already
 * @param check called when a later part was read; what it throws ends the stream
 */
export async function exchangeBody(
  stream: ReadableStream<Uint8Array>,
  isHeld: boolean,
  create: (whole: Bytes | undefined) => Transform | undefined,
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
  const isWhole = result?.done === true;
  const first = chunks.length === 1 ? (chunks[0] as Bytes) : join(chunks);
  const transform = create(isWhole ? first : undefined);
  if (isWhole) {
    const written = transform?.write(first);
    if (!transform || !written || transform.isComplete === false) return first;
    return join([written, transform.end()]);
  }
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
            const rest = transform?.end() ?? EMPTY;
            if (rest.length > 0) controller.enqueue(rest);
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
