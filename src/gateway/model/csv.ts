export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type DelimiterName = keyof typeof delimiters;

export const delimiterNames = Object.keys(delimiters) as readonly DelimiterName[];

export const charsets = ['utf-8', 'windows-1252', 'iso-8859-15', 'utf-16le', 'utf-16be', 'us-ascii'] as const;
export type Charset = (typeof charsets)[number];

/** @returns the charset of a label (https://encoding.spec.whatwg.org/#names-and-labels); `undefined` for others */
export function findCharset(label: string): Charset | undefined {
  // The standard reads other bytes of such a file as windows-1252, which hides that it is mislabelled.
  if (/^\s*(?:us-)?ascii\s*$/i.test(label)) return 'us-ascii';
  try {
    const { encoding } = new TextDecoder(label);
    return charsets.find((charset) => charset === encoding);
  } catch {
    return undefined;
  }
}

/** The style of CSV files that spreadsheet programs in a language expect. */
export interface CsvStyle {
  readonly delimiter: DelimiterName;
  /** Without it, some programs assume an encoding other than UTF-8. */
  readonly byteOrderMark: boolean;
  /** The decimal mark; a point by default. */
  readonly decimals?: 'comma' | 'point' | undefined;
  /** Set if dates of the language may begin with the day; in English they may begin with the day or the month, so neither is read. */
  readonly dates?: 'day-first' | undefined;
}

export const PLAIN_CSV: CsvStyle = { delimiter: 'comma', byteOrderMark: false };
