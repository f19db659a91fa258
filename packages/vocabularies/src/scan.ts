/**
 * Exchanges the names in the text of JSON, in one pass. Everything but those names stays as it is: numbers, escapes,
 * order, duplicates and white space. Nothing is held but a name or text that may have to be exchanged and is not complete yet.
 */

import { placeWithin } from './document.ts';
import { Node, type Term } from './nodes.ts';
import { type Context, exchangeText } from './texts.ts';

const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [32, 34, 44, 58, 92];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** Characters of a name or text above which it is neither held nor looked up. */
const LONGEST = 65_536;
/** Levels of described objects above which the rest is copied: a body that deep is an attack. */
const DEEPEST = 100_000;
/** In place of a position: the rest is held until more has arrived. */
const HOLD = -1;

/** What comes next; in what is broken nothing is read any more. */
type Expected = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'end' | 'literal' | 'broken';

/** An object or array that is read, and the name or index in it. */
interface Level {
  readonly node: Node;
  readonly isObject: boolean;
  term: Term | undefined;
  key: string | number;
}

/** In a problem any text may be replaced, whether the document describes it or not. */
const ANYTHING = new Node('');
ANYTHING.rest = ANYTHING;
ANYTHING.items = ANYTHING;

/** Reads JSON in parts that may be cut anywhere. */
export class Scanner {
  readonly #root: Node | undefined;
  readonly #context: Context;
  readonly #fallback: Node | undefined;
  #expected: Expected = 'value';
  /** What the value is that is expected, and the member whose value it is. */
  #node: Node | undefined;
  #term: Term | undefined;
  readonly #levels: Level[] = [];
  /** Levels of an object or array in which nothing is exchanged; they are only counted, so that nothing grows with them. */
  #skipped = 0;
  #isInText = false;
  /** What is not complete yet. */
  #held = '';
  #text = '';
  #copied = 0;
  #out = '';

  constructor(root: Node | undefined, context: Context) {
    this.#fallback = context.texts && ANYTHING;
    this.#root = root ?? this.#fallback;
    this.#node = this.#root;
    this.#context = context;
  }

  /** Whether all that was read is complete JSON. */
  get isComplete(): boolean {
    const isBetween = this.#levels.length === 0 && this.#skipped === 0 && !this.#isInText && this.#held === '';
    return isBetween && (this.#expected === 'end' || this.#expected === 'literal');
  }

  /** Begins anew, as with the next line of NDJSON. */
  restart(): void {
    this.#levels.length = 0;
    this.#skipped = 0;
    this.#isInText = false;
    this.#node = this.#root;
    this.#term = undefined;
    this.#expected = 'value';
  }

  /** @returns what can be written of all that was read so far */
  write(part: string): string {
    this.#begin(this.#held + part);
    let at = 0;
    while (at < this.#text.length && at !== HOLD) at = this.#read(at);
    if (at === HOLD) this.#held = this.#text.slice(this.#copied);
    else this.#copy(this.#text.length);
    return this.#out;
  }

  /** @returns what was held back */
  end(): string {
    this.#begin(this.#held);
    if (this.#term?.convert && /^-?\d/.test(this.#text)) this.#convert(this.#term.convert, 0, this.#text.length);
    this.#copy(this.#text.length);
    return this.#out;
  }

  #begin(text: string): void {
    this.#text = text;
    this.#held = '';
    this.#copied = 0;
    this.#out = '';
  }

  /** Reads a token. @returns the position of the next one, or `HOLD` */
  #read(at: number): number {
    const text = this.#text;
    if (this.#isInText) return this.#passText(at);
    if (this.#skipped > 0) return this.#skip(at);
    const code = text.charCodeAt(at);
    if (code <= SPACE) {
      if (this.#expected === 'literal') this.#expected = 'end';
      return at + 1;
    }
    switch (this.#expected) {
      case 'first name':
      case 'name':
        if (code === QUOTE) return this.#readName(at);
        return code === CLOSE_OBJECT && this.#expected === 'first name' ? this.#close(at) : this.#break();
      case 'colon':
        if (code !== COLON) return this.#break();
        this.#expected = 'value';
        return at + 1;
      case 'literal': {
        const end = findLiteralEnd(text, at);
        this.#expected = end < text.length ? 'end' : 'literal';
        return end;
      }
      case 'end':
        return this.#readEnd(code, at);
      case 'broken':
        return text.length;
      default:
        return this.#readValue(code, at);
    }
  }

  #break(): number {
    this.#expected = 'broken';
    return this.#text.length;
  }

  /** @returns the position behind the quote that ends a text; 0 if it has not come yet */
  #findTextEnd(start: number): number {
    const text = this.#text;
    for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
      let before = quote;
      while (before > start && text.charCodeAt(before - 1) === BACKSLASH) before--;
      // Two backslashes are one that is written, and none escapes the quote.
      if ((quote - before) % 2 === 0) return quote + 1;
    }
    return 0;
  }

  /** Goes on in a text that is not exchanged. */
  #passText(at: number): number {
    const end = this.#findTextEnd(at);
    this.#isInText = end === 0;
    if (end > 0) return end;
    const { length } = this.#text;
    let before = length;
    while (before > at && this.#text.charCodeAt(before - 1) === BACKSLASH) before--;
    return (length - before) % 2 === 0 ? length : this.#hold(length - 1);
  }

  #skip(start: number): number {
    for (let at = start; at < this.#text.length; ) {
      const code = this.#text.charCodeAt(at++);
      if (code === QUOTE) {
        this.#isInText = true;
        return at;
      }
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#skipped++;
      else if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --this.#skipped === 0) return at;
    }
    return this.#text.length;
  }

