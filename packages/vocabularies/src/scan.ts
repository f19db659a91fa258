/**
 * Exchanges the names in the text of JSON, in one pass. Everything but those names stays as it is: numbers, escapes,
 * order, duplicates and white space. Nothing is held but a name or text that may have to be exchanged and is not complete yet.
 */
import { placeWithin } from './document.ts';
import { Node, type Term } from './nodes.ts';
import { type Context, exchangeText } from './texts.ts';
import { compose } from './words.ts';

const [QUOTE, COMMA, MINUS, COLON, BACKSLASH] = [34, 44, 45, 58, 92];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Characters of a name or text above which it is neither held nor looked up. */
const LONGEST = 65_536;
/** Levels of described objects above which the rest is copied: a body that deep is an attack. */
const DEEPEST = 100_000;
/** Levels of a problem that are read, and around a text that is replaced: to find its place takes longer the deeper it is. */
export const DEEPEST_PLACE = 100;
/** In place of a position: the rest is held until more has arrived. */
const HOLD = -1;

/** An object or array that is read, and the name or index in it. */
interface Level {
  readonly node: Node;
  readonly isObject: boolean;
  /** Whether a value comes, and not a name. */
  isValue: boolean;
  term: Term | undefined;
  key: string | number;
  /** The pointer to it, once that was asked for. */
  place: string | undefined;
}

/** In a problem any text may be replaced, whether the document describes it or not. */
const ANYTHING = new Node('');
ANYTHING.rest = ANYTHING;
ANYTHING.items = ANYTHING;

/** Reads JSON in parts that may be cut anywhere. What is no JSON is copied, but for what looks like names. */
export class Scanner {
  readonly #root: Node | undefined;
  readonly #context: Context;
  readonly #fallback: Node | undefined;
  readonly #levels: Level[] = [];
  /** What the value is that comes next. */
  #node: Node | undefined;
  /** Levels of an object or array in which nothing is exchanged; they are only counted, so that nothing grows with them. */
  #skipped = 0;
  #isInText = false;
  /** What is not complete yet. */
  #pending = '';
  #text = '';
  #copied = 0;
  #out = '';

  constructor(root: Node | undefined, context: Context) {
    this.#fallback = context.texts && ANYTHING;
    this.#root = root ?? context.sent?.get('') ?? this.#fallback;
    this.#node = this.#root;
    this.#context = context;
  }

  /** Whether nothing that was read goes on. */
  get isComplete(): boolean {
    return this.#levels.length === 0 && this.#skipped === 0 && !this.#isInText && this.#pending === '';
  }

  /** Begins anew, as with the next line of NDJSON. */
  restart(): void {
    this.#levels.length = 0;
    this.#skipped = 0;
    this.#isInText = false;
    this.#node = this.#root;
  }

  /** @returns what can be written of all that was read so far */
  write(part: string): string {
    this.#begin(this.#pending + part);
    let at = 0;
    while (at < this.#text.length && at !== HOLD) at = this.#read(at);
    if (at === HOLD) this.#pending = this.#text.slice(this.#copied);
    else this.#copy(this.#text.length);
    return this.#out;
  }

  /** @returns what was held back */
  end(): string {
    this.#begin(this.#pending);
    this.#copy(this.#text.length);
    return this.#out;
  }

  #begin(text: string): void {
    this.#text = text;
    this.#pending = '';
    this.#copied = 0;
    this.#out = '';
  }

