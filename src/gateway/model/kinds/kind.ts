import type { PhraseName } from '../../texts/phrase.ts';
import type { Cell, Field, Value } from '../field.ts';
import type { Measure } from '../units.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ValueWords {
  /** The folded words for true and false, in this language and in any. */
  readonly flags: ReadonlyMap<string, boolean>;
  readonly everyFlag: ReadonlyMap<string, boolean>;
  readonly knownFlags: string;
  readonly decimal: '.' | ',';
  /** Whether a client chose the decimal sign, and not the language, so that no number of a file is ambiguous. */
  readonly hasChosenDecimal: boolean;
  /** Whether files may have a day and a month before the year; without it, dates begin with the year. */
  readonly isDayFirst: boolean;
  /** The time zone (IANA) of moments that are written without one. */
  readonly zone: string;
  readonly choices: ChoiceWords;
  /** The unit in which numbers are written, if it is not the one in which they are stored. */
  readonly measure?: Measure | undefined;
}

export interface ChoiceWords {
  readonly known: readonly string[];
  readonly word: (value: string) => string;
  /** @returns the value that a word stands for, whose case and accents are ignored if `isLoose` */
  readonly value: (word: string, isLoose: boolean) => string | undefined;
  /** @returns the value that a cell of a file stands for, by a synonym, too */
  readonly inFile: (cell: string) => string | undefined;
  readonly suggest: (text: string) => string | undefined;
}

interface Sheet {
  readonly type: 'text' | 'number' | 'boolean';
  /** How a number is shown: the identifier of a built-in format (ECMA-376, part 1, §18.8.30). */
  readonly format?: NumberFormat;
  /** Converts a value to a spreadsheet's number, if that is not the cell itself; `undefined` if only a text can hold it. */
  readonly toNumber?: (value: Value) => number | undefined;
}
export const numberFormats = { money: 4, date: 14, timestamp: 22 } as const;
type NumberFormat = keyof typeof numberFormats;

/** Explains why a text is refused: a phrase with its values, except `word`, and perhaps what to send instead. */
export interface Explanation {
  readonly phrase: PhraseName;
  readonly values: Readonly<Record<string, string>>;
  readonly suggestion?: string;
}

export interface Values {
  readonly toJson: (value: Value) => string;
  /** Turns a value of a body into one for `toCell`, if that depends on the language. */
  readonly fromJson?: (value: unknown) => unknown;
  /** The phrase for an invalid value, if it is not that of the kind. */
  readonly expected?: PhraseName;
  readonly filter: {
    readonly parse: (text: string) => Value | undefined;
    /** Reads an end of a range, if that need not be a value of the field. */
    readonly parseEnd?: (text: string, end: 'from' | 'to') => Value | undefined;
    readonly format: (value: Value) => string;
    readonly fault: PhraseName;
    /** Without the field's limits: a value outside them is allowed. */
    readonly jsonSchema: JsonSchema;
  };
  readonly toText: (value: Value) => string;
  readonly sheet: Sheet;
  /** @returns a value for `toCell` to check; a text that is not a value of this kind is returned unchanged */
  readonly fromCell: (cell: string | boolean) => unknown;
  /** Reads the digits of a workbook's number for `toCell`, if `fromCell` would read them in another way. */
  readonly fromNumber?: (digits: string) => unknown;
  /** Reads a workbook's date for `toCell`. @param days since the beginning of 1970, with a fraction for the time */
  readonly fromDays?: (days: number) => unknown;
  /** Says more of a refused text than `fault` or `expected` does. Options of commands are like cells. */
  readonly explain?: (text: string, place: 'cell' | 'query' | 'json') => Explanation | undefined;
  /** @returns the value of a body that a text of any language probably stands for; by default the text */
  readonly suggest: (text: string) => unknown;
  readonly control: 'text' | 'numeric' | 'decimal' | 'date' | 'flag' | readonly string[];
}

/** @returns the cell, which is null for a value that clears the field, or what is wrong, by default `expected` */
export type ToCell = (value: unknown) => Cell | { readonly fault: PhraseName } | undefined;

/** Everything that depends on a field's kind; no other code distinguishes kinds. */
export interface Kind {
  readonly column: 'TEXT' | 'INTEGER';
  /** Whether the folded value is stored in a second column, so that filters and sorts ignore case and accents. */
  readonly folded?: true;
  readonly hasRanges?: true;
  /** Whether a value is several, which its cell has in lines: filters look for one of them, and no list is sorted or grouped by it. */
  readonly isList?: boolean;
  /** The phrase for an invalid value of a body, with `limits`. */
  readonly expected: PhraseName;
  /** The phrase for a cell of a table; `expected` by default. */
  readonly expectedInCell?: PhraseName;
  readonly limits?: (field: Field, words: ValueWords) => Readonly<Record<string, string | number>>;
  /** @returns checks a value of a body that is not null, and turns it into a cell */
  readonly toCell: (field: Field) => ToCell;
  readonly jsonSchema: (field: Field, words: ValueWords) => JsonSchema;
  readonly in: (field: Field, words: ValueWords) => Values;
}

export const within = ({ min, max }: Field, value: number | undefined): number | undefined =>
  value !== undefined && value >= min && value <= max ? value + 0 : undefined;
