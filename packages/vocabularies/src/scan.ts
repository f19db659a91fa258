/**
 * Exchanges the names in the text of JSON, in one pass. Everything but those names stays as it is: numbers, escapes,
 * order, duplicates and white space. Nothing is held but a name or text that may have to be exchanged and is not complete yet.
 */

import { placeWithin } from './document.ts';
import type { TextExchange } from './texts.ts';

/** What is known of one name of an object. */
export interface Name {
  /** The name as it stands in the text, without quotes. */
  readonly name: string;
  /** What replaces it, as it stands in JSON; absent if it stays. */
  readonly written?: string | undefined;
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
  readonly convert?: ((raw: string, exchange: TextExchange | undefined, pointer: () => string) => string) | undefined;
  readonly isWhole?: boolean;
  readonly convertsNumbers?: boolean;
}

const [NEWLINE, SPACE, QUOTE, COMMA, COLON, RECORD] = [10, 32, 34, 44, 58, 30];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Characters of a name or text above which it is neither held nor looked up. */
const LONGEST = 65_536;
/** Levels of described objects above which the rest is copied: a body that deep is an attack. */
const DEEPEST = 100_000;
/** In place of a position: the rest is held until more has arrived. */
const HOLD = -1;

/** The names of one object. */
export class Names {
  readonly #byText: ReadonlyMap<string, Name>;
  /** What came behind a name the last time, and first: objects of a list have their members in one order. */
  readonly #next = new Map<Name | undefined, Name>();

  constructor(names: readonly Name[]) {
    this.#byText = new Map(names.map((each) => [each.name, each]));
  }

  /** @returns the name that stands at a position, if it is the one that came behind another one the last time */
  findNext(last: Name | undefined, text: string, start: number): Name | undefined {
    const next = this.#next.get(last);
    if (!next || text.charCodeAt(start + next.name.length) !== QUOTE) return undefined;
    return text.startsWith(next.name, start) ? next : undefined;
  }

  /** @returns a name as it stands in JSON: what has an escape or is not ASCII can be written in several ways */
  find(last: Name | undefined, raw: string): Name | undefined {
    const name = raw.includes('\\') ? undefined : this.#byText.get(raw);
    if (name) this.#next.set(last, name);
    if (name || !/[\\\u0080-\uffff]/.test(raw)) return name;
    const text = readText(raw);
    return this.#byText.get(text) ?? this.#byText.get(text.normalize('NFC'));
  }
}