  #readName(at: number): number {
    const level = this.#levels[this.#levels.length - 1] as Level;
    const { node } = level;
    const { direction, report } = this.#context;
    const next = level.term ? level.term.next : node.first[direction];
    const isNext =
      next !== undefined &&
      this.#text.startsWith(next.text, at + 1) &&
      this.#text.charCodeAt(at + 1 + next.text.length) === QUOTE;
    const end = isNext ? at + next.text.length + 2 : this.#findTextEnd(at + 1);
    if (end === 0 && this.#text.length - at < LONGEST) return this.#hold(at);
    this.#expected = 'colon';
    if (end === 0) {
      this.#node = this.#term = undefined;
      this.#isInText = true;
      return at + 1;
    }
    const term = isNext ? next : this.#findTerm(level, this.#text.slice(at + 1, end - 1));
    level.term = term;
    this.#term = term;
    this.#node = (term ? term.node : node.findRest(String(level.key))) ?? this.#fallback;
    if (term) {
      level.key = term.text;
      const { suggestion, written } = term;
      if (suggestion !== undefined) report?.({ kind: 'member', place: this.#pointer(), word: term.text, suggestion });
      if (written !== undefined) this.#replace(at + 1, end - 1, written);
    }
    if (this.#text.charCodeAt(end) !== COLON) return end;
    this.#expected = 'value';
    return end + 1;
  }

  /** @param raw a name as it stands in JSON: what has an escape or is not ASCII can be written in several ways */
  #findTerm(level: Level, raw: string): Term | undefined {
    const { direction } = this.#context;
    const terms = level.node.members[direction];
    const term = raw.includes('\\') ? undefined : terms.get(raw);
    if (term) {
      if (level.term) level.term.next = term;
      else level.node.first[direction] = term;
      return term;
    }
    const text = readText(raw);
    level.key = text;
    return terms.get(text) ?? terms.get(text.normalize('NFC'));
  }

  #readValue(code: number, at: number): number {
    if (code === CLOSE_ARRAY && this.#expected === 'first item') return this.#close(at);
    // A byte-order mark before the first value.
    if (code >= 128) return at + 1;
    const node = this.#node;
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.#expected = 'end';
      if (!node) this.#skipped = 1;
      else if (this.#levels.length >= DEEPEST) return this.#break();
      else {
        const isObject = code === OPEN_OBJECT;
        this.#levels.push({ node, isObject, term: undefined, key: 0 });
        this.#expected = isObject ? 'first name' : 'first item';
        if (!isObject) this.#enterItem(node, 0);
      }
      return at + 1;
    }
    if (code === QUOTE) {
      const isExchanged = node && (node.holds !== undefined || node.values.out.size > 0 || this.#fallback);
      const end = isExchanged ? this.#findTextEnd(at + 1) : 0;
      if (isExchanged && end === 0 && this.#text.length - at < LONGEST) return this.#hold(at);
      this.#expected = 'end';
      if (end === 0) return this.#passText(at + 1);
      if (node) this.#exchangeText(node, at, end);
      return end;
    }
    if (code === COMMA || code === COLON || code === CLOSE_ARRAY || code === CLOSE_OBJECT) return this.#break();
    const end = findLiteralEnd(this.#text, at);
    const convert = this.#term?.convert;
    if (convert && end === this.#text.length) return this.#hold(at);
    this.#expected = end < this.#text.length ? 'end' : 'literal';
    if (convert && /[-\d]/.test(this.#text.charAt(at))) this.#convert(convert, at, end);
    return end;
  }

  #exchangeText(node: Node, start: number, end: number): void {
    const raw = this.#text.slice(start + 1, end - 1);
    const text = readText(raw);
    const replacement = this.#context.texts?.get(this.#pointer());
    const written = replacement ?? exchangeText(this.#context, node, text, () => this.#pointer());
    if (written !== text) this.#replace(start, end, JSON.stringify(written));
  }

  #convert(convert: (value: number) => number, start: number, end: number): void {
    this.#replace(start, end, String(convert(Number(this.#text.slice(start, end)))));
  }

  #enterItem(node: Node, index: number): void {
    this.#term = undefined;
    this.#node = node.prefix[index] ?? node.items ?? this.#fallback;
  }

  #readEnd(code: number, at: number): number {
    const level = this.#levels[this.#levels.length - 1];
    if (!level) return this.#break();
    if (code === (level.isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return this.#close(at);
    if (code !== COMMA) return this.#break();
    this.#expected = level.isObject ? 'name' : 'value';
    if (level.isObject) return at + 1;
    level.key = Number(level.key) + 1;
    this.#enterItem(level.node, level.key);
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

  #pointer(): string {
    return placeWithin('', ...this.#levels.map(({ key }) => key));
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

/** @returns a text without its escapes; as it is, if it is no text of JSON */
function readText(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

/** @returns the position behind a literal as far as it has come */
function findLiteralEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY) return at;
  }
  return text.length;
}

/** Exchanges a whole text. @returns nothing if it is no complete JSON */
export function scanWhole(node: Node | undefined, context: Context, text: string): string | undefined {
  const scanner = new Scanner(node, context);
  const written = scanner.write(text);
  return scanner.isComplete ? written + scanner.end() : undefined;
}
