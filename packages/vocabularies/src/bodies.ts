/** Exchanges bodies as they arrive: JSON, NDJSON, server-sent events, CSV, forms and multipart. */
import { placeWithin, readMediaType } from './document.ts';
import type { ContentNodes, Node } from './nodes.ts';
import { Scanner } from './scan.ts';
import { type Context, exchangeJson, exchangePairs, exchangeText, findTerm } from './texts.ts';

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
export function createTransform(type: string, { body, item }: ContentNodes, context: Context): Transform | undefined {
  const media = readMediaType(type);
  if (/[/+]json$/.test(media)) return body || context.texts ? new Scanner(body, context) : undefined;
  if (item) {
    if (/^application\/(x-)?(ndjson|jsonl|json-lines)$/.test(media)) return new LineTransform(item, context, '', '\n');
    if (media === 'application/json-seq') return new LineTransform(item, context, '', '\x1e');
    if (media === 'text/event-stream') return new LineTransform(item, context, 'data:', '\n');
    if (media === 'text/csv') return new HeaderTransform((line) => exchangeHeader(context, item, line));
  }
  if (!body) return undefined;
  if (media === 'application/x-www-form-urlencoded')
    return new FormTransform((pairs) => exchangePairs(context, body, pairs));
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  if (media !== 'multipart/form-data' || !boundary) return undefined;
  return new PartTransform(boundary[1] ?? boundary[2] ?? '', body, context);
}

/** Exchanges the name of a column or part. */
function exchangeName(context: Context, node: Node, name: string): string {
  const term = findTerm(context, node, name);
  const { suggestion } = term ?? {};
  if (suggestion !== undefined)
    context.report?.({ kind: 'member', place: placeWithin('', name), word: name, suggestion });
  return term?.to ?? name;
}

/** Exchanges the names of columns, which may be quoted. */
function exchangeHeader(context: Context, node: Node, line: string): string {
  return line.replaceAll(/"(?:[^"]|"")*"|[^,;\t\r\n"\uFEFF]+/g, (cell) => {
    const isQuoted = cell.startsWith('"');
    const name = isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    const word = exchangeName(context, node, name);
    if (word === name) return cell;
    return isQuoted || /[,;\t"]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word;
  });
}

/** Lines or records that are JSON, each by itself (NDJSON), or as the `data:` lines of an event; comments and other fields stay. */
class LineTransform implements Transform {
  readonly #scanner: Scanner;
  readonly #prefix: string;
  readonly #lines: RegExp;
  readonly #end: string;
  /** The first characters of a line, which say what it is. */
  #start = '';

  constructor(item: Node, context: Context, prefix: string, end: string) {
    this.#scanner = new Scanner(item, context);
    this.#prefix = prefix;
    this.#lines = new RegExp(`[^${end}]*${end}|[^${end}]+`, 'g');
    this.#end = end;
  }

