/** Delimiters of cells, as locale tables and `Accept` name them. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type DelimiterName = keyof typeof delimiters;

export const delimiterNames = Object.keys(delimiters) as readonly DelimiterName[];

/** The style of CSV files that spreadsheet programs in a language expect. */
export interface CsvStyle {
  readonly delimiter: DelimiterName;
  /** Without it, some programs assume an encoding other than UTF-8. */
  readonly byteOrderMark: boolean;
  /** What stands before decimals; a point by default. */
  readonly decimals?: 'comma' | 'point' | undefined;
  /** What a date may begin with beside the year, where that is so in the whole language; both days and months in English. */
  readonly dates?: 'day-first' | undefined;
}

/** RFC 4180, for languages that say nothing else. */
export const PLAIN_CSV: CsvStyle = { delimiter: 'comma', byteOrderMark: false };
