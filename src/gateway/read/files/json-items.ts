import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import { tooLong } from './csv-records.ts';
import { limits } from './limits.ts';
import { malformed, type TextOptions, textIn } from './text.ts';

/** The JSON of a row: a line, or an item of an array. */
export interface JsonText {
  readonly text: string;
  readonly number: number;
}

const BLANK = /^\s*$/;

const invalid = (): Problem => new Problem('malformed-json', sentence('json-syntax', {}));

/** Splits a JSON array into its items, which may each be invalid. @param file its descriptor. @param of what the items are, in words */
export function* itemsIn(file: number, options: TextOptions, of: string): Generator<readonly JsonText[]> {
  let number = 1;
  let rest = '';
  /** How many brackets are open; the array has ended where there is none any more. */
  let depth = 0;
  let hasEnded = false;
  let isString = false;
  let isEscaped = false;
  for (const block of textIn(file, options, () => number)) {
    const items: JsonText[] = [];
    let start = 0;
    if (depth === 0 && !hasEnded) {
      start = block.search(/\S/);
      if (start === -1) continue;
      if (block[start] !== '[')
        throw /[{"\-\dtfn]/.test(block[start] ?? '') ? malformed(sentence('body-not-array', { of })) : invalid();
      depth = 1;
      start++;
    }
    for (let at = start; at < block.length && !hasEnded; at++) {
      const code = block.charCodeAt(at);
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === 0x5c) isEscaped = true;
        else if (code === 0x22) isString = false;
        continue;
      }
      if (code === 0x22) isString = true;
      else if (code === 0x5b || code === 0x7b) depth++;
      else if (code === 0x5d || code === 0x7d) depth--;
      hasEnded = depth === 0;
      if (!hasEnded && (code !== 0x2c || depth > 1)) continue;
      const text = rest + block.slice(start, at);
      if (text.length > limits.row) throw tooLong(number);
      if (!hasEnded || number > 1 || !BLANK.test(text)) items.push({ text, number });
      number++;
      rest = '';
      start = at + 1;
    }
    rest += block.slice(start);
    if (hasEnded ? !BLANK.test(rest) : rest.length > limits.row) throw hasEnded ? invalid() : tooLong(number);
    if (items.length > 0) yield items;
  }
  if (!hasEnded) throw invalid();
}

/** Reads the lines that are not empty. */
export function* linesIn(file: number, options: TextOptions = {}): Generator<readonly JsonText[]> {
  let row = 1;
  let rest = '';
  const add = (text: string): void => {
    rest += text;
    if (rest.length > limits.row) throw tooLong(row);
  };
  for (const text of textIn(file, options, () => row)) {
    const lines: JsonText[] = [];
    let at = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
      if (end > at) add(text.slice(at, end));
      if (rest !== '' && !BLANK.test(rest)) lines.push({ text: rest, number: row });
      rest = '';
      row++;
      at = end + 1;
    }
    if (lines.length > 0) yield lines;
    add(text.slice(at));
  }
  if (!BLANK.test(rest)) yield [{ text: rest, number: row }];
}
