import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listRepresentations } from '../../../src/gateway/formats/formats.ts';
import type { Representation } from '../../../src/gateway/formats/representation.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import { findAcceptable } from '../../../src/gateway/read/accept.ts';
import { streamList, writeWhole } from '../../../src/gateway/write/list.ts';
import { chunked } from '../../support/database/reads.ts';
import { carWords } from '../../support/language/car-words.ts';
import { cars, en, es, oils } from '../../support/language/spoken.ts';

const csvFor = (tree: typeof en, accept: string, collection = cars): Representation => {
  const found = findAcceptable(accept, listRepresentations(tree.language, collection));
  if (found?.format.name !== 'csv') throw new TypeError(`${accept} is ${found?.format.name}`);
  return found;
};

const MARK = '\uFEFF';
const full: Row = [7, 'a-1', 'Citroën', 'C4', 2006, 5, 109, '1.6 "HDi"', 0, 1, 'Diésel'];
const bare: Row = [8, 'á/1', 'Seat', 'Ibiza', null, null, null, null, null, null, null];
const odd: Row = [9, ' a', 'a,b', 'a;b', 0, 0, 0, '', 1, 0, 'one\r\ntwo\tthree'];
const formulas: Row = [9, '=1+1', '+x', '-x', null, null, null, '@x', null, null, '=HYPERLINK("x";"y")'];
/** Formulas for a program that splits cells at another delimiter than the file has, or at every line break. */
const behind: Row = [9, 'a;=1', 'a\t+x', 'a,-x', null, null, null, 'a;b', null, null, 'a, b\n@x,＝y;z-1'];

const HEADER = `${carWords.en.join(',')}\r\n`;
const CABECERA = `${carWords.es.join(';')}\r\n`;

/** What is accepted in which tree, and a list of such a row. */
const written: readonly (readonly [tree: typeof en, accept: string, row: Row | undefined, text: string])[] = [
  [en, 'text/csv', undefined, HEADER],
  [es, 'text/csv', undefined, MARK + CABECERA],
  [en, 'text/csv', full, `${HEADER}a-1,Citroën,C4,2006,5,109,"1.6 ""HDi""",false,true,Diésel\r\n`],
  [es, 'text/csv', full, `${MARK}${CABECERA}a-1;Citroën;C4;2006;5;109;"1.6 ""HDi""";false;true;Diésel\r\n`],
  [en, 'text/csv', bare, `${HEADER}á/1,Seat,Ibiza,,,,,,,\r\n`],
  [es, 'text/csv', bare, `${MARK}${CABECERA}á/1;Seat;Ibiza;;;;;;;\r\n`],
  [en, 'text/csv', odd, `${HEADER}" a","a,b",a;b,0,0,0,"",true,false,"one\r\ntwo\tthree"\r\n`],
  [es, 'text/csv', odd, `${MARK}${CABECERA}" a";a,b;"a;b";0;0;0;"";true;false;"one\r\ntwo\tthree"\r\n`],
  [en, 'text/csv; delimiter=semicolon', bare, `${HEADER.replaceAll(',', ';')}á/1;Seat;Ibiza;;;;;;;\r\n`],
  [es, 'text/csv;delimiter=semicolon', bare, `${CABECERA}á/1;Seat;Ibiza;;;;;;;\r\n`],
  [es, 'TEXT/CSV; Delimiter="comma"; q=0.3', bare, `${CABECERA.replaceAll(';', ',')}á/1,Seat,Ibiza,,,,,,,\r\n`],
  [en, 'text/csv; delimiter=tab', bare, `${HEADER.replaceAll(',', '\t')}á/1\tSeat\tIbiza\t\t\t\t\t\t\t\r\n`],
  [en, 'text/csv', formulas, `${HEADER}=1+1,+x,-x,,,,@x,,,"=HYPERLINK(""x"";""y"")"\r\n`],
  [
    en,
    'text/csv; formulas=escaped',
    formulas,
    `${HEADER}"'=1+1","'+x","'-x",,,,"'@x",,,"'=HYPERLINK(""x"";""y"")"\r\n`,
  ],
  [
    es,
    'text/csv; formulas=escaped; delimiter=tab',
    formulas,
    `${CABECERA.replaceAll(';', '\t')}"'=1+1"\t"'+x"\t"'-x"\t\t\t\t"'@x"\t\t\t"'=HYPERLINK(""x"";""y"")"\r\n`,
  ],
  [en, 'text/csv', behind, `${HEADER}a;=1,a\t+x,"a,-x",,,,a;b,,,"a, b\n@x,＝y;z-1"\r\n`],
  [en, 'text/csv; formulas=escaped', behind, `${HEADER}"a;'=1","a\t'+x","a,'-x",,,,"a;b",,,"a, b\n'@x,'＝y;z-1"\r\n`],
  [en, 'text/csv; formulas=escaped', full, `${HEADER}a-1,Citroën,C4,2006,5,109,"1.6 ""HDi""",false,true,Diésel\r\n`],
];

