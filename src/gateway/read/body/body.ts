import { readableFormats } from '../../formats/formats.ts';
import type { ReadableFormat } from '../../formats/representation.ts';
import type { Exchange, HeaderRecord } from '../../http/context.ts';
import { ACCEPT_PATCH } from '../../http/exchange.ts';
import { findCharset } from '../../model/csv.ts';
import { IMPRECISE, keepPrecision } from '../../model/kinds/numbers.ts';
import { byteSize, type Sentence, sentence } from '../../texts/phrase.ts';
import { headerProblem, Problem } from '../../texts/problem.ts';

function tooLargeProblem(limit: number): Problem {
  return new Problem('body-too-large', sentence('body-too-large', { limit: byteSize(limit) }));
}

export function checkLength({ req }: Exchange, limit: number): void {
  if (Number(req.raw.headers.get('content-length') ?? 0) > limit) throw tooLargeProblem(limit);
}

/** @returns the problem of a body that breaks off: its client has probably gone away */
export function interruptedProblem(): Problem {
  return new Problem('bad-request', sentence('request-unreadable', {}));
}

/**
 * Reads a body as it arrives, with backpressure, so that no client fills the memory; from Node's own stream if there is one, because
 * a web stream costs a promise for every chunk.
 *
 * @throws Problem `body-too-large` beyond the limit, and `bad-request` if the connection breaks off
 */
export async function* bodyChunks({ env, req }: Exchange, limit: number): AsyncGenerator<Uint8Array> {
  const { incoming, outgoing } = env ?? {};
  // HTTP/1.0 has no `100 Continue` (RFC 9110 §10.1.1).
  if (incoming?.headers.expect !== undefined && incoming.httpVersionMinor === 1) outgoing?.writeContinue();
  let receivedBytes = 0;
  try {
    // Not destroyed if a body is too large: the response still has to be sent on the connection.
    for await (const chunk of incoming?.iterator({ destroyOnReturn: false }) ?? req.raw.body ?? []) {
      receivedBytes += chunk.length;
      if (receivedBytes > limit) throw tooLargeProblem(limit);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Problem ? error : interruptedProblem();
  }
}

export async function readBody(c: Exchange, limit: number): Promise<Uint8Array> {
  checkLength(c, limit);
  // One buffer, which doubles when it is full: a list of chunks of one byte would take a hundred times as much memory.
  let bytes = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of bodyChunks(c, limit)) {
    const end = length + chunk.length;
    if (end > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], Math.max(end, 2 * length));
    bytes.set(chunk, length);
    length = end;
  }
  return bytes.subarray(0, length);
}

/** A byte-order mark is not removed, so that it is a JSON syntax error (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws Problem `malformed-json` if a body is not JSON (RFC 8259) in UTF-8 or has a member twice */
export function parseBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new Problem('malformed-json', sentence('json-encoding', {}));
  }
  if (text.trim() === '') throw new Problem('malformed-json', sentence('body-empty', {}));
  return parseJson(text);
}

const BLANKS: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** @returns whether a body can only be an array, if it is JSON */
export const isArrayText = (body: Uint8Array): boolean => body.find((byte) => !BLANKS.includes(byte)) === 0x5b;

/** @param message of V8, which ends with the place of most errors */
function describeSyntax(message: string): Sentence {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line && column ? sentence('json-syntax-at', { line, column }) : sentence('json-syntax', {});
}

/** Parses a text, which is wrong if it is not JSON, or if an object in it has a member twice. */
export function tryParseJson(text: string): { readonly value?: unknown; readonly fault?: Sentence } {
  try {
    const value: unknown = JSON.parse(text, IMPRECISE.test(text) ? keepPrecision : undefined);
    const repeated = findRepeatedMember(text);
    return repeated === undefined ? { value } : { fault: sentence('json-repeated', { word: repeated }) };
  } catch (error) {
    return { fault: describeSyntax(String(error)) };
  }
}

export function parseJson(text: string): unknown {
  const { value, fault } = tryParseJson(text);
  if (fault) throw new Problem('malformed-json', fault);
  return value;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at++;
  }
}