  /** Reads a token. @returns the position of the next one, or `HOLD` */
  #read(at: number): number {
    if (this.#isInText) return this.#passText(at);
    if (this.#skipped > 0) return this.#skip(at);
    const level = this.#levels[this.#levels.length - 1];
    const code = this.#text.charCodeAt(at);
    if (code === QUOTE) return level && !level.isValue ? this.#readName(level, at) : this.#readText(at);
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#open(code === OPEN_OBJECT);
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#levels.pop();
    else if (level && code === COLON) level.isValue = true;
    else if (level && code === COMMA && level.isObject) level.isValue = false;
    else if (level && code === COMMA) this.#enterItem(level, Number(level.key) + 1);
    else if (level?.term?.convert && isDigit(code)) return this.#readNumber(level, level.term.convert, at);
    else if (level && isLiteral(code)) return passPlain(this.#text, at);
    return at + 1;
  }

  #open(isObject: boolean): void {
    const node = this.#node;
    if (!node || this.#levels.length >= DEEPEST) {
      this.#skipped = 1;
      return;
    }
    const level = { node, isObject, isValue: !isObject, term: undefined, key: 0, place: undefined };
    this.#levels.push(level);
    if (!isObject) this.#enterItem(level, 0);
  }

  #enterItem(level: Level, index: number): void {
    level.key = index;
    this.#node = level.node.prefix[index] ?? level.node.items ?? this.#fallback;
  }

  /** @returns the position behind the quote that ends a text; 0 if it has not come yet */
  #findTextEnd(start: number): number {
    for (let quote = this.#text.indexOf('"', start); quote !== -1; quote = this.#text.indexOf('"', quote + 1)) {
      if (this.#countBackslashes(start, quote) % 2 === 0) return quote + 1;
    }
    return 0;
  }

  /** @returns how many backslashes stand before a position: each second one is written, and escapes nothing */
  #countBackslashes(start: number, end: number): number {
    let before = end;
    while (before > start && this.#text.charCodeAt(before - 1) === BACKSLASH) before--;
    return end - before;
  }

