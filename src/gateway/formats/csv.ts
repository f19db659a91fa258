import { columnHeader, getValues } from '../locale/language.ts';
import { charsets, type DelimiterName, delimiterNames, delimiters } from '../model/csv.ts';
import type { Cell } from '../model/field.ts';
import { type Content, cellIndex, type Format, type ListFormat } from './representation.ts';
import { tagColumn } from './row-tags.ts';

const LINE_BREAK = '\r\n';
const MARK = '\uFEFF';

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Quotes tell an empty text from an absent value (RFC 4180 §2). @param quoted characters of texts in quotes */
export function createCellWriter(quoted: string): (text: string) => string {
  // Some programs trim what is not in quotes.
  const special = new RegExp(`["\\r\\n${quoted}]|^$|^\\s|\\s$`);
  return (text) => (special.test(text) ? inQuotes(text) : text);
}

/**
 * A spreadsheet program may begin to read a formula (https://owasp.org/www-community/attacks/CSV_Injection) where a text
 * begins, or a cell for a program that splits at another delimiter, and then knows no quotes.
 */
const FORMULAS = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;,\t\r\n])(?=[=+\-@＝＋－＠])/g;

const writeForOthers = createCellWriter(Object.values(delimiters).join(''));

function escapeFormulas(text: string): string {
  const escaped = text.replace(FORMULAS, "'");
  return escaped === text ? writeForOthers(text) : inQuotes(escaped);
}

/** Writes a header in the language's words, then a line for each row. Values other than texts are no formulas. */
function writeList({ language, collection, fields, typeParameters }: Content): ListFormat {
  const delimiterName = typeParameters.get('delimiter') as DelimiterName | undefined;
  // A client that names a delimiter is a program, which needs no byte-order mark.
  const { delimiter: name, byteOrderMark } = delimiterName
    ? { delimiter: delimiterName, byteOrderMark: false }
    : language.csv;
  const delimiter = delimiters[name];
  const writeText = typeParameters.has('formulas') ? escapeFormulas : createCellWriter(delimiter);
  const columns = fields.map((field) => {
    const { sheet, toText } = getValues(language, collection, field);
    const writeOther = (text: string): string => (text.includes(delimiter) ? inQuotes(text) : text);
    const writeCell = sheet.type === 'text' ? writeText : writeOther;
    const write = (cell: Cell): string => (cell === null ? '' : writeCell(toText(cell)));
    return { index: cellIndex(collection, field), write };
  });
  const tags = typeParameters.has('tags') ? tagColumn(language, collection) : undefined;
  const headings = fields.map((field) => columnHeader(language, collection, field));
  const header = [...headings, ...(tags ? [tags.heading] : [])].map(writeText).join(delimiter);
  return {
    start: (byteOrderMark ? MARK : '') + header + LINE_BREAK,
    row: (row) => {
      const line = columns.map(({ index, write }) => write(row[index] ?? null)).join(delimiter);
      return (tags ? line + delimiter + tags.write(row) : line) + LINE_BREAK;
    },
    separator: '',
    end: '',
  };
}

/** CSV (RFC 4180) in the style that spreadsheet programs of the language expect. */
export const csv: Format = {
  name: 'csv',
  type: 'text/csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  parameters: { delimiter: delimiterNames, formulas: ['escaped'], tags: ['present'] },
  isOfItems: false,
  isFile: true,
  nests: false,
  write: (content) => ({ list: writeList(content) }),
  reading: { charsets, cpuPerByte: 0.005 },
};
