/** What stands between two cells of a row, as locale tables and `Accept` name it. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type DelimiterName = keyof typeof delimiters;

export const delimiterNames = Object.keys(delimiters) as readonly DelimiterName[];

/** What the spreadsheet programs of a language's readers expect of a CSV file that they open. */
export interface CsvStyle {
  readonly delimiter: DelimiterName;
  /** Without it, some take UTF-8 for an encoding of their own. */
  readonly byteOrderMark: boolean;
}

/** RFC 4180, for languages that say nothing else. */
export const PLAIN_CSV: CsvStyle = { delimiter: 'comma', byteOrderMark: false };
