import { describe, expect, test } from 'vitest';
import { readPreferences } from '../../../src/gateway/files/preferences.ts';
import { preferencesIn } from '../../../src/gateway/read/prefer.ts';
import { Problem } from '../../../src/gateway/texts/problem.ts';
import { cars, en } from '../../support/language/spoken.ts';

describe('Prefer', () => {
  const plain = (header: string) =>
    preferencesIn(header)?.map(({ name, value, parameters }) => [
      name,
      value,
      parameters.map((each) => [each.name, each.value]),
    ]);

  test.each([
    ['', []],
    [' , ,', []],
    ['handling=lenient', [['handling', 'lenient', []]]],
    ['Handling = Lenient', [['handling', 'Lenient', []]]],
    ['handling="lenient"', [['handling', 'lenient', []]]],
    ['a="b\\"c, d;e"', [['a', 'b"c, d;e', []]]],
    [
      'a=, b=""',
      [
        ['a', '', []],
        ['b', '', []],
      ],
    ],
    [
      'respond-async, wait=10',
      [
        ['respond-async', '', []],
        ['wait', '10', []],
      ],
    ],
    [
      'a=1, A=2',
      [
        ['a', '1', []],
        ['a', '2', []],
      ],
    ],
    [
      'a=1; B; c = "d" ;, e',
      [
        [
          'a',
          '1',
          [
            ['b', ''],
            ['c', 'd'],
          ],
        ],
        ['e', '', []],
      ],
    ],
    [
      'a; b=1; b=2',
      [
        [
          'a',
          '',
          [
            ['b', '1'],
            ['b', '2'],
          ],
        ],
      ],
    ],
    [',a\t;\tb', [['a', '', [['b', '']]]]],
    [
      'constructor=1, __proto__=2',
      [
        ['constructor', '1', []],
        ['__proto__', '2', []],
      ],
    ],
  ] as const)('%j is read as RFC 7240 says', (header, expected) => {
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
    expect(preferencesIn(header)).toBeUndefined();
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
      {
        ...nothing,
        isLenient: true,
        onDuplicate: 'merge',
        applied: 'handling=lenient, resolution=merge-duplicates',
      },
    ],
    ['resolution=replace-all', { ...nothing, onDuplicate: 'replace-all', applied: 'resolution=replace-all' }],
    ['absent-cells=clear', { reading: { clearsEmpty: true }, applied: 'absent-cells=clear' }],
    ['resolution=merge-duplicates', { reading: { clearsEmpty: false } }],
    ['resolution=replace-all', { reading: { clearsEmpty: true } }],
    [
      'columns="CV=enginePower; P.V.P.=;", ignore-unknown-columns',
      {
        reading: {
          columns: [
            ['CV', 'enginePower'],
            ['P.V.P.', undefined],
          ],
          ignoresUnknown: true,
        },
        applied: 'columns="CV=enginePower; P.V.P.=;", ignore-unknown-columns',
      },
    ],
    ['handling=lenient; max-rejected=5', { mostRejected: 5, applied: 'handling=lenient, max-rejected=5' }],
    ['handling=strict, max-rejected=5', { mostRejected: undefined, applied: 'handling=strict' }],
    [
      'skip-rows="Marca=TOTAL; Modelo="',
      {
        reading: {
          skips: [
            ['Marca', 'TOTAL'],
            ['Modelo', ''],
          ],
        },
        applied: 'skip-rows="Marca=TOTAL; Modelo="',
      },
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
    ['allow-deletions', nothing],
    [
      'resolution=merge-duplicates; allow-deletions',
      { ...nothing, onDuplicate: 'merge', applied: 'resolution=merge-duplicates' },
    ],
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
  const errorsOf = ({ errors }: Problem) =>
    errors.map(({ place, code, detail, suggestion }) => [place, code, detail.phrase, suggestion]);
  const Prefer = { header: 'Prefer' };

  test.each([
    ['handling=lenien', [[Prefer, 'invalid-header', 'preference-suggested', 'lenient']]],
    ['handling=LENIENT', [[Prefer, 'invalid-header', 'preference-suggested', 'lenient']]],
    ['handling=chekc', [[Prefer, 'invalid-header', 'preference-suggested', 'check']]],
    ['handling', [[Prefer, 'invalid-header', 'preference-unknown', undefined]]],
    ['resolution=merge', [[Prefer, 'invalid-header', 'preference-unknown', undefined]]],
    ['resolution=constructor', [[Prefer, 'invalid-header', 'preference-unknown', undefined]]],
    [
      'handling=strct, resolution=replace_all',
      [
        [Prefer, 'invalid-header', 'preference-suggested', 'strict'],
        [Prefer, 'invalid-header', 'preference-suggested', 'replace-all'],
      ],
    ],
    ['check', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=check']]],
    ['CHECK', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=check']]],
    ['check=true', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=check']]],
    ['mode=check', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=check']]],
    ['handlings=check', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=check']]],
    ['return=check', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=check']]],
    ['handlin=lenient', [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=lenient']]],
    ['allow-deletion', [[Prefer, 'invalid-header', 'preference-name-suggested', 'allow-deletions']]],
    ['foo=bar', [[Prefer, 'invalid-header', 'preference-name-unknown', undefined]]],
    ['handling=check; foo=bar', [[Prefer, 'invalid-header', 'preference-name-unknown', undefined]]],
    [
      'resolution=merge-duplicates; handling=check',
      [[Prefer, 'invalid-header', 'preference-name-suggested', 'resolution=merge-duplicates, handling=check']],
    ],
    [
      'return=minimal; handling=check',
      [[Prefer, 'invalid-header', 'preference-name-suggested', 'return=minimal, handling=check']],
    ],
    ['wait=10; check', [[Prefer, 'invalid-header', 'preference-name-suggested', 'wait=10, handling=check']]],
    [
      'handling=strict; check',
      [[Prefer, 'invalid-header', 'preference-name-suggested', 'handling=strict, handling=check']],
    ],
    ['handling=lenient, handling=check', [[Prefer, 'invalid-header', 'preference-repeated', undefined]]],
    ['sheet', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['sheet=" "', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['header-row', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['header-row=0', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['header-row=x', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['header-row=12345678', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['handling=lenient; max-rejected=x', [[Prefer, 'invalid-header', 'preference-name-unknown', undefined]]],
    ['max-rejected=-1', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['skip-rows=TOTAL', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['header-rows=4', [[Prefer, 'invalid-header', 'preference-name-suggested', 'header-row=4']]],
    ['date-as-years', [[Prefer, 'invalid-header', 'preference-name-suggested', 'date-as-year']]],
    ['columns', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['columns="year;brand=x"', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['columns="=year"', [[Prefer, 'invalid-header', 'preference-form', undefined]]],
    ['columns="A=anio"', [[Prefer, 'invalid-header', 'field-suggested', 'year']]],
    ['columns="A=color"', [[Prefer, 'invalid-header', 'field-unknown', undefined]]],
    ['columns="A=year; A=brand"', [[Prefer, 'invalid-header', 'preference-repeated', undefined]]],
    ['columns="A=year", columns="B=year"', [[Prefer, 'invalid-header', 'preference-repeated', undefined]]],
    ['column="A=year"', [[Prefer, 'invalid-header', 'preference-name-suggested', 'columns="A=year"']]],
    ['ignore-unknown-column', [[Prefer, 'invalid-header', 'preference-name-suggested', 'ignore-unknown-columns']]],
    ['allow-deletions=false', [[Prefer, 'invalid-header', 'preference-bare', undefined]]],
    ['resolution=replace-all; allow-deletions=false', [[Prefer, 'invalid-header', 'preference-bare', undefined]]],
    ['handling="check', [[Prefer, 'invalid-header', 'preferences-malformed', undefined]]],
  ])('%j is refused', (header, expected) => {
    const problem = refused(header);
    expect([problem.code, errorsOf(problem)]).toEqual(['invalid-header', expected]);
  });
});
