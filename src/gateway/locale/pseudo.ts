/**
 * Pseudo-languages, which are made of a table and can still be read: what a response says without brackets stands in no
 * table, and what does not fit a third more text, or a line from right to left, is seen before a translator comes.
 */
import { isObject } from '../../../packages/vocabularies/src/words.ts';
import { currentWord } from './history.ts';
import { wordParts } from './layers.ts';
import type { Entry, Locale, Table } from './table.ts';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýž';
const FILLER = ' öñé ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ';

/** What stays as it is inside a sentence: placeholders, code, targets of links, options, commands and names in capitals. */
const FIXED = /(\{[\w-]+\}|`[^`]*`|\]\([^()\]]*\)|<[^<>]*>|--[\w-]+|npm run [\w-]+|https?:\S+|\b[A-Z]{2}[A-Z_]*\b)/;

const AS_THEY_ARE = ['csv', 'booleans'];

type Write = (text: string) => string;

function writeFree(text: string, write: Write): string {
  const parts = text.split(FIXED).map((part, at) => (at % 2 === 0 ? write(part) : part));
  return parts.join('');
}

/** Puts a line into brackets, but for the sign of a list before it and the spaces around it. */
function writeLine(line: string, write: Write): string {
  const text = line.trim().replace(/^- /, '');
  if (text === '') return line;
  const length = Math.ceil(text.length / 3);
  const more = FILLER.repeat(length).slice(0, length).trimEnd();
  return line.replace(text, () => `[${writeFree(text + more, write)}]`);
}

const writeSentence = (text: string, write: Write): string => text.replaceAll(/.+/g, (line) => writeLine(line, write));

/** Changes every text of a part of a table. @param change is told the name of the text */
function changeTexts(part: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof part === 'string') return change(part, name);
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, changeTexts(value, change, key)]));
}

function addSuffix(part: unknown, suffix: string): unknown {
  if (typeof part === 'string' || (isObject(part) && 'former' in part))
    return `${currentWord(part as Entry)}-${suffix}`;
  return Object.fromEntries(Object.entries(part ?? {}).map(([name, entry]) => [name, addSuffix(entry, suffix)]));
}

function changePart(name: string, part: unknown, suffix: string, write: Write): unknown {
  if (AS_THEY_ARE.includes(name)) return part;
  if (wordParts.includes(name)) return addSuffix(part, suffix);
  // Nouns stand inside sentences, which have brackets.
  if (name === 'nouns') return changeTexts(part, (text) => writeFree(text, write));
  return changeTexts(part, (text, key) =>
    // The name of a type has letters without accents only.
    name === 'descriptions' && key.startsWith('schema')
      ? text + suffix[0]?.toUpperCase() + suffix.slice(1)
      : writeSentence(text, write),
  );
}

function createPseudoLanguage({ table }: Locale, tag: string, write: Write): Locale {
  const suffix = tag.slice(-2).toLowerCase();
  const { $schema: _, synonyms: __, derived: ___, ...parts } = table;
  const changed = Object.entries(parts).map(([name, part]) => [name, changePart(name, part, suffix, write)]);
  return { tag, table: Object.fromEntries(changed) as Table };
}

const writers: Readonly<Record<string, Write>> = {
  'en-XA': (text) => text.replaceAll(/[A-Za-z]/g, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter),
  // From right to left (U+202E), as Arabic is.
  'ar-XB': (text) => text.replace(/\S(?:.*\S)?/s, '\u202e$&\u202c'),
};

/** @returns `en-XA`, with accents and longer sentences, and `ar-XB`, from right to left; words have `-xa` and `-xb` behind them */
export function createPseudoLanguages(source: Locale): readonly Locale[] {
  return Object.entries(writers).map(([tag, write]) => createPseudoLanguage(source, tag, write));
}
