import { describe, expect, test } from 'vitest';
import { readPreferences } from '../../../src/gateway/files/preferences.ts';
import { parsePreferences } from '../../../src/gateway/read/prefer.ts';
import { Problem } from '../../../src/gateway/texts/problem.ts';
import { cars, en } from '../../support/language/spoken.ts';

describe('Prefer', () => {
  /** In one line, with a value after each name. */
  const plain = (header: string) =>
    parsePreferences(header)?.map(({ name, value, parameters }) =>
      [{ name, value }, ...parameters].map((each) => `${each.name}=${each.value}`).join('; '),
    );

  test.each([
    ['', []],
    [' , ,', []],
    ['handling=lenient', ['handling=lenient']],
    ['Handling = Lenient', ['handling=Lenient']],
    ['handling="lenient"', ['handling=lenient']],
    ['a="b\\"c, d;e"', ['a=b"c, d;e']],
    ['a=, b=""', ['a=', 'b=']],
    ['respond-async, wait=10', ['respond-async=', 'wait=10']],
    ['a=1, A=2', ['a=1', 'a=2']],
    ['a=1; B; c = "d" ;, e', ['a=1; b=; c=d', 'e=']],
    ['a; b=1; b=2', ['a=; b=1; b=2']],
    [',a\t;\tb', ['a=; b=']],
    ['constructor=1, __proto__=2', ['constructor=1', '__proto__=2']],
  ])('%j is read as RFC 7240 says', (header, expected) => {
    expect(plain(header)).toEqual(expected);
  });

  test.each([
    '=a',
    'a b',
    'a="b',
    'a=b=c',
    'a=b"c"',
    'a=(b)',
    'ñ=1',
    'a;=b',
    `a="${'\\"'.repeat(5_000)}`,
    `${' '.repeat(9_000)}"`,
  ])('%.20j is malformed', (header) => {
    expect(parsePreferences(header)).toBeUndefined();
  });
});

