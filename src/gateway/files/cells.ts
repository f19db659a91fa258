import { fold } from '../../../packages/vocabularies/src/words.ts';
import { memoize } from '../../util/memoize.ts';
import { getValues, type Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell, Field } from '../model/field.ts';
import type { Values } from '../model/kinds/kind.ts';
import { createChecker, createValueChecker, describeLimits, getKind } from '../model/kinds/kinds.ts';
import { type PhraseName, type Sentence, sentence, truncate, unknownSentence } from '../texts/phrase.ts';
import { listSeparators, type ReadingLine, type ReadingOptions, type TableCell, type TableRecord } from './reader.ts';

/** The first character of a note: a line above the header, or the header of a column that is not read. */
export const NOTE = '#';

export function fillCells({ cells, columns }: TableRecord): readonly TableCell[] {
  if (!columns) return cells;
  const all: TableCell[] = Array(Math.max(0, ...columns.map((at) => at + 1))).fill(undefined);
  for (const [at, column] of columns.entries()) all[column] = cells[at];
  return all;
}

export function cellText(cell: TableCell): string {
  return typeof cell === 'object' ? cell.text : String(cell ?? '').trim();
}

/** @returns what cells have in common that filters find by one text */
export const normalizeText = (cell: TableCell): string => fold(cellText(cell).trim());

type SentCell = Exclude<TableCell, undefined>;

const ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

const DAY = 86_400_000;
const DATE = /^(?:(\d{4})[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](\d{4}))(?:[T ].*)?$/;

function readYear(cell: SentCell): string | undefined {
  if (typeof cell === 'object') {
    const year = new Date((cell.days ?? Number.NaN) * DAY).getUTCFullYear();
    return Number.isNaN(year) ? undefined : String(year);
  }
  const [, first, last] = DATE.exec(String(cell).trim()) ?? [];
  return first ?? last;
}

interface ReadCell {
  readonly isZoneless?: boolean;
  readonly cell?: Cell | undefined;
  readonly detail?: Sentence | undefined;
  /** What the options say that the text stands for; empty if it is no value. */
  readonly meaning?: string | undefined;
}

function createListReader(separator: string): Values['fromCell'] {
  return (cell) => {
    if (typeof cell !== 'string') return cell;
    const texts = cell.split(/[\r\n]+/).flatMap((line) => line.split(separator));
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  };
}

export class Column {
  readonly at: number;
  readonly word: string;
  readonly read: (cell: SentCell) => ReadCell;
  readonly #field: Field;
  readonly #values: Values;
  readonly #check;
  readonly #hasEmpty: boolean;
  readonly #limits;
  readonly #takesDates: boolean;
  /** What texts stand for, by the texts as filters compare them. */
  readonly #meanings: ReadonlyMap<string, string>;

