import { compose, findAbbreviated, fold, LONGEST_SUGGESTED } from '../../../packages/vocabularies/src/words.ts';
import { readTag, tagField } from '../formats/row-tags.ts';
import { columnLetters } from '../formats/xlsx.ts';
import { unitKey, withUnits } from '../locale/language.ts';
import { type Collection, deletedField, deriveChanges, identifies } from '../model/catalogue.ts';
import type { Cell, Field } from '../model/field.ts';
import type { FileRow, NestedItems, RowError } from '../model/import.ts';
import { DELETED, keyId, TAG } from '../model/query.ts';
import { findUnit } from '../model/units.ts';
import { pointerTo } from '../read/body/members.ts';
import { type Sentence, sentence, truncate, unknownSentence } from '../texts/phrase.ts';
import { combineErrors, type LazyError, newErrors, Problem } from '../texts/problem.ts';
import { Column, cellText, fillCells, NOTE, normalizeText } from './cells.ts';
import type { ColumnChoice, FileReaders, FileSource, ReadingLine, TableCell, TableRecord } from './reader.ts';
import { malformed } from './text.ts';

/** @returns a header without case, accents, spaces and punctuation, in which similar ones are equal; empty for one that is no word */
function normalizeHeader(header: string): string {
  return header.length > LONGEST_SUGGESTED ? '' : fold(header.normalize()).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Finds values by their names, exactly or by a similar or shorter form of a name. If several have one name, the last counts. */
class Names<T> {
  readonly #exact: ReadonlyMap<string, T>;
  readonly #similar: ReadonlyMap<string, T>;

  constructor(names: readonly (readonly [name: string, T])[]) {
    this.#exact = new Map(names);
    this.#similar = new Map(names.map(([name, value]) => [normalizeHeader(name), value]));
  }

  find(word: string): T | undefined {
    const similar = normalizeHeader(word);
    const match = this.#exact.get(word) ?? (similar === '' ? undefined : this.#similar.get(similar));
    return match ?? findAbbreviated(word, this.#exact);
  }
}

/** A header that ends with a unit in brackets: `Potencia (kW)`, `power [kW]`. */
const IN_UNIT = /^([^[(]+)[[(]([^\])]+)[\])]$/;

/** A column that feeds a member of a nested list. */
class NestedColumn extends Column {
  readonly list: Collection;
  readonly field: Field;
  /** The member, as choices of columns call it. */
  readonly member: string;

  constructor({ language, collection, options }: FileSource, name: string, at: number, header: string) {
    const [list, field] = findNested(collection, name);
    super(language, list, field, at, options, header);
    this.list = list;
    this.field = field;
    this.member = `${language.paths(collection).word(list.name)}.${language.fields(list).word(field.name)}`;
  }
}

function findNested({ children }: Collection, name: string): readonly [Collection, Field] {
  for (const list of children) {
    for (const field of list.fields) if (`${list.name}.${field.name}` === name) return [list, field];
  }
  throw new TypeError(`no nested member "${name}"`);
}

/** The columns of the items of a nested list, one for each field: the first of a field belongs to the first item. */
interface NestedHeader {
  readonly list: Collection;
  readonly items: readonly (readonly (NestedColumn | undefined)[])[];
}

function groupNested(columns: readonly (Column | undefined)[]): readonly NestedHeader[] {
  const nested = columns.filter((column) => column instanceof NestedColumn);
  return [...Map.groupBy(nested, ({ list }) => list)].map(([list, all]) => {
    const byField = list.fields.map((field) => all.filter((column) => column.field === field));
    const length = Math.max(...byField.map((ofField) => ofField.length));
    return { list, items: Array.from({ length }, (_, at) => byField.map((ofField) => ofField[at])) };
  });
}

interface Header {
  readonly cells: readonly TableCell[];
  readonly columns: readonly (Column | undefined)[];
  readonly nested: readonly NestedHeader[];
  readonly fieldCount: number;
  /** Rows that are skipped: the index of a column, and the normalized text of its cell. */
  readonly skips: readonly (readonly [at: number, text: string])[];
  readonly problem?: Problem;
}

class HeaderReader {
  /** The columns that a file may have, in the order of the collection's fields, then the one that says what is deleted, and the one of tags. */
  readonly columns: readonly Column[];
  readonly #source: FileSource;
  readonly #names: Names<Column | undefined>;
  readonly #former;
  readonly #choices: Names<ColumnChoice>;
  readonly #patterns: readonly { readonly choice: ColumnChoice; readonly pattern: RegExp }[];

  constructor(source: FileSource) {
    const { language, collection, options } = source;
    const { fields } = collection;
    const columns = fields.map((field, at) => new Column(language, collection, field, at, options));
    const deleted = new Column(language, deriveChanges(collection), deletedField, columns.length);
    const byField = new Map(fields.map(({ name }, at) => [name, columns[at]]));
    const tag = new Column(language, deriveChanges(collection), tagField, columns.length + 1);
    this.columns = [...columns, deleted, tag];
    this.#source = source;
    // Words come last, so that they override canonical names, and these what people call a field.
    this.#names = new Names([
      [DELETED, deleted],
      [deleted.word, deleted],
      [TAG, tag],
      [tag.word, tag],
      ...language.headings(collection).map(([heading, name]) => [heading, byField.get(name)] as const),
      ...fields.map(({ name }, at) => [language.label(collection, name), columns[at]] as const),
      ...byField,
      ...columns.map((column) => [column.word, column] as const),
    ]);
    const former = [...language.fields(collection).former(), ...language.members.former()];
    this.#former = new Names(former.map((formerWord) => [formerWord.word, formerWord]));
    const choices = options.columns ?? [];
    this.#choices = new Names(choices.map((choice) => [choice[0], choice]));
    const numbered = choices.filter(([header, field]) => header.includes('*') && field?.includes('.'));
    this.#patterns = numbered.map((choice) => ({ choice, pattern: createNumberedPattern(choice[0]) }));
  }

  read(cells: readonly TableCell[], row: number): Header {
    const { language, collection, options } = this.#source;
    const errors = newErrors();
    const places = new Map<number, number>();
    const chosen = new Set<ColumnChoice>();
    const columns = cells.map((cell, at): Column | undefined => {
      const word = compose(cellText(cell));
      const choice = this.#findChoice(word);
      if (choice) chosen.add(choice);
      else if (word === '' || word.startsWith(NOTE)) return undefined;
      const column = this.#findNestedColumn(word, choice, cells) ?? this.#findColumn(word, choice);
      if (!column) {
        if (!choice && !options.ignoresUnknown) errors.add(this.#describeUnknown(word, at, row));
        return undefined;
      }
      const first = places.get(column.at);
      if (first === undefined) places.set(column.at, at);
      else {
        const values = { word: column.word, sent: word, column: columnLetters(at), other: columnLetters(first) };
        errors.add(columnError(word, sentence('column-repeated', values)));
      }
      return column;
    });
    for (const choice of options.columns ?? []) {
      if (!chosen.has(choice)) errors.add(describeAbsentColumn('columns', choice[0], row));
    }
    const skips = (options.skips ?? []).flatMap(([word, text]) => {
      const at = cells.findIndex((cell, place) => cellText(cell) === word || this.#isNamed(columns[place], cell, word));
      if (at === -1) errors.add(describeAbsentColumn('skip-rows', word, row));
      return at === -1 ? [] : [[at, normalizeText(text)] as const];
    });
    const header = { cells, columns, nested: groupNested(columns), fieldCount: places.size, skips };
    if (errors.count() === 0) return header;
    const detail = sentence('body-errors', { count: errors.count(), of: language.nouns(collection).of });
    return { ...header, problem: combineErrors(errors.listed, { code: 'invalid-body', detail }) };
  }

  /** Says what a column is, and why. @param at its index */
  explain(cell: TableCell, column: Column | undefined, at: number): ReadingLine {
    const word = compose(cellText(cell));
    const values = { column: columnLetters(at), header: truncate(word) };
    if (!column) return { text: 'explain-unread', values };
    const field = column instanceof NestedColumn ? column.member : column.word;
    if (this.#findChoice(word)) return { text: 'explain-chosen', values: { ...values, word: field } };
    const isSimilar = (name: string): boolean => normalizeHeader(name) === normalizeHeader(word);
    if (word === field || isSimilar(field)) return { text: 'explain-word', values: { ...values, word: field } };
    const { language, collection } = this.#source;
    const { name = '' } = collection.fields[column.at] ?? {};
    const headings = language.headings(collection).map(([heading]) => heading);
    const by = headings.find(isSimilar) ?? language.label(collection, name);
    return { text: 'explain-name', values: { ...values, word: field, by } };
  }

  #findChoice(word: string): ColumnChoice | undefined {
    const similar = normalizeHeader(word);
    return (
      this.#choices.find(word) ?? this.#patterns.find(({ pattern }) => similar !== '' && pattern.test(similar))?.choice
    );
  }

  #findNestedColumn(word: string, choice: ColumnChoice | undefined, cells: readonly TableCell[]) {
    const name = choice?.[1];
    if (!name?.includes('.')) return undefined;
    // Two columns with one name have one place, as two that are one field.
    const place = cells.findIndex((cell) => compose(cellText(cell)) === word);
    return new NestedColumn(this.#source, name, this.columns.length + place, word);
  }

  /** Without a column of this name, `power (kW)` is that of the power, in kilowatts. */
  #findColumn(word: string, choice: ColumnChoice | undefined): Column | undefined {
    const { fields } = this.#source.collection;
    if (choice) return this.columns[fields.findIndex(({ name }) => name === choice[1])];
    const [, start, unit = ''] = IN_UNIT.exec(word) ?? [];
    const base = start === undefined ? undefined : this.#findNamed(start);
    const field = base && fields[base.at];
    const other = field && findUnit(field, unit);
    return base && field && other ? this.#inUnit(base, field, other) : this.#findNamed(word);
  }

  #inUnit(column: Column, field: Field, unit: string): Column {
    const { language, collection, options } = this.#source;
    const inUnits = withUnits(language, new Map([...language.units, [unitKey(collection, field), unit]]));
    return new Column(inUnits, collection, field, column.at, options);
  }

  #findNamed(word: string): Column | undefined {
    const former = this.#former.find(word);
    const current = former && this.#source.language.formerLog.accepts(former) ? former.now : word;
    return this.#names.find(word) ?? this.#names.find(current);
  }

  #isNamed(column: Column | undefined, cell: TableCell, word: string): boolean {
    if (column) return this.#findColumn(word, undefined)?.at === column.at;
    return normalizeHeader(word) !== '' && normalizeHeader(cellText(cell)) === normalizeHeader(word);
  }

  #describeUnknown(word: string, at: number, row: number): LazyError {
    const { language, collection } = this.#source;
    const { of } = language.nouns(collection);
    const vocabulary = language.fields(collection);
    return () => {
      const suggestion = vocabulary.suggest(word) ?? vocabulary.suggest(normalizeHeader(word));
      const values = { word, column: columnLetters(at), row, of, known: vocabulary.nearest(word) };
      const detail = unknownSentence('column', values, suggestion);
      return { place: { pointer: pointerTo(word) }, code: 'unknown-field', detail, suggestion };
    };
  }
}

