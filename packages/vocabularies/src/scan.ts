/**
 * Exchanges the names in the text of JSON, in one pass over its bytes. Everything but those names stays as it is: numbers, escapes,
 * order, duplicates and white space. Nothing is held but a name or text that may have to be exchanged and is not complete yet.
 */

import { type Operation, placeWithin } from './document.ts';

/** Bytes of a body. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** What is known of one name of an object. */
export interface Name {
  /** The name as it stands in the text, without quotes. */
  readonly name: string;
  /** The bytes that replace it; absent if it stays. */
  readonly bytes?: Bytes | undefined;
  /** What its value is; absent if nothing in it is exchanged. */
  readonly value?: Side | undefined;
  /** The right word, if this one is a word of another vocabulary. */
  readonly suggestion?: string;
}

/** What is exchanged at one place of a body, in one direction. */
export interface Side {
  readonly names?: Names | undefined;
  /** @returns the side of a member that has no name here */
  readonly findRest?: ((name: string) => Side | undefined) | undefined;
  readonly items?: Side | undefined;
  readonly prefix?: readonly (Side | undefined)[] | undefined;
  /** Exchanges a text, a number or, if `isWhole`, an array; each as it stands in JSON. */
  readonly convert?: ((raw: string, context: Context, pointer: () => string) => string) | undefined;
  readonly isWhole?: boolean;
  readonly convertsNumbers?: boolean;
}

/** A word that belongs to another vocabulary. */
export interface ForeignWord {
  readonly kind: 'member' | 'value' | 'parameter' | 'path';
  /** A pointer into the body, or the name of a parameter. */
  readonly place: string;
  readonly word: string;
  readonly suggestion: string;
}

/** What depends on the request, and not on the place in a body. */
export interface Context {
  readonly operation?: Operation | undefined;
  /** Called for each word of another vocabulary; absent if nobody judges them. */
  readonly report?: ((foreign: ForeignWord) => void) | undefined;
  /** Exchanges an address of the API; another one stays. */
  readonly exchangeAddress?: ((address: string) => string) | undefined;
  /** @returns the sentence for a place of a problem */
  readonly findSentence?: ((pointer: string) => string | undefined) | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const EMPTY: Bytes = new Uint8Array(0);

const [NEWLINE, SPACE, QUOTE, COMMA, COLON, BACKSLASH, RECORD] = [10, 32, 34, 44, 58, 92, 30];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Bytes of a name or text above which it is neither held nor looked up. */
const LONGEST = 65_536;
/** Levels of described objects above which the rest is copied: a body that deep is an attack. */
const DEEPEST = 100_000;
/** In place of a position: the rest is held until more has arrived. */
const HOLD = -1;

/** Names of one object, found by their bytes. */
export class Names {
  readonly #buckets: { readonly bytes: Bytes; readonly name: Name }[][];
  readonly #byText: ReadonlyMap<string, Name>;

  constructor(names: Iterable<Name>) {
    this.#byText = new Map([...names].map((name) => [name.name, name]));
    this.#buckets = Array.from({ length: 2 ** Math.ceil(Math.log2(this.#byText.size * 4 + 1)) }, () => []);
    for (const name of this.#byText.values()) {
      const bytes = encoder.encode(name.name);
      this.#buckets[this.#hash(bytes, 0, bytes.length)]?.push({ bytes, name });
    }
  }

  /** Finds the name that stands between two positions. */
  find(bytes: Bytes, start: number, end: number): Name | undefined {
    for (const each of this.#buckets[this.#hash(bytes, start, end)] ?? []) {
      let at = 0;
      while (start + at < end && each.bytes[at] === bytes[start + at]) at++;
      if (start + at === end && at === each.bytes.length) return each.name;
    }
    // What has an escape or is not ASCII can be written in several ways.
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte !== BACKSLASH && byte < 128) continue;
      const text = readText(bytes, start, end);
      return this.#byText.get(text) ?? this.#byText.get(text.normalize('NFC'));
    }
    return undefined;
  }

  #hash(bytes: Bytes, start: number, end: number): number {
    const middle = bytes[(start + end) >> 1] ?? 0;
    const sum = (end - start) * 31 + (bytes[start] ?? 0) * 7 + middle * 3 + (bytes[end - 1] ?? 0);
    return sum & (this.#buckets.length - 1);
  }
}