  /** @param word is what errors call the column; by default the field's word */
  constructor(
    language: Language,
    collection: Collection,
    field: Field,
    at: number,
    options: ReadingOptions = {},
    word = language.fields(collection).word(field.name),
  ) {
    this.at = at;
    this.word = word;
    this.#field = field;
    const { decimals, timeZone: zone, takesDates = false, lists, values = [], nullValues = [] } = options;
    const usual = getValues(language, collection, field, { decimals, zone });
    const separator = lists && getKind(field).isList ? listSeparators[lists] : undefined;
    this.#values = separator === undefined ? usual : { ...usual, fromCell: createListReader(separator) };
    const own = values.filter(([name]) => name === field.name);
    this.#meanings = new Map([
      ...nullValues.map((text) => [normalizeText(text), ''] as const),
      ...own.map(([, text, meaning]) => [normalizeText(text), meaning] as const),
    ]);
    this.#check = createValueChecker(field, this.#values.expected);
    this.#hasEmpty = this.#check('').fault === undefined;
    this.#limits = describeLimits(field, language.valueWords(collection, field));
    this.#takesDates = takesDates;
    const read = this.#meanings.size === 0 ? this.#readOwn : this.#readMeaning;
    // Most values occur in many rows.
    this.read = field.isKey ? read : memoize(read);
  }

  /** Says how a cell is read. @param column the letters of the column */
  explain(content: TableCell, row: number, column: string, language: Language): ReadingLine {
    const { cell = null, detail, meaning } = content === undefined ? ({} as ReadCell) : this.read(content);
    const values = { row, column, word: this.word, value: truncate(cellText(content)) };
    if (detail) return { text: 'explain-error', values: { row, column, detail: language.format(detail) } };
    if (meaning === '') return { text: 'explain-null', values };
    if (cell === null) return { text: 'explain-empty', values: { row, column, word: this.word } };
    const result = this.#values.toText(cell);
    if (meaning !== undefined) return { text: 'explain-meaning', values: { ...values, result } };
    if (result === values.value) return { text: 'explain-same', values };
    const isSynonym = this.#field.choices !== undefined && fold(result) !== normalizeText(content);
    return { text: isSynonym ? 'explain-synonym' : 'explain-read', values: { ...values, result } };
  }

  readonly #readMeaning = (cell: SentCell): ReadCell => {
    const meaning = this.#meanings.get(normalizeText(cell));
    if (meaning === undefined) return this.#readOwn(cell);
    return meaning === '' ? { meaning } : { ...this.#readOwn(meaning), meaning };
  };

  readonly #readOwn = (cell: SentCell): ReadCell => {
    const isMoment = this.#values.sheet.format === 'timestamp';
    return isMoment ? { ...this.#read(cell), isZoneless: !ZONE.test(cellText(cell)) } : this.#read(cell);
  };

  #read(cell: SentCell): ReadCell {
    const { word } = this;
    const { sheet, fromNumber, fromDays } = this.#values;
    const year = this.#field.isYear ? readYear(cell) : undefined;
    if (year !== undefined) {
      return this.#takesDates ? this.#readValue(year) : { detail: sentence('cell-year', { word, year }) };
    }
    if (typeof cell !== 'object') return this.#readValue(cell);
    const { text, phrase, number, days } = cell;
    if (number !== undefined && sheet.type !== 'text') return this.#readValue(number, fromNumber);
    if (days !== undefined && fromDays) {
      const { cell: day } = this.#check(fromDays(days));
      if (day !== undefined) return { cell: day };
    }
    const detail = days !== undefined && fromDays ? this.#explain(text) : undefined;
    if (detail) return { detail };
    return phrase ? { detail: sentence(phrase, { word, value: truncate(text) }) } : this.#readValue(text);
  }

  /** Reads a value. An empty text in quotation marks is no value if the field allows no empty text. */
  #readValue(value: string | boolean, read: (value: string & boolean) => unknown = this.#values.fromCell): ReadCell {
    if (value === '' && !this.#hasEmpty) return {};
    const { cell, fault } = this.#check(read(value as string & boolean));
    return fault === undefined ? { cell } : { detail: this.#describe(fault, value) };
  }

  #describe(fault: PhraseName, value: string | boolean): Sentence {
    const { word } = this;
    const { expected: usual, expectedInCell = usual } = getKind(this.#field);
    const expected = this.#values.expected ?? usual;
    if (fault !== expected) return { phrase: fault, values: { word, ...this.#limits } };
    const explanation = typeof value === 'string' ? this.#explain(value) : undefined;
    if (explanation) return explanation;
    if (this.#field.choices) return this.#describeUnknown(String(value));
    const isText = typeof value === 'string' && expectedInCell === usual;
    const { cell } = isText ? createChecker(this.#field, this.#values)(this.#values.suggest(value)) : {};
    if (cell === undefined || cell === null)
      return { phrase: this.#values.expected ?? expectedInCell, values: { word, ...this.#limits } };
    return sentence('value-suggested', { word, value: truncate(String(value)), suggestion: this.#values.toText(cell) });
  }

  /** Proposes what to say of a value that is none of the field's: it is probably in many rows. */
  #describeUnknown(text: string): Sentence {
    const { word } = this;
    const { cell = null } = createChecker(this.#field, this.#values)(this.#values.suggest(text));
    const suggestion = cell === null ? undefined : this.#values.toText(cell);
    const values = { word, value: truncate(text), line: `${word}:${text}=${suggestion ?? '…'}` };
    return unknownSentence('choice', { ...values, known: this.#limits.known ?? '' }, suggestion);
  }

  #explain(text: string): Sentence | undefined {
    const explanation = this.#values.explain?.(text, 'cell');
    return explanation && { phrase: explanation.phrase, values: { word: this.word, ...explanation.values } };
  }
}