  write(part: string): string {
    return part.replaceAll(this.#lines, (line) => this.#writeLine(line));
  }

  #writeLine(line: string): string {
    const own = line.slice(0, Math.max(0, this.#prefix.length - this.#start.length));
    this.#start += own;
    const rest = line.slice(own.length);
    let output = own + (this.#start === this.#prefix ? this.#scanner.write(rest) : rest);
    if (!line.endsWith(this.#end)) return output;
    // Whatever a line leaves incomplete is no JSON.
    output += this.#scanner.end();
    if (this.#prefix === '' || /^\r?\n$/.test(this.#start)) this.#scanner.restart();
    this.#start = '';
    return output;
  }

  end(): string {
    return this.#scanner.end();
  }
}

/** Changes the pairs of a form. Of a value that is too long to be held, the rest stays as it is. */
class FormTransform implements Transform {
  readonly #exchange: (pairs: string) => string;
  #pending = '';
  /** Whether the end of a long value has not come yet. */
  #isInValue = false;

  constructor(exchange: (pairs: string) => string) {
    this.#exchange = exchange;
  }

  write(part: string): string {
    const end = this.#isInValue ? part.indexOf('&') : 0;
    if (end === -1) return part;
    this.#isInValue = false;
    this.#pending += part.slice(end);
    const last = this.#pending.lastIndexOf('&') + 1;
    const equals = this.#pending.indexOf('=', last);
    this.#isInValue = this.#pending.length - last > WHOLE;
    const ready = this.#pending.slice(0, this.#isInValue && equals !== -1 ? equals : last);
    const rest = this.#pending.slice(ready.length);
    this.#pending = this.#isInValue ? '' : rest;
    return part.slice(0, end) + this.#exchange(ready) + (this.#isInValue ? rest : '');
  }

  end(): string {
    return this.#exchange(this.#pending);
  }
}

/** Changes the first line of a text. */
class HeaderTransform implements Transform {
  readonly #exchange: (line: string) => string;
  #pending: string | undefined = '';

  constructor(exchange: (line: string) => string) {
    this.#exchange = exchange;
  }

  write(part: string): string {
    if (this.#pending === undefined) return part;
    const pending = this.#pending + part;
    const end = pending.indexOf('\n');
    // A line that is too long to wait for is left as it is.
    const isOver = end !== -1 || pending.length >= WHOLE;
    this.#pending = isOver ? undefined : pending;
    if (!isOver) return '';
    return end === -1 ? pending : this.#exchange(pending.slice(0, end)) + pending.slice(end);
  }

  end(): string {
    return this.#pending === undefined ? '' : this.#exchange(this.#pending);
  }
}

/** Multipart: exchanges the names of parts, and values that are not too long to be held. */
class PartTransform implements Transform {
  readonly isBinary = true;
  readonly #body: Node;
  readonly #context: Context;
  readonly #delimiter: string;
  /** What may be the beginning of a delimiter, the headers of a part, or a value; a line break is put before the first delimiter. */
  #pending = '\r\n';
  #isInHeaders = false;
  #isFirst = true;
  /** Exchanges the value that is read; absent if it passes. */
  #exchange: ((text: string) => string) | undefined;

  constructor(boundary: string, body: Node, context: Context) {
    this.#delimiter = `\r\n--${boundary}`;
    this.#body = body;
    this.#context = context;
  }

  write(part: string): string {
    this.#pending += part;
    let output = '';
    for (;;) {
      const mark = this.#isInHeaders ? '\r\n\r\n' : this.#delimiter;
      const at = this.#pending.indexOf(mark);
      if (at === -1 && (this.#isInHeaders || this.#exchange) && this.#pending.length < WHOLE) break;
      const token = this.#pending.slice(0, at === -1 ? Math.max(0, this.#pending.length - mark.length) : at);
      if (this.#isInHeaders && at !== -1) output += this.#exchangeHeaders(token);
      else output += this.#exchange && at !== -1 ? recode(token, this.#exchange) : token;
      if (!this.#isInHeaders) this.#exchange = undefined;
      this.#pending = this.#pending.slice(at === -1 ? token.length : at + mark.length);
      if (at === -1) break;
      output += mark;
      this.#isInHeaders = !this.#isInHeaders;
    }
    if (!this.#isFirst || output === '') return output;
    this.#isFirst = false;
    return output.slice(2);
  }

  #exchangeHeaders(headers: string): string {
    const isJson = /^content-type:[^\r\n]*[/+]json\b/im.test(headers);
    const isFile = /\bfilename\*?=/i.test(headers);
    return headers.replace(/(?<=\bname=")(?:[^"\\]|\\.)*(?=")/i, (raw) =>
      recode(raw, (name) => {
        const node = findTerm(this.#context, this.#body, name)?.node;
        const value = isJson ? node : (node?.items ?? node);
        // A browser sends JSON as a file, too.
        if (value && !value.isPlain && (isJson || !isFile)) {
          const place = placeWithin('', name);
          const exchange = isJson ? exchangeJson : exchangeText;
          this.#exchange = (text) => exchange(this.#context, value, text, place);
        }
        return exchangeName(this.#context, this.#body, name).replaceAll('"', '%22');
      }),
    );
  }

  end(): string {
    return this.#isFirst ? this.#pending.slice(2) : this.#pending;
  }
}

/** Exchanges a text whose characters are the bytes of one in UTF-8. */
function recode(raw: string, exchange: (text: string) => string): string {
  const text = decodeUtf8(toBytes(raw));
  const newText = text === undefined ? text : exchange(text);
  return newText === undefined || newText === text ? raw : fromBytes(encoder.encode(newText));
}

/** @returns a character for each byte */
function fromBytes(bytes: Bytes): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function toBytes(text: string): Bytes {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function join(one: Bytes, other: Bytes): Bytes {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** Reads chunks of bytes, which may be cut within a character. What is no UTF-8 is left as it is. */
export class ByteTransform {
  readonly #transform: Transform;
  #rest: Bytes = new Uint8Array(0);
  #isText = true;

  constructor(transform: Transform) {
    this.#transform = transform;
  }

  write(chunk: Bytes): Bytes {
    if (!this.#isText) return chunk;
    if (this.#transform.isBinary) return toBytes(this.#transform.write(fromBytes(chunk)));
    const bytes = join(this.#rest, chunk);
    // A chunk may end within a character, which has up to three more bytes in the next one.
    for (let end = bytes.length; end >= Math.max(0, bytes.length - 3); end--) {
      const text = decodeUtf8(bytes.subarray(0, end));
      this.#rest = bytes.slice(end);
      if (text !== undefined) return encoder.encode(this.#transform.write(text));
    }
    this.#isText = false;
    return join(encoder.encode(this.#transform.end()), bytes);
  }

  end(): Bytes {
    if (!this.#isText) return new Uint8Array(0);
    const output = this.#transform.end();
    return join(this.#transform.isBinary ? toBytes(output) : encoder.encode(output), this.#rest);
  }
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
  let first: Bytes = new Uint8Array(0);
  const read = () => {
    const part = reader.read();
    // Nobody may ask for the part that breaks off: the API need not read a body to its end.
    part.catch(() => {});
    return part;
  };
  let next = read();
  let result = isHeld ? await next : await findResult(next);
  while (result && !result.done) {
    first = join(first, result.value);
    next = read();
    if (first.length > WHOLE) break;
    result = isHeld ? await next : await findResult(next);
  }
  if (result?.done) {
    const text = decodeUtf8(first);
    const whole = create(text);
    if (!whole) return first;
    if (whole.isBinary) return toBytes(whole.write(fromBytes(first)) + whole.end());
    return (text === undefined ? undefined : exchangeWhole(text, whole)) ?? first;
  }
  const own = create(undefined);
  const transform = own && new ByteTransform(own);
  const exchange = (part: Bytes): Bytes => (transform ? transform.write(part) : part);
  // A long text is exchanged in parts: what is written of one is made of many pieces.
  let ready = exchange(first.subarray(0, WHOLE));
  let unread = first.subarray(WHOLE);
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        while (ready.length === 0) {
          if (unread.length === 0) {
            const { done, value } = await next;
            if (done) {
              const rest = transform?.end();
              check();
              if (rest && rest.length > 0) controller.enqueue(rest);
              controller.close();
              return;
            }
            next = read();
            unread = value;
          }
          ready = exchange(unread.subarray(0, WHOLE));
          unread = unread.subarray(WHOLE);
          check();
        }
        controller.enqueue(ready);
        ready = ready.subarray(ready.length);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** @returns a text in which everything is exchanged; nothing if it is not what its media type says */
export function exchangeWhole(text: string, transform: Transform | undefined): string | undefined {
  if (!transform || transform.isBinary) return undefined;
  const output = transform.write(text);
  return transform.isComplete === false ? undefined : output + transform.end();
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