/** @returns a name without its escapes; what is no text of JSON is a name that nobody looks for */
function readText(bytes: Bytes, start: number, end: number): string {
  const text = decoder.decode(bytes.subarray(start, end));
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** @returns the bytes of a text as they stand between the quotes of JSON */
export function quotedBytes(text: string): Bytes {
  return encoder.encode(JSON.stringify(text).slice(1, -1));
}

/**
 * @returns the position behind the quote that ends a text; 0 if it is no text of JSON, because a line ends in it; if there is more to
 *   come, -1, or -2 if an escape is cut off, too
 */
function findTextEnd(bytes: Bytes, start: number): number {
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
    else if (byte === NEWLINE) return 0;
  }
  return bytes.length - at - 1;
}

/** @returns the position behind a literal, or `HOLD` if it may go on */
function findLiteralEnd(bytes: Bytes, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte <= SPACE || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) return at;
  }
  return HOLD;
}

/** @returns the position behind an array, or `HOLD` if it goes on */
function findArrayEnd(bytes: Bytes, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const end = findTextEnd(bytes, at + 1);
      if (end <= 0) return end === 0 ? 0 : HOLD;
      at = end - 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && --depth === 0) return at + 1;
  }
  return HOLD;
}

/** What comes next; in what is broken nothing is read any more. */
type Expected = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'end' | 'literal' | 'broken';

/** An object or array that is read, and the name or index in it. */
interface Level {
  readonly side: Side;
  readonly isObject: boolean;
  key: string | number;
}

export interface ScanOptions {
  /** Whether one value follows another, as in NDJSON; what is not JSON then ends with its line. */
  readonly isSequence?: boolean;
  readonly context?: Context | undefined;
}

/** Reads JSON in chunks that may be cut anywhere. */
export class Scanner {
  readonly #root: Side | undefined;
  readonly #isSequence: boolean;
  readonly #context: Context;
  #expected: Expected = 'value';
  /** The side of the value that is expected. */
  #side: Side | undefined;
  readonly #levels: Level[] = [];
  /** Levels of an object or array in which nothing is exchanged; they are only counted, so that nothing grows with them. */
  #skipped = 0;
  #isInText = false;
  /** What is not complete yet, and how many bytes of the next chunk belong to an escape. */
  #held = EMPTY;
  #cut = 0;
  #bytes = EMPTY;
  #copied = 0;
  #out = EMPTY;
  #length = 0;

  constructor(root: Side | undefined, { isSequence = false, context = {} }: ScanOptions = {}) {
    this.#root = root;
    this.#side = root;
    this.#isSequence = isSequence;
    this.#context = context;
  }

  /** Whether all that was read is complete JSON; of a sequence each line stands by itself. */
  get isComplete(): boolean {
    const isBetween = this.#levels.length === 0 && this.#skipped === 0 && !this.#isInText && this.#held.length === 0;
    return this.#isSequence || (isBetween && (this.#expected === 'end' || this.#expected === 'literal'));
  }

  /** Begins anew, as with the next event of a stream. */
  restart(): void {
    this.#levels.length = 0;
    this.#side = this.#root;
    this.#expected = 'value';
  }

  /** @returns what can be written of all that was read so far */
  write(chunk: Bytes): Bytes {
    this.#begin(this.#held.length > 0 ? join([this.#held, chunk]) : chunk);
    const bytes = this.#bytes;
    this.#held = EMPTY;
    let at = this.#cut;
    this.#cut = 0;
    while (at < bytes.length && at !== HOLD) at = this.#read(bytes, at);
    if (at === HOLD) this.#held = bytes.slice(this.#copied);
    else this.#copy(bytes.length);
    return this.#out.subarray(0, this.#length);
  }

