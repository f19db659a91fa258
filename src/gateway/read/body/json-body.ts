import { type Sentence, sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';

/** A byte-order mark is not removed, so that it is a JSON syntax error (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('malformed-json', sentence('json-encoding', {}));
  }
};

/**
 * @returns the JSON value of a body
 * @throws Problem `malformed-json` where it is not JSON (RFC 8259) in UTF-8 or has a member twice
 */
export const parseBody = (body: Uint8Array): unknown => {
  const text = decodeUtf8(body);
  if (text.trim() === '') throw new Problem('malformed-json', sentence('body-empty', {}));
  return parseJson(text);
};

const BLANKS: readonly (number | undefined)[] = [0x20, 0x09, 0x0a, 0x0d];

/** @returns whether a body can only be an array, if it is JSON */
export const isArrayText = (body: Uint8Array): boolean => body.find((byte) => !BLANKS.includes(byte)) === 0x5b;

/** @param message of V8, which ends with the place of most errors */
const syntaxSentence = (message: string): Sentence => {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line && column ? sentence('json-syntax-at', { line, column }) : sentence('json-syntax', {});
};

/** The value of a text, or what is wrong with it. */
interface Parsed {
  readonly value?: unknown;
  readonly fault?: Sentence;
}

/** Parses a text, which is wrong if it is not JSON, or if an object in it has a member twice. */
export const parsed = (text: string): Parsed => {
  try {
    const value: unknown = JSON.parse(text);
    const repeated = repeatedMember(text);
    return repeated === undefined ? { value } : { fault: sentence('json-repeated', { word: repeated }) };
  } catch (error) {
    return { fault: syntaxSentence(String(error)) };
  }
};

/** @throws Problem `malformed-json` where a text is not JSON, or an object in it has a member twice */
export const parseJson = (text: string): unknown => {
  const { value, fault } = parsed(text);
  if (fault) throw new Problem('malformed-json', fault);
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
 * Finds what `JSON.parse` silently accepts: it keeps the last of several members with one name.
 *
 * @param text valid JSON
 * @returns the name of the first member that is repeated in its object
 */
const repeatedMember = (text: string): string | undefined => {
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
};