  /** Goes on in a text that is not exchanged. */
  #passText(at: number): number {
    const end = this.#findTextEnd(at);
    this.#isInText = end === 0;
    const { length } = this.#text;
    if (end > 0) return end;
    return this.#countBackslashes(at, length) % 2 === 0 ? length : this.#hold(length - 1);
  }

  #skip(start: number): number {
    for (let at = start; at < this.#text.length; ) {
      const code = this.#text.charCodeAt(at++);
      if (code === QUOTE) return this.#passText(at);
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#skipped++;
      else if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --this.#skipped === 0) return at;
    }
    return this.#text.length;
  }

  #readName(level: Level, start: number): number {
    const at = this.#passExpected(level, start);
    if (this.#text.charCodeAt(at) !== QUOTE) return at;
    const end = this.#findTextEnd(at + 1);
    if (end === 0) return this.#text.length - at < LONGEST ? this.#hold(at) : this.#passText(at + 1);
    const term = this.#findTerm(level, this.#text.slice(at + 1, end - 1));
    level.term = term;
    this.#node = (term ? term.node : level.node.findRest(String(level.key))) ?? this.#fallback;
    const { report, sent } = this.#context;
    // What the document says of a place goes before what it looks like.
    if (!this.#node?.members.out.size) this.#node = this.#findByPlace(sent) ?? this.#node;
    const { json, suggestion } = term ?? {};
    if (term && suggestion !== undefined)
      report?.({ kind: 'member', place: this.#pointer(), word: term.text, suggestion });
    if (json !== undefined) this.#replace(at + 1, end - 1, json);
    return end;
  }

  /**
   * Reads members with their values as long as they come in the order of the object before, which takes half the time of a list.
   *
   * @returns the position of the first one that is another, has a value in which something may be exchanged, or is not complete
   */
  #passExpected(level: Level, start: number): number {
    const text = this.#text;
    let at = start;
    let next = this.#fallback ? undefined : level.term ? level.term.next : level.node.first[this.#context.direction];
    while (next) {
      const end = at + 1 + next.text.length;
      const isNext = text.charCodeAt(end) === QUOTE && text.charCodeAt(end + 1) === COLON;
      const behind = isNext && text.startsWith(next.text, at + 1) ? passPlain(text, end + 2) : -1;
      const code = text.charCodeAt(behind);
      if (code !== COMMA && code !== CLOSE_OBJECT) return at;
      if (next.json !== undefined) this.#replace(at + 1, end, next.json);
      if (code === CLOSE_OBJECT) return behind;
      level.term = next;
      next = next.next;
      at = behind + 1;
    }
    return at;
  }

  /** @param raw a name as it stands in JSON: what has an escape or is not ASCII can be written in several ways */
  #findTerm(level: Level, raw: string): Term | undefined {
    const { direction } = this.#context;
    const terms = level.node.members[direction];
    const text = readText(raw);
    const term = terms.get(text) ?? terms.get(compose(text));
    level.key = term?.text ?? text;
    if (!term || term.text !== raw) return term;
    const isPlain = term.suggestion === undefined && !term.convert && !term.node?.hasTexts;
    if (level.term) level.term.next = isPlain ? term : undefined;
    else level.node.first[direction] = isPlain ? term : undefined;
    return term;
  }

  #readText(at: number): number {
    const node = this.#node;
    const isExchanged = node && (node.hasTexts || this.#fallback !== undefined);
    const end = isExchanged ? this.#findTextEnd(at + 1) : 0;
    if (!isExchanged || (end === 0 && this.#text.length - at >= LONGEST)) return this.#passText(at + 1);
    if (end === 0) return this.#hold(at);
    const text = readText(this.#text.slice(at + 1, end - 1));
    const replacement =
      this.#findByPlace(this.#context.texts) ?? exchangeText(this.#context, node, text, () => this.#pointer());
    if (replacement !== text) this.#replace(at, end, JSON.stringify(replacement));
    return end;
  }

  #readNumber(level: Level, convert: (value: number) => number, start: number): number {
    const number = /[^\d.eE+-]/g;
    number.lastIndex = start;
    const end = number.exec(this.#text)?.index;
    if (end === undefined && this.#text.length - start < LONGEST) return this.#hold(start);
    // What no double holds stays as it is, however it is cut.
    level.term = undefined;
    if (end === undefined) return this.#text.length;
    const converted = convert(Number(this.#text.slice(start, end)));
    if (Number.isFinite(converted)) this.#replace(start, end, String(converted));
    return end;
  }

  #hold(at: number): number {
    this.#copy(at);
    return HOLD;
  }

  #findByPlace<T>(parts: ReadonlyMap<string, T> | undefined): T | undefined {
    if (!parts || parts.size === 0 || this.#levels.length > DEEPEST_PLACE) return undefined;
    return parts.get(this.#pointer());
  }

  /** Levels keep their places, so that in a deep body not each one takes as long as it is deep. */
  #pointer(): string {
    const last = this.#levels.findLastIndex(({ place }) => place !== undefined);
    return this.#levels.slice(Math.max(last, 0)).reduce((place, level) => {
      level.place ??= place;
      return placeWithin(level.place, level.key);
    }, '');
  }

  #replace(start: number, end: number, replacement: string): void {
    this.#out += this.#text.slice(this.#copied, start) + replacement;
    this.#copied = end;
  }

  /** Copies what was read up to a position. */
  #copy(end: number): void {
    this.#out += this.#text.slice(this.#copied, end);
    this.#copied = end;
  }
}

/** @returns the position behind a text without escapes, or behind a number, `true`, `false` or `null`; -1 if a text is not like that */
function passPlain(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) {
    const end = text.indexOf('"', start + 1);
    return end === -1 || text.charCodeAt(end - 1) === BACKSLASH ? -1 : end + 1;
  }
  let end = start;
  while (isLiteral(text.charCodeAt(end))) end++;
  return end;
}

/** @returns whether a number may begin with a character */
function isDigit(code: number): boolean {
  return code === MINUS || (code > 47 && code < 58);
}

/** @returns whether a character may be one of a number, `true`, `false` or `null`; others than these may only if it is no JSON */
function isLiteral(code: number): boolean {
  return code > COMMA && code < OPEN_OBJECT && (code < OPEN_ARRAY || code > CLOSE_ARRAY);
}

/** @returns a text without its escapes; as it is, if it is no text of JSON */
function readText(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return String(parseJson(`"${raw}"`) ?? raw);
}

/** @returns nothing if a text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Exchanges a whole text. @returns nothing if it is no complete JSON */
export function scanWhole(node: Node | undefined, context: Context, text: string): string | undefined {
  const scanner = new Scanner(node, context);
  const output = scanner.write(text);
  return scanner.isComplete ? output : undefined;
}
