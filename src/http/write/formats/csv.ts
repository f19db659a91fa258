import type { Language } from '../../../locale/language.ts';
import type { Collection } from '../../../model/catalogue.ts';
import { type CsvStyle, type DelimiterName, delimiterNames, delimiters } from '../../../model/csv.ts';
import type { Field, Value } from '../../../model/field.ts';
import { kindOf } from '../../../model/kinds/kinds.ts';
import type { ListFormat } from '../../../store/port.ts';
import { CSV_TYPE } from '../../headers.ts';
import { cellIndex, type Format, type ListRepresentation, selectionMark } from '../representation.ts';
import { fileHeaders } from './file.ts';

const CONTENT_TYPE = `${CSV_TYPE}; charset=utf-8; header=present`;
const LINE_BREAK = '\r\n';
const MARK = '\uFEFF';

/** The values of each parameter that a range of `Accept` may have, such as `text/csv; delimiter=tab`. */
const PARAMETERS = { delimiter: delimiterNames, formulas: ['escaped'] } as const;

interface Style extends CsvStyle {
  readonly areFormulasEscaped: boolean;
}

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * Where a spreadsheet program may begin to read a formula (https://owasp.org/www-community/attacks/CSV_Injection): where a text
 * begins, or a cell for a program that splits at another delimiter, and then knows no quotes.
 */
const FORMULAS = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;,\t\r\n])(?=[=+\-@＝＋－＠])/g;

/** @returns a function that writes a text as a cell (RFC 4180 §2); quotes tell an empty text from an absent value */
const textWriter = ({ delimiter, areFormulasEscaped }: Style): ((text: string) => string) => {
  // Some programs trim what is not in quotes.
  const quoted = areFormulasEscaped ? Object.values(delimiters).join('') : delimiters[delimiter];
  const special = new RegExp(`["\\r\\n${quoted}]|^$|^\\s|\\s$`);
  const write = (text: string): string => (special.test(text) ? inQuotes(text) : text);
  if (!areFormulasEscaped) return write;
  return (text) => {
    const escaped = text.replace(FORMULAS, "'");
    return escaped === text ? write(text) : inQuotes(escaped);
  };
};

/** Writes a header in the language's words, then a line for each row. Values other than texts are written as in filters. */
const listIn = (language: Language, collection: Collection, fields: readonly Field[], style: Style): ListFormat => {
  const { word } = language.fields(collection);
  const delimiter = delimiters[style.delimiter];
  const writeText = textWriter(style);
  const columns = fields.map((field) => {
    const { sheetType, filter } = kindOf(field);
    const write = sheetType === 'text' ? (value: Value) => writeText(String(value)) : filter.format;
    return { index: cellIndex(collection, field), write };
  });
  const header = fields.map(({ name }) => writeText(word(name))).join(delimiter);
  return {
    start: (style.byteOrderMark ? MARK : '') + header + LINE_BREAK,
    row: (row) => {
      let line = '';
      let isFirst = true;
      for (const { index, write } of columns) {
        const cell = row[index];
        if (!isFirst) line += delimiter;
        isFirst = false;
        if (cell !== null && cell !== undefined) line += write(cell);
      }
      return line + LINE_BREAK;
    },
    separator: '',
    end: '',
  };
};

/**
 * CSV (RFC 4180) in the style that spreadsheet programs of the language expect. Where `Accept` names a delimiter there is no
 * byte-order mark, because the client is then a program.
 */
export const csvFormat: Format<ListRepresentation> = (language, collection, whole) => {
  const make = (asked: ReadonlyMap<string, string>, fields = whole): ListRepresentation => {
    const delimiter = asked.get('delimiter') as DelimiterName | undefined;
    const style = {
      ...(delimiter === undefined ? language.csv : { delimiter, byteOrderMark: false }),
      areFormulasEscaped: asked.has('formulas'),
    };
    return {
      name: 'csv',
      type: CSV_TYPE,
      isKept: false,
      nests: false,
      headers: fileHeaders(language, collection, CONTENT_TYPE, 'csv'),
      tagMark:
        [language.tag, 'csv', ...Object.keys(PARAMETERS).flatMap((name) => asked.get(name) ?? [])].join('.') +
        selectionMark(collection, fields),
      select: (other) => make(asked, other.fields),
      list: listIn(language, collection, fields, style),
      variants: { parameters: PARAMETERS, make: (other) => make(other, fields), asked },
    };
  };
  return make(new Map());
};