/** @returns a name without its escapes; what is no text of JSON is a name that nobody looks for */
function readText(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

/** Finds the next occurrence of a character again and again, and searches no part of a text twice as long as it goes on. */
class Finder {
  readonly #character: string;
  #text = '';
  #from = 0;
  #next = -1;

  constructor(character: string) {
    this.#character = character;
  }

  begin(text: string): void {
    this.#text = text;
    this.#next = -1;
  }

  /** @returns the first position at or behind another one; the end of the text if there is none */
  find(at: number): number {
    if (this.#next < at || at < this.#from) {
      const next = this.#text.indexOf(this.#character, at);
      this.#from = at;
      this.#next = next === -1 ? this.#text.length : next;
    }
    return this.#next;
  }
}

/** What comes next; in what is broken nothing is read any more. */
type Expected = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'end' | 'literal' | 'broken';

/** An object or array that is read, and the name or index in it. */
interface Level {
  readonly side: Side;
  readonly isObject: boolean;
  name: Name | undefined;
  key: string | number;
}

export interface ScanOptions {
  /** Whether one value follows another, as in NDJSON; what is not JSON then ends with its line. */
  readonly isSequence?: boolean;
  /** What exchanges its texts for one request; absent if nothing depends on that. */
  readonly exchange?: TextExchange | undefined;
}

/** Reads JSON in parts that may be cut anywhere. */
export class Scanner {
  readonly #root: Side | undefined;
  readonly #isSequence: boolean;
  readonly #exchange: TextExchange | undefined;
  readonly #newlines = new Finder('\n');
  readonly #backslashes = new Finder('\\');
  #expected: Expected = 'value';
  /** The side of the value that is expected. */
  #side: Side | undefined;
  readonly #levels: Level[] = [];
  /** Levels of an object or array in which nothing is exchanged; they are only counted, so that nothing grows with them. */
  #skipped = 0;
  #isInText = false;
  /** What is not complete yet, and how many characters of the next part belong to an escape. */
  #held = '';
  #cut = 0;
  #text = '';
  #copied = 0;
  #out = '';

  constructor(root: Side | undefined, { isSequence = false, exchange }: ScanOptions = {}) {
    this.#root = root;
    this.#side = root;
    this.#isSequence = isSequence;
    this.#exchange = exchange;
  }

  /** Whether all that was read is complete JSON; of a sequence each line stands by itself. */
  get isComplete(): boolean {
    const isBetween = this.#levels.length === 0 && this.#skipped === 0 && !this.#isInText && this.#held === '';
    return this.#isSequence || (isBetween && (this.#expected === 'end' || this.#expected === 'literal'));
  }

  /** Begins anew, as with the next event of a stream. */
  restart(): void {
    this.#levels.length = 0;
    this.#side = this.#root;
    this.#expected = 'value';
  }

  /** @returns what can be written of all that was read so far */
  write(part: string): string {
    const text = this.#held + part;
    this.#begin(text);
    let at = this.#cut;
    this.#cut = 0;
    while (at < text.length && at !== HOLD) at = this.#read(text, at);
    if (at === HOLD) this.#held = text.slice(this.#copied);
    else this.#copy(text.length);
    return this.#out;
  }

  /** @returns what was held back */
  end(): string {
    const text = this.#held;
    this.#begin(text);
    if (this.#side?.convertsNumbers && text !== '' && !text.startsWith('"')) this.#convert(0, text.length);
    this.#copy(text.length);
    return this.#out;
  }

  #begin(text: string): void {
    this.#text = text;
    this.#held = '';
    this.#copied = 0;
    this.#out = '';
    this.#newlines.begin(text);
    this.#backslashes.begin(text);
  }

  /**
   * @returns the position behind the quote that ends a text; 0 if it is no text of JSON, because a line ends in it; if there is more
   *   to come, -1, or -2 if an escape is cut off, too
   */
  #findTextEnd(start: number): number {
    const text = this.#text;
    let quote = text.indexOf('"', start);
    for (let at = start; ; ) {
      const end = quote === -1 ? text.length : quote;
      if (this.#newlines.find(at) < end) return 0;
      const backslash = this.#backslashes.find(at);
      if (backslash >= end) return quote === -1 ? -1 : quote + 1;
      at = backslash + 2;
      if (at > text.length) return -2;
      if (quote !== -1 && quote < at) quote = text.indexOf('"', at);
    }
  }

  /** @returns the position behind an array, or `HOLD` if it goes on */
  #findArrayEnd(start: number): number {
    let depth = 0;
    for (let at = start; at < this.#text.length; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.#findTextEnd(at + 1);
        if (end <= 0) return end === 0 ? 0 : HOLD;
        at = end - 1;
      } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth++;
      else if ((code === CLOSE_ARRAY || code === CLOSE_OBJECT) && --depth === 0) return at + 1;
    }
    return HOLD;
  }

  /** Reads a token. @returns the position of the next one, or `HOLD` */
  #read(text: string, at: number): number {
    if (this.#isInText) return this.#readText(at);
    if (this.#skipped > 0) return this.#skip(text, at);
    const code = text.charCodeAt(at);
    if (code <= SPACE) {
      if (this.#isSequence && (code === NEWLINE || code === RECORD)) this.restart();
      else if (this.#expected === 'literal') this.#expected = 'end';
      return at + 1;
    }
    switch (this.#expected) {
      case 'first name':
      case 'name':
        if (code === QUOTE) return this.#readName(text, at);
        return code === CLOSE_OBJECT && this.#expected === 'first name' ? this.#close(at) : this.#break(at);
      case 'colon':
        if (code !== COLON) return this.#break(at);
        this.#expected = 'value';
        return at + 1;
      case 'literal': {
        const end = findLiteralEnd(text, at);
        if (end === HOLD) return text.length;
        this.#expected = 'end';
        return end;
      }
      case 'end':
        return this.#readEnd(text, code, at);
      case 'broken':
        return this.#isSequence ? this.#newlines.find(at) : text.length;
      default:
        return this.#readValue(text, code, at);
    }
  }

  #break(at: number): number {
    this.#expected = 'broken';
    this.#skipped = 0;
    return at;
  }

  /** Goes on in a text that is not exchanged. */
  #readText(at: number): number {
    const end = this.#findTextEnd(at);
    this.#isInText = end < 0;
    if (end > 0) return end;
    if (end === 0) return this.#break(this.#newlines.find(at));
    this.#cut = -end - 1;
    return this.#text.length;
  }

  #skip(text: string, start: number): number {
    let [at, depth] = [start, this.#skipped];
    while (at < text.length && depth > 0) {
      const code = text.charCodeAt(at++);
      if (code === QUOTE) {
        this.#isInText = true;
        break;
      }
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth++;
      else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
      else if (code === NEWLINE && this.#isSequence) {
        depth = 0;
        this.restart();
      }
    }
    this.#skipped = depth;
    return at;
  }

  #readName(text: string, at: number): number {
    const level = this.#levels[this.#levels.length - 1];
    if (!level) return this.#break(at);
    const { side } = level;
    let name = side.names?.findNext(level.name, text, at + 1);
    const end = name ? at + name.name.length + 2 : this.#findTextEnd(at + 1);
    if (end < 0 && text.length - at < LONGEST) return this.#hold(at);
    if (end === 0) return this.#break(at);
    this.#expected = 'colon';
    if (end < 0) {
      this.#side = undefined;
      this.#isInText = true;
      return at + 1;
    }
    if (!name) {
      const raw = text.slice(at + 1, end - 1);
      name = side.names?.find(level.name, raw);
      level.key = name?.name ?? (side.findRest ? readText(raw) : '');
    } else level.key = name.name;
    level.name = name;
    this.#side = name ? name.value : side.findRest?.(String(level.key));
    if (name?.suggestion !== undefined) {
      const { suggestion } = name;
      this.#exchange?.context.report?.({ kind: 'member', place: this.#pointer(), word: name.name, suggestion });
    }
    if (name?.written !== undefined) this.#replace(at + 1, end - 1, name.written);
    if (text.charCodeAt(end) !== COLON) return end;
    this.#expected = 'value';
    const next = text.charCodeAt(end + 1);
    return next > SPACE ? this.#readValue(text, next, end + 1) : end + 1;
  }

  #readValue(text: string, code: number, at: number): number {
    const side = this.#side;
    const isLiteral = code !== QUOTE && code !== OPEN_OBJECT && code !== OPEN_ARRAY;
    if (code === CLOSE_ARRAY && this.#expected === 'first item') return this.#close(at);
    // A byte-order mark before the first value.
    if (code >= 128) return at + 1;
    if (isLiteral && (code === COMMA || code === COLON || code === CLOSE_ARRAY || code === CLOSE_OBJECT))
      return this.#break(at);
    let end: number | undefined;
    if (code === QUOTE && side?.convert) end = this.#findTextEnd(at + 1);
    else if (code === OPEN_ARRAY && side?.isWhole) end = this.#findArrayEnd(at);
    else if (isLiteral && side?.convertsNumbers) end = findLiteralEnd(text, at);
    if (end !== undefined && end < 0 && text.length - at < LONGEST) return this.#hold(at);
    if (end === 0) return this.#break(at);
    this.#expected = isLiteral ? 'literal' : 'end';
    if (end !== undefined && end > 0) {
      this.#convert(at, end);
      return end;
    }
    if (code === QUOTE) return this.#readText(at + 1);
    if (!isLiteral) this.#open(side, code === OPEN_OBJECT);
    return at + 1;
  }

  #open(side: Side | undefined, isObject: boolean): void {
    const isKnown = isObject ? (side?.names ?? side?.findRest) : (side?.items ?? side?.prefix);
    if (!side || !isKnown) this.#skipped = 1;
    else if (this.#levels.length >= DEEPEST) this.#expected = 'broken';
    else {
      this.#levels.push({ side, isObject, name: undefined, key: 0 });
      this.#expected = isObject ? 'first name' : 'first item';
      if (!isObject) this.#side = side.prefix?.[0] ?? side.items;
    }
  }

  #readEnd(text: string, code: number, at: number): number {
    const level = this.#levels[this.#levels.length - 1];
    if (!level) {
      // In a sequence the next value may follow in the same line.
      if (!this.#isSequence) return this.#break(at);
      this.restart();
      return at;
    }
    if (code === (level.isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return this.#close(at);
    if (code !== COMMA) return this.#break(at);
    if (level.isObject) {
      this.#expected = 'name';
      return text.charCodeAt(at + 1) === QUOTE ? this.#readName(text, at + 1) : at + 1;
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
    const raw = this.#text.slice(start, end);
    const written = this.#side?.convert?.(raw, this.#exchange, () => this.#pointer()) ?? raw;
    if (written !== raw) this.#replace(start, end, written);
  }

  #pointer(): string {
    return this.#levels.reduce((pointer, { key }) => placeWithin(pointer, key), '');
  }

  #replace(start: number, end: number, written: string): void {
    this.#copy(start);
    this.#out += written;
    this.#copied = end;
  }

  /** Copies what was read up to a position. */
  #copy(end: number): void {
    this.#out += this.#text.slice(this.#copied, end);
    this.#copied = end;
  }
}

/** @returns the position behind a literal, or `HOLD` if it may go on */
function findLiteralEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY) return at;
  }
  return HOLD;
}

/** Exchanges a whole text. @returns nothing if it is no complete JSON */
export function scanWhole(side: Side | undefined, text: string, options?: ScanOptions): string | undefined {
  const scanner = new Scanner(side, options);
  const written = scanner.write(text);
  return scanner.isComplete ? written + scanner.end() : undefined;
}

/** Exchanges the names of a value, such as an example in a document. */
export function scanValue(side: Side | undefined, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (side === undefined || text === undefined) return value;
  const written = scanWhole(side, text);
  return written === undefined ? value : JSON.parse(written);
}