describe('the preferences of an import', () => {
  const nothing = { isLenient: false, isCheck: false, onDuplicate: 'error', allowsDeletions: false, applied: '' };

  test.each([
    [null, nothing],
    ['respond-async, return=minimal, wait=10; safe, return=representation; include="http://a"', nothing],
    ['handling=check, handling=check', { ...nothing, isCheck: true, applied: 'handling=check' }],
    ['handling=strict', { ...nothing, applied: 'handling=strict' }],
    ['handling=check', { ...nothing, isCheck: true, applied: 'handling=check' }],
    ['resolution=ignore-duplicates', { ...nothing, onDuplicate: 'ignore', applied: 'resolution=ignore-duplicates' }],
    [
      'Resolution="merge-duplicates", HANDLING=lenient',
      { ...nothing, isLenient: true, onDuplicate: 'merge', applied: 'handling=lenient, resolution=merge-duplicates' },
    ],
    ['resolution=replace-all', { ...nothing, onDuplicate: 'replace-all', applied: 'resolution=replace-all' }],
    ['absent-cells=clear', { reading: { clearsEmpty: true }, applied: 'absent-cells=clear' }],
    ['resolution=replace-all', { reading: { clearsEmpty: true } }],
    [
      'columns="CV=enginePower; P.V.P.=;", ignore-unknown-columns',
      { reading: { columns: [['CV', 'enginePower'], expect.arrayContaining(['P.V.P.'])], ignoresUnknown: true } },
    ],
    ['handling=lenient; max-rejected=5', { mostRejected: 5, applied: 'handling=lenient, max-rejected=5' }],
    ['handling=strict, max-rejected=5', { applied: 'handling=strict' }],
    [
      'skip-rows="Marca=TOTAL; Modelo="',
      { reading: { skips: ['Marca=TOTAL', 'Modelo='].map((pair) => pair.split('=')) } },
    ],
    [
      'sheet="Año 2026", header-row=4; date-as-year',
      {
        reading: { sheet: 'Año 2026', headerRow: 4, takesDates: true },
        applied: 'sheet="Año 2026", header-row=4, date-as-year',
      },
    ],
    [
      'handling=lenient; columns="a=b=year"; ignore-unknown-columns',
      {
        reading: { columns: [['a=b', 'year']] },
        applied: 'handling=lenient, columns="a=b=year", ignore-unknown-columns',
      },
    ],
    ['allow-deletions', { applied: '' }],
    ['resolution=merge-duplicates; allow-deletions', { onDuplicate: 'merge', applied: 'resolution=merge-duplicates' }],
    ...['resolution=replace-all; allow-deletions', 'resolution=replace-all, allow-deletions'].map(
      (header) =>
        [
          header,
          {
            ...nothing,
            onDuplicate: 'replace-all',
            allowsDeletions: true,
            applied: 'resolution=replace-all; allow-deletions',
          },
        ] as const,
    ),
    [
      'resolution=replace-all, handling=check; allow-deletions',
      {
        isCheck: true,
        onDuplicate: 'replace-all',
        allowsDeletions: true,
        applied: 'handling=check, resolution=replace-all; allow-deletions',
      },
    ],
  ] as const)('are %j', (header, expected) => {
    expect(readPreferences(header, en.language, cars)).toMatchObject(expected);
  });

  const refused = (header: string) => {
    try {
      readPreferences(header, en.language, cars);
    } catch (error) {
      if (error instanceof Problem) return error;
    }
    throw new Error('not refused');
  };
  const said = (header: string) => {
    const { code, errors } = refused(header);
    return [code, ...errors.map(({ detail, suggestion }) => [detail.phrase, suggestion].filter(Boolean).join(' '))];
  };

  test.each([
    ['handling=lenien', 'preference-suggested lenient'],
    ['handling=LENIENT', 'preference-suggested lenient'],
    ['handling=chekc', 'preference-suggested check'],
    ['check', 'preference-name-suggested handling=check'],
    ['handling', 'preference-unknown'],
    ['resolution=merge', 'preference-unknown'],
    ['resolution=constructor', 'preference-unknown'],
    ['handling=strct, resolution=replace_all', 'preference-suggested strict', 'preference-suggested replace-all'],
    ['CHECK', 'preference-name-suggested handling=check'],
    ['check=true', 'preference-name-suggested handling=check'],
    ['mode=check', 'preference-name-suggested handling=check'],
    ['handlings=check', 'preference-name-suggested handling=check'],
    ['return=check', 'preference-name-suggested handling=check'],
    ['handlin=lenient', 'preference-name-suggested handling=lenient'],
    ['allow-deletion', 'preference-name-suggested allow-deletions'],
    ['foo=bar', 'preference-name-unknown'],
    ['handling=check; foo=bar', 'preference-name-unknown'],
    [
      'resolution=merge-duplicates; handling=check',
      'preference-name-suggested resolution=merge-duplicates, handling=check',
    ],
    ['return=minimal; handling=check', 'preference-name-suggested return=minimal, handling=check'],
    ['wait=10; check', 'preference-name-suggested wait=10, handling=check'],
    ['handling=strict; check', 'preference-name-suggested handling=strict, handling=check'],
    ['handling=lenient, handling=check', 'preference-repeated'],
    ['sheet', 'preference-form'],
    ['sheet=" "', 'preference-form'],
    ['header-row', 'preference-form'],
    ['header-row=0', 'preference-form'],
    ['header-row=x', 'preference-form'],
    ['header-row=12345678', 'preference-form'],
    ['handling=lenient; max-rejected=x', 'preference-name-unknown'],
    ['max-rejected=-1', 'preference-form'],
    ['skip-rows=TOTAL', 'preference-form'],
    ['header-rows=4', 'preference-name-suggested header-row=4'],
    ['date-as-years', 'preference-name-suggested date-as-year'],
    ['columns', 'preference-form'],
    ['columns="year;brand=x"', 'preference-form'],
    ['columns="=year"', 'preference-form'],
    ['columns="A=anio"', 'field-suggested year'],
    ['columns="A=color"', 'field-unknown'],
    ['columns="A=year; A=brand"', 'preference-repeated'],
    ['columns="A=year", columns="B=year"', 'preference-repeated'],
    ['column="A=year"', 'preference-name-suggested columns="A=year"'],
    ['ignore-unknown-column', 'preference-name-suggested ignore-unknown-columns'],
    ['allow-deletions=false', 'preference-bare'],
    ['resolution=replace-all; allow-deletions=false', 'preference-bare'],
    ['handling="check', 'preferences-malformed'],
  ])('%j is refused', (header, ...expected) => {
    expect(said(header)).toEqual(['invalid-header', ...expected]);
  });
});
