import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { sizeOf } from '../../texts/size.ts';

const tooLarge = (limit: number): Problem =>
  new Problem('body-too-large', sentence('body-too-large', { limit: sizeOf(limit) }));

/** Reads a body of unknown length, and stops at the first byte over the limit. */
const readCounted = async (request: Request, limit: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (!request.body) return new Uint8Array();
  for await (const chunk of request.body) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const readBytes = async (request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> => {
  const declared = request.headers.get('content-length');
  if (declared === null) return readCounted(request, limit);
  if (Number(declared) > limit) throw tooLarge(limit);
  return request.arrayBuffer();
};

/** A body that breaks off is the client's fault, who is probably gone. */
const readWhole = async (request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> => {
  try {
    return await readBytes(request, limit);
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('bad-request', sentence('request-unreadable', {}));
  }
};

/** A byte-order mark is kept, and so refused as the JSON syntax error that it is (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodeUtf8 = (bytes: ArrayBuffer | Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('malformed-json', sentence('json-encoding', {}));
  }
};

/**
 * @param limit bytes
 * @returns the JSON value of the body
 * @throws Problem `body-too-large`, or `malformed-json` where it is no JSON (RFC 8259) in UTF-8 or holds a member twice
 */
export const readJson = async (request: Request, limit: number): Promise<unknown> =>
  parseJson(decodeUtf8(await readWhole(request, limit)));

const parseJson = (text: string): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', sentence('json-syntax', {}));
  }
  const repeated = repeatedMember(text);
  if (repeated !== undefined) throw new Problem('malformed-json', sentence('json-repeated', { word: repeated }));
  return value;
};

/** @returns where the string that begins at `start` ends, its closing quote included */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at++;
  }
};

/**
 * `JSON.parse` silently keeps the last of several members with one name; here the first repetition is found.
 *
 * @param text valid JSON
 */
const repeatedMember = (text: string): string | undefined => {
  // The names seen in each object that is open; `undefined` for an array.
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
};