describe('a list as CSV', () => {
  test.each(written)('%#: %s', (tree, accept, row, text) => {
    expect(writeWhole(csvFor(tree, accept).list, row ? [row] : [])).toBe(text);
  });

  test('of oils', () => {
    const rows: readonly Row[] = [
      [1, '5W-30', 'VW 504'],
      [2, '10W/40', null],
    ];
    expect(writeWhole(csvFor(en, 'text/csv', oils).list, rows)).toBe('type,otherInfo\r\n5W-30,VW 504\r\n10W/40,\r\n');
    expect(writeWhole(csvFor(es, 'text/csv', oils).list, rows)).toBe(
      `${MARK}tipo;otros_datos\r\n5W-30;VW 504\r\n10W/40;\r\n`,
    );
  });

  test('is streamed with one header', async () => {
    const { list } = csvFor(es, 'text/csv');
    const text = (chunks: readonly (readonly Row[])[]) =>
      // The mark, which `text()` would take away.
      new Response(streamList(chunked(chunks), list, () => {}))
        .arrayBuffer()
        .then((bytes) => Buffer.from(bytes).toString());
    expect(await text([[full], [], [bare, odd]])).toBe(writeWhole(list, [full, bare, odd]));
    expect(await text([])).toBe(MARK + CABECERA);
  });

  test('has a tag of its own in every form', () => {
    const forms = ['', ';delimiter=comma', ';delimiter=tab', ';formulas=escaped', ';delimiter=tab;formulas=escaped'];
    const marks = [en, es].flatMap((tree) => forms.map((form) => csvFor(tree, `text/csv${form}`).tagMark));
    expect(new Set(marks).size).toBe(marks.length);
    expect(marks.slice(0, 5)).toEqual(['en.csv', 'en.csv.comma', 'en.csv.tab', 'en.csv.escaped', 'en.csv.tab.escaped']);
    expect(csvFor(en, 'text/csv;formulas=escaped;delimiter=tab').tagMark).toBe('en.csv.tab.escaped');
  });
});

const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'",;\t\r\n=+-@\' \uFEFFñ😀\\') }),
  fc.string({ unit: 'grapheme' }),
);
const cell = fc.option(hostile, { nil: null });
const row = fc.tuple(
  fc.constant(1),
  hostile.filter((text) => text !== ''),
  hostile,
  hostile,
  fc.option(fc.integer(), { nil: null }),
  fc.constant(null),
  fc.constant(null),
  cell,
  fc.constantFrom(null, 0, 1),
  fc.constant(null),
  cell,
);

const asText = (cell: unknown, at: number): string => {
  if (cell === null) return '';
  return at === 7 ? String(cell === 1) : String(cell);
};

const FORMS = [
  ['text/csv; delimiter=comma', ','],
  ['text/csv; delimiter=semicolon', ';'],
  ['text/csv; delimiter=tab', '\t'],
] as const;

test.each(FORMS)('whatever is in the cells, another parser reads it back from %s', (accept, delimiter) => {
  const { list } = csvFor(es, accept);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const [, ...found] = parse(writeWhole(list, rows), { delimiter, record_delimiter: '\r\n' });
      expect(found).toEqual(rows.map(([, ...cells]) => cells.map(asText)));
    }),
    { numRuns: 200 },
  );
});
