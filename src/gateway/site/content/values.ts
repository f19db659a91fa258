/** Values as the people of a language write them, on pages; what is written so can be read again. */
import { type Language, toQueryText } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';

/** @returns the locale whose numbers have the decimal sign that the language's files have, so that the API reads what is written */
function numberLocale({ tag, csv }: Language): string {
  const sign = csv.decimals === 'comma' ? ',' : '.';
  return [tag, 'es', 'en'].find((locale) => (0.5).toLocaleString(locale).includes(sign)) ?? 'en';
}

const isMoment = ({ kind }: Field): boolean => kind === 'date' || kind === 'timestamp';

function createMomentWriter({ tag, csv }: Language, { kind }: Field): (moment: Date) => string {
  const day = csv.dates === 'day-first' ? '2-digit' : 'numeric';
  const month = csv.dates === 'day-first' ? '2-digit' : 'short';
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;
  const options = { day, month, year: 'numeric', timeZone: 'UTC', ...(kind === 'timestamp' ? time : {}) } as const;
  const format = new Intl.DateTimeFormat(tag, options);
  return (moment) => format.format(moment);
}

/** @returns writes a value of a response, which is no list, flag or included item */
export function createValueWriter(
  language: Language,
  collection: Collection,
  field: Field,
): (value: unknown) => string {
  if (isMoment(field)) {
    const write = createMomentWriter(language, field);
    return (value) => write(new Date(String(value)));
  }
  const { isYear = false } = field;
  const { scale = field.scale ?? 0 } = language.valueWords(collection, field).measure ?? {};
  const options = { minimumFractionDigits: scale, maximumFractionDigits: scale, useGrouping: !isYear };
  const format = new Intl.NumberFormat(numberLocale(language), options);
  return (value) => (typeof value === 'number' ? format.format(value).replace('−', '-') : String(value));
}

/** @returns the parts of a date, in one order for all orders in which people write the name of a month */
const sortParts = (text: string): string => (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).sort().join(' ');

/** Finds the moment that is written as a text: its numbers say all but the month, whose names only the formatter knows. */
function readMoment(language: Language, field: Field, text: string): string | undefined {
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  if (numbers.length > 6) return undefined;
  const write = createMomentWriter(language, field);
  const isDate = field.kind === 'date';
  const read = language.csv.dates === 'day-first' ? (date: string) => date : sortParts;
  const [hour = 0, minute = 0] = isDate ? [] : numbers.slice(-2);
  const years = numbers.filter((number) => number > 99 && number < 10_000);
  const months = Array.from({ length: 12 }, (_, month) => month);
  const moment = years
    .flatMap((year) =>
      numbers.flatMap((day) => months.map((month) => new Date(Date.UTC(year, month, day, hour, minute)))),
    )
    .find((date) => read(write(date)) === read(text));
  return isDate ? moment?.toISOString().slice(0, 10) : moment?.toISOString();
}

/** @returns a text of people as a query has it; what is no value of the field stays as it is, and is refused by the API */
export function readPeople(language: Language, collection: Collection, field: Field, word: string, text: string) {
  const trimmed = text.trim();
  const moment = isMoment(field) ? readMoment(language, field, trimmed) : undefined;
  return moment ?? toQueryText(language, collection, word, trimmed);
}