/** Finds what `JSON.parse` silently accepts: it keeps the last of several members with one name. */
function findRepeatedMember(text: string): string | undefined {
  /** The names in each object that is open; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (expectsName && names) {
        const name: string = JSON.parse(text.slice(at, end));
        if (names.has(name)) return name;
        names.add(name);
      }
      expectsName = false;
      at = end - 1;
    } else if (character === '{') {
      open.push(new Set());
      expectsName = true;
    } else if (character === '[') open.push(undefined);
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') expectsName = open.at(-1) !== undefined;
  }
  return undefined;
}

const UNSUPPORTED = 'unsupported-media-type';
const JSON_BODY = /^application\/(?:json|(?!json-patch\+json$)[\w!#$&.^+-]+\+json)$/i;
const CHARSET = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i;
const UTF_8 = /^utf-?8$/i;

export type RequestHead = Pick<Request, 'method' | 'headers'>;
type ProblemExtras = Parameters<typeof headerProblem>[3];

const readMediaType = (contentType: string): string => contentType.split(';', 1)[0]?.trim() ?? '';

/** The media types that POST accepts: JSON, then files by their names. */
export const POST_TYPES = readableFormats
  .toSorted((one, other) => Number(one.isFile) - Number(other.isFile) || one.name.localeCompare(other.name))
  .map(({ type }) => type);
/** https://www.w3.org/TR/ldp/#header-accept-post */
export const ACCEPT_POST: HeaderRecord = { 'Accept-Post': POST_TYPES.join(', ') };

/** @returns the format of a body that is a file; `undefined` for JSON, and for types that cannot be imported */
export function findFileFormat(contentType: string | null | undefined): ReadableFormat | undefined {
  if (!contentType || contentType === 'application/json') return undefined;
  const sentType = readMediaType(contentType).toLowerCase();
  return readableFormats.find(({ type, isFile }) => isFile && type === sentType);
}

/** @returns whether a body is a form, of which a file is imported */
export const isForm = (contentType: string | null): boolean =>
  contentType !== null && contentType !== 'application/json' && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType);

/** @returns the format of a file by the end of its name, else by its type: spreadsheet programs make browsers send theirs for CSV */
export function findUploadFormat(fileName: string, contentType: string): ReadableFormat | undefined {
  const extension = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return (
    readableFormats.find(({ name }) => name === extension) ??
    readableFormats.find(({ type }) => type === readMediaType(contentType).toLowerCase())
  );
}

/** @returns the problem, which says what types the method accepts; only POST accepts files */
function unsupported({ method, headers }: RequestHead, header: string, detail: Sentence, more: ProblemExtras = {}) {
  const supported = { PATCH: ACCEPT_PATCH, POST: ACCEPT_POST }[method];
  const value = headers.get(header) ?? undefined;
  return headerProblem(header, UNSUPPORTED, detail, { value, ...more, headers: { ...supported, ...more.headers } });
}

export const unsupportedFileProblem = (request: RequestHead, type: string): Problem =>
  unsupported(request, 'Content-Type', sentence('media-types', { sent: type, known: POST_TYPES.join(', ') }));

/** @throws Problem `unsupported-media-type` if the body is declared as compressed */
export function checkCoding(request: RequestHead): void {
  const coding = request.headers.get('content-encoding');
  if (coding === null || /^(?:identity)?$/i.test(coding.trim())) return;
  const detail = sentence('content-encoding', { sent: coding });
  // RFC 9110 §15.5.16
  throw unsupported(request, 'Content-Encoding', detail, { headers: { 'Accept-Encoding': 'identity' } });
}

const readCharset = (contentType: string): string | undefined => CHARSET.exec(contentType)?.[1]?.replaceAll('"', '');

/** @throws Problem `unsupported-media-type` if the body is declared as anything but JSON in UTF-8, uncompressed */
export function checkContentType(request: RequestHead): void {
  checkCoding(request);
  const contentType = request.headers.get('content-type');
  if (contentType === null || contentType === 'application/json' || contentType.trim() === '') return;
  const type = readMediaType(contentType);
  if (!JSON_BODY.test(type)) {
    if (request.method === 'POST') throw unsupportedFileProblem(request, type);
    const suggestion = /patch\+json$/i.test(type) ? 'application/merge-patch+json' : 'application/json';
    const detail = sentence('media-type', { sent: type, type: suggestion });
    throw unsupported(request, 'Content-Type', detail, { suggestion });
  }
  const charset = readCharset(contentType);
  if (charset !== undefined && !UTF_8.test(charset)) {
    throw unsupported(request, 'Content-Type', sentence('charset', { sent: charset }));
  }
}

/** @returns the charset of a file; `undefined` if the format has several and the request does not say which one it is */
export function readFileCharset(request: RequestHead, contentType: string, { reading }: ReadableFormat) {
  const { charsets } = reading;
  const sentCharset = readCharset(contentType);
  if (!charsets) return 'utf-8';
  if (sentCharset === undefined) return undefined;
  const charset = findCharset(sentCharset);
  if (charset === undefined || !charsets.includes(charset)) {
    throw unsupported(request, 'Content-Type', sentence('charset', { sent: sentCharset }));
  }
  return charset;
}