function columnError(word: string, detail: Sentence): LazyError {
  return () => ({ place: { pointer: pointerTo(word) }, code: 'malformed-file', detail });
}

function describeAbsentColumn(option: string, word: string, row: number): LazyError {
  return columnError(word, sentence('column-absent', { option, word, row }));
}

/** @returns a pattern of headers in which `*` is a number, or nothing */
const createNumberedPattern = (header: string): RegExp =>
  new RegExp(`^${header.split('*').map(normalizeHeader).join('\\d*')}$`);

/** If the first record names no field, one of so many behind it that names at least so many is probably the header. */
const [LOOK_AHEAD, LEAST_FIELDS] = [50, 2];

/** Converts the records of a file to rows. The first record that is not empty is the header, and empty records are skipped. */
class Table {
  readonly #source: FileSource;
  readonly #headers: HeaderReader;
  #header: Header | undefined;
  #fault: { readonly problem: Problem; readonly record: TableRecord } | undefined;
  /** For each column, whether it has a header but is no field. */
  #unread: readonly boolean[] = [];
  #blank: FileRow['cells'] = [];
  #required: readonly Column[] = [];

  constructor(source: FileSource) {
    this.#source = source;
    this.#headers = new HeaderReader(source);
  }

  read(records: readonly TableRecord[]): readonly FileRow[] {
    const rows: FileRow[] = [];
    for (const record of records) {
      const row = this.#header && this.#readRow(record, this.#header);
      if (row) rows.push(row);
      else if (!this.#header) this.#readHeader(record);
    }
    return rows;
  }

  end(): void {
    if (!this.#header) throw this.#fault?.problem ?? this.#describeEmpty();
  }

  #describeEmpty(): Problem {
    const { headerRow: row = 0 } = this.#source.options;
    return malformed(row > 0 ? sentence('header-empty', { row }) : sentence('file-empty', {}));
  }

  /** Takes a row as the header. If none of its cells names a field, a later one may be it. */
  #readHeader(record: TableRecord): void {
    const { headerRow = 0 } = this.#source.options;
    const cells = fillCells(record);
    if (record.number < headerRow || cells.every((cell) => cellText(cell) === '')) return;
    if (headerRow > 0 && record.number > headerRow) throw this.#describeEmpty();
    if (this.#fault) {
      // A title above says nothing of the delimiter.
      const split = cells.length === 1 ? cellText(cells[0]).split(/[,;\t]/) : cells;
      if (this.#headers.read(split, record.number).fieldCount >= LEAST_FIELDS) {
        throw describeLaterHeader(this.#fault.record, record.number);
      }
      if (record.number - this.#fault.record.number >= LOOK_AHEAD) throw this.#fault.problem;
      return;
    }
    const header = this.#headers.read(cells, record.number);
    const { of } = this.#source.language.nouns(this.#source.collection);
    const isNote = cellText(cells.find((cell) => cellText(cell) !== '')).startsWith(NOTE);
    const hasFields = header.fieldCount > 0;
    if (!hasFields && headerRow === 0 && isNote) return;
    const problem = header.problem ?? malformed(sentence('header-fieldless', { row: record.number, of }));
    if (!header.problem && hasFields) this.#begin(header);
    else if (hasFields || headerRow > 0) throw problem;
    else this.#fault = { problem: nameSheet(problem, record), record };
  }

  #begin(header: Header): void {
    const { collection, options } = this.#source;
    const { columns } = this.#headers;
    const { fields } = collection;
    const isCleared = fields.map(
      (_, at) => options.clearsEmpty === true && header.columns.some((column) => column?.at === at),
    );
    this.#header = header;
    this.#unread = header.cells.map((cell, at) => !header.columns[at] && cellText(cell) !== '');
    this.#blank = fields.map(({ isKey }, at) => (isCleared[at] && !isKey ? null : undefined));
    this.#required = columns.filter(({ at }) => isCleared[at] && fields[at]?.required);
  }

  #readRow(record: TableRecord, header: Header): FileRow | undefined {
    const { number } = record;
    if (isSkipped(record, header)) return undefined;
    const errors: RowError[] = [];
    const { cells, hasAny } = this.#readCells(record, header, errors);
    const extraCells = cells.length > this.#blank.length ? cells.splice(this.#blank.length) : [];
    const [deletion, tag] = extraCells;
    const revision = this.#readTag(cells, tag, errors);
    if (deletion === 1) return { ...this.#readDeletion(number, cells, errors), revision };
    for (const { at, word } of this.#required) if (cells[at] === null) errors.push(describeMissingField(word));
    if (!hasAny) return undefined;
    const nested =
      header.nested.length > 0 && header.nested.map((list) => this.#readNested(list, number, extraCells, errors));
    return { number, cells, errors, ...(revision !== undefined && { revision }), ...(nested && { nested }) };
  }

  /** @returns the cells of a row's fields and, behind them, those of its deletion, its tag and its nested items */
  #readCells({ number, cells: values, columns: places }: TableRecord, header: Header, errors: RowError[]) {
    const cells = [...this.#blank];
    let hasAny = false;
    let hasExcess = false;
    for (const [index, value] of values.entries()) {
      const place = places ? (places[index] ?? 0) : index;
      const column = header.columns[place];
      if (value === undefined || this.#unread[place] || (value === '' && !column)) continue;
      if (column) {
        const { cell, detail, isZoneless, meaning } = column.read(value);
        if (value !== '' && meaning !== '') hasAny = true;
        const field = this.#source.collection.fields[column.at]?.name;
        if (isZoneless && !detail && field !== undefined) this.#source.onZoneless?.(field, number, cellText(value));
        if (detail)
          errors.push({ column: column.word, code: 'invalid-value', value: truncate(cellText(value)), detail });
        if (detail || cell !== undefined) cells[column.at] = cell;
      } else if (!hasExcess) {
        // One error is enough: there may be a million such values.
        const text = truncate(cellText(value));
        errors.push({ code: 'malformed-file', value: text, detail: sentence('row-excess', { value: text }) });
        hasExcess = true;
        hasAny = true;
      }
    }
    return { cells, hasAny };
  }

  /** Reads the items of a nested list; without a column for their key, they are numbered. @param cells those behind the row's own */
  #readNested({ list, items }: NestedHeader, number: number, cells: FileRow['cells'], errors: RowError[]): NestedItems {
    const { language, collection } = this.#source;
    const listWord = language.paths(collection).word(list.name);
    const words = list.fields.map(({ name }) => `${listWord}.${language.fields(list).word(name)}`);
    const ids = new Set<string>();
    let count = 0;
    const rows = items.flatMap((columns) => {
      const values = columns.map((column) => column && (cells[column.at - this.#blank.length] ?? null));
      if (values.every((cell) => (cell ?? null) === null)) return [];
      const [key = String(++count), ...others] = values;
      const missing = list.fields.findIndex(({ required }, at) => required && ([key, ...others][at] ?? null) === null);
      if (missing !== -1 && errors.length === 0) errors.push(describeMissingField(words[missing] ?? ''));
      const id = keyId(list.key, String(key));
      if (ids.has(id) && errors.length === 0) {
        const column = columns[0]?.word ?? '';
        const detail = sentence('row-repeated', { word: column, key: String(key), row: number });
        errors.push({ column, code: 'already-exists', value: truncate(String(key)), detail });
      }
      ids.add(id);
      return [[key, ...others]];
    });
    return [list.routeId, rows];
  }

  /** @returns the revision that a row was made from, or adds an error if its tag is that of another row */
  #readTag(cells: FileRow['cells'], tag: Cell | undefined, errors: RowError[]): number | undefined {
    if (typeof tag !== 'string' || tag.trim() === '') return undefined;
    const revision = readTag(this.#source.collection, cells, tag);
    if (revision !== undefined) return revision;
    const { word: column = '' } = this.#headers.columns.at(-1) ?? {};
    const detail = sentence('tag-foreign', { word: column, value: truncate(tag) });
    errors.push({ column, code: 'invalid-value', value: truncate(tag), detail });
    return undefined;
  }

  #readDeletion(number: number, cells: FileRow['cells'], errors: readonly RowError[]): FileRow {
    const { fields } = this.#source.collection;
    const missing = this.#headers.columns
      .filter(({ at }) => fields[at] && identifies(fields[at]) && typeof cells[at] !== 'string')
      .map(({ word }) => describeMissingField(word));
    const keys = cells.map((cell, at) => (fields[at] && identifies(fields[at]) ? cell : undefined));
    const foreign = errors.filter(({ detail }) => detail.phrase === 'tag-foreign');
    return {
      number,
      cells: keys,
      errors: missing.length > 0 && errors.length > 0 ? errors : [...missing, ...foreign],
      isDeletion: true,
    };
  }
}

function isSkipped({ cells, columns }: TableRecord, { skips }: Header): boolean {
  return skips.some(([place, text]) => normalizeText(cells[columns ? columns.indexOf(place) : place]) === text);
}

function describeMissingField(word: string): RowError {
  return { code: 'missing-field', column: word, detail: sentence('field-missing', { word }) };
}

function describeLaterHeader({ number: row, sheet }: TableRecord, other: number): Problem {
  if (!sheet) return malformed(sentence('header-later', { row, other }));
  return malformed(sentence('header-later-sheet', { row, sheet: sheet.name, other }));
}

function nameSheet(problem: Problem, { number: row, sheet }: TableRecord): Problem {
  if (!sheet) return problem;
  const detail = sentence('header-sheet', { row, sheet: sheet.name, sheets: sheet.all });
  return new Problem('malformed-file', detail, problem);
}

async function* readRows(records: FileReaders['records'], source: FileSource) {
  const table = new Table(source);
  for await (const chunk of records(source)) yield table.read(chunk);
  table.end();
}

async function* readFromHeader(records: FileReaders['records'], source: FileSource) {
  const { headerRow = 0 } = source.options;
  const headers = new HeaderReader(source);
  const isHeader = (record: TableRecord): boolean =>
    headerRow > 0 ? record.number >= headerRow : headers.read(fillCells(record), record.number).fieldCount > 0;
  let hasBegun = false;
  for await (const chunk of records(source)) {
    const start = hasBegun ? 0 : chunk.findIndex(isHeader);
    if (start === -1) continue;
    hasBegun = true;
    yield chunk.slice(start);
  }
}

async function explainTable(records: FileReaders['records'], source: FileSource, rows: number) {
  const headers = new HeaderReader(source);
  const lines: ReadingLine[] = [];
  let header: Header | undefined;
  let rest = rows;
  for await (const chunk of readFromHeader(records, source)) {
    for (const record of chunk) {
      const cells = fillCells(record);
      if (cells.every((cell) => cellText(cell) === '')) continue;
      if (!header) {
        header = headers.read(cells, record.number);
        for (const [at, cell] of cells.entries()) {
          if (cellText(cell) !== '') lines.push(headers.explain(cell, header.columns[at], at));
        }
      } else if (!isSkipped(record, header)) {
        for (const [at, column] of header.columns.entries()) {
          if (column) lines.push(column.explain(cells[at], record.number, columnLetters(at), source.language));
        }
        if (--rest === 0) return lines;
      }
    }
  }
  return lines;
}

export function createTableReaders(records: FileReaders['records']): FileReaders {
  return {
    rows: (source) => readRows(records, source),
    records: (source) => readFromHeader(records, source),
    explain: (source, rows) => explainTable(records, source, rows),
  };
}