  /** @returns what was held back */
  end(): Bytes {
    if (this.#held.length === 0) return EMPTY;
    this.#begin(this.#held);
    this.#held = EMPTY;
    if (this.#side?.convertsNumbers && this.#bytes[0] !== QUOTE) this.#convert(0, this.#bytes.length);
    this.#copy(this.#bytes.length);
    return this.#out.subarray(0, this.#length);
  }

  #begin(bytes: Bytes): void {
    this.#bytes = bytes;
    this.#copied = 0;
    this.#out = new Uint8Array(bytes.length + (bytes.length >> 2) + 64);
    this.#length = 0;
  }

  /** Reads a token. @returns the position of the next one, or `HOLD` */
  #read(bytes: Bytes, at: number): number {
    if (this.#isInText) return this.#readText(bytes, at);
    if (this.#skipped > 0) return this.#skip(bytes, at);
    const byte = bytes[at] as number;
    if (byte <= SPACE) {
      if (this.#isSequence && (byte === NEWLINE || byte === RECORD)) this.restart();
      else if (this.#expected === 'literal') this.#expected = 'end';
      return at + 1;
    }
    switch (this.#expected) {
      case 'first name':
      case 'name':
        if (byte === QUOTE) return this.#readName(bytes, at);
        return byte === CLOSE_OBJECT && this.#expected === 'first name' ? this.#close(at) : this.#break(at);
      case 'colon':
        if (byte !== COLON) return this.#break(at);
        this.#expected = 'value';
        return at + 1;
      case 'literal': {
        const end = findLiteralEnd(bytes, at);
        if (end === HOLD) return bytes.length;
        this.#expected = 'end';
        return end;
      }
      case 'end':
        return this.#readEnd(bytes, byte, at);
      case 'broken': {
        const end = this.#isSequence ? bytes.indexOf(NEWLINE, at) : -1;
        return end === -1 ? bytes.length : end;
      }
      default:
        return this.#readValue(bytes, byte, at);
    }
  }

  #break(at: number): number {
    this.#expected = 'broken';
    this.#skipped = 0;
    return at;
  }

  /** Goes on in a text that is not exchanged. */
  #readText(bytes: Bytes, at: number): number {
    const end = findTextEnd(bytes, at);
    this.#isInText = end < 0;
    if (end > 0) return end;
    if (end === 0) return this.#break(bytes.indexOf(NEWLINE, at));
    this.#cut = -end - 1;
    return bytes.length;
  }

  #skip(bytes: Bytes, start: number): number {
    let [at, depth] = [start, this.#skipped];
    while (at < bytes.length && depth > 0) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) {
        this.#isInText = true;
        break;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
      else if (byte === NEWLINE && this.#isSequence) {
        depth = 0;
        this.restart();
      }
    }
    this.#skipped = depth;
    return at;
  }

  #readName(bytes: Bytes, at: number): number {
    const level = this.#levels[this.#levels.length - 1];
    const end = findTextEnd(bytes, at + 1);
    if (!level || (end < 0 && bytes.length - at < LONGEST)) return this.#hold(at);
    if (end === 0) return this.#break(at);
    this.#expected = 'colon';
    if (end < 0) {
      this.#side = undefined;
      this.#isInText = true;
      return at + 1;
    }
    const { side } = level;
    const name = side.names?.find(bytes, at + 1, end - 1);
    level.key = name?.name ?? (side.findRest ? readText(bytes, at + 1, end - 1) : '');
    this.#side = name ? name.value : side.findRest?.(level.key);
    if (name?.suggestion !== undefined) {
      const { suggestion } = name;
      this.#context.report?.({ kind: 'member', place: this.#pointer(), word: name.name, suggestion });
    }
    if (name?.bytes) this.#replace(at + 1, end - 1, name.bytes);
    if (bytes[end] !== COLON) return end;
    this.#expected = 'value';
    const next = bytes[end + 1] ?? SPACE;
    return next > SPACE ? this.#readValue(bytes, next, end + 1) : end + 1;
  }

  #readValue(bytes: Bytes, byte: number, at: number): number {
    const side = this.#side;
    const isLiteral = byte !== QUOTE && byte !== OPEN_OBJECT && byte !== OPEN_ARRAY;
    if (byte === CLOSE_ARRAY && this.#expected === 'first item') return this.#close(at);
    // A byte-order mark before the first value.
    if (byte >= 128) return at + 1;
    if (isLiteral && (byte === COMMA || byte === COLON || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT))
      return this.#break(at);
    let end: number | undefined;
    if (byte === QUOTE && side?.convert) end = findTextEnd(bytes, at + 1);
    else if (byte === OPEN_ARRAY && side?.isWhole) end = findArrayEnd(bytes, at);
    else if (isLiteral && side?.convertsNumbers) end = findLiteralEnd(bytes, at);
    if (end !== undefined && end < 0 && bytes.length - at < LONGEST) return this.#hold(at);
    if (end === 0) return this.#break(at);
    this.#expected = isLiteral ? 'literal' : 'end';
    if (end !== undefined && end > 0) {
      this.#convert(at, end);
      return end;
    }
    if (byte === QUOTE) return this.#readText(bytes, at + 1);
    if (!isLiteral) this.#open(side, byte === OPEN_OBJECT);
    return at + 1;
  }

  #open(side: Side | undefined, isObject: boolean): void {
    const isKnown = isObject ? (side?.names ?? side?.findRest) : (side?.items ?? side?.prefix);
    if (!side || !isKnown) this.#skipped = 1;
    else if (this.#levels.length >= DEEPEST) this.#expected = 'broken';
    else {
      this.#levels.push({ side, isObject, key: 0 });
      this.#expected = isObject ? 'first name' : 'first item';
      if (!isObject) this.#side = side.prefix?.[0] ?? side.items;
    }
  }

  #readEnd(bytes: Bytes, byte: number, at: number): number {
    const level = this.#levels[this.#levels.length - 1];
    if (!level) {
      // In a sequence the next value may follow in the same line.
      if (!this.#isSequence) return this.#break(at);
      this.restart();
      return at;
    }
    if (byte === (level.isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return this.#close(at);
    if (byte !== COMMA) return this.#break(at);
    if (level.isObject) {
      this.#expected = 'name';
      return bytes[at + 1] === QUOTE ? this.#readName(bytes, at + 1) : at + 1;
    }
    const index = Number(level.key) + 1;
    level.key = index;
    this.#side = level.side.prefix?.[index] ?? level.side.items;
    this.#expected = 'value';
    return at + 1;
  }

  #close(at: number): number {
    this.#levels.pop();
    this.#expected = 'end';
    return at + 1;
  }

  #hold(at: number): number {
    this.#copy(at);
    return HOLD;
  }

  #convert(start: number, end: number): void {
    const raw = decoder.decode(this.#bytes.subarray(start, end));
    const written = this.#side?.convert?.(raw, this.#context, () => this.#pointer()) ?? raw;
    if (written !== raw) this.#replace(start, end, encoder.encode(written));
  }

  #pointer(): string {
    return this.#levels.reduce((pointer, { key }) => placeWithin(pointer, key), '');
  }

  #replace(start: number, end: number, bytes: Bytes): void {
    this.#copy(start);
    this.#reserve(bytes.length + this.#bytes.length - end);
    for (let at = 0; at < bytes.length; at++) this.#out[this.#length++] = bytes[at] as number;
    this.#copied = end;
  }

  /** Copies what was read up to a position. */
  #copy(end: number): void {
    this.#reserve(end - this.#copied);
    const [bytes, out] = [this.#bytes, this.#out];
    let length = this.#length;
    if (end - this.#copied > 128) {
      out.set(bytes.subarray(this.#copied, end), length);
      length += end - this.#copied;
    } else for (let at = this.#copied; at < end; at++) out[length++] = bytes[at] as number;
    this.#length = length;
    this.#copied = end;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#out.length) return;
    const grown = new Uint8Array((this.#length + count) * 2);
    grown.set(this.#out.subarray(0, this.#length));
    this.#out = grown;
  }
}

/** Exchanges a whole body. @returns nothing if it is no complete JSON */
export function scanWhole(side: Side | undefined, bytes: Bytes, options?: ScanOptions): Bytes | undefined {
  const scanner = new Scanner(side, options);
  const written = scanner.write(bytes);
  return scanner.isComplete ? join([written, scanner.end()]) : undefined;
}

export function join(parts: readonly Bytes[]): Bytes {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length === 1) return filled[0] as Bytes;
  const joined = new Uint8Array(filled.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of filled) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Exchanges the names of a value, such as an example in a document. */
export function scanValue(side: Side | undefined, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (side === undefined || text === undefined) return value;
  const written = scanWhole(side, encoder.encode(text));
  return written === undefined ? value : JSON.parse(decoder.decode(written));
}
