import { expect, test } from 'vitest';
import { optionIn, readArguments } from '../../src/exchange/arguments.ts';

test.each([
  [[], [], []],
  [['a.csv', 'b.csv'], ['a.csv', 'b.csv'], []],
  [['--lenient', 'a.csv'], ['a.csv'], [['lenient', undefined]]],
  [['--language', 'es', 'a.csv'], ['a.csv'], [['language', 'es']]],
  [
    ['--language=es', '--lenient'],
    [],
    [
      ['language', 'es'],
      ['lenient', undefined],
    ],
  ],
  [
    ['--marca', 'Seat', '--marca=a=b', '--x='],
    [],
    [
      ['marca', 'Seat'],
      ['marca', 'a=b'],
      ['x', ''],
    ],
  ],
  // What has no value, and a value that begins with one dash.
  [
    ['--language', '--lenient'],
    [],
    [
      ['language', undefined],
      ['lenient', undefined],
    ],
  ],
  [['--language'], [], [['language', undefined]]],
  [['--year', '-1', '-'], ['-'], [['year', '-1']]],
  [['--', '--lenient'], ['--lenient'], []],
] as const)('%j', (args, files, options) => {
  expect(readArguments(args, ['lenient'])).toEqual({ files, options });
});

test('the last value of an option counts', () => {
  const args = readArguments(['--a', '1', '--a', '2', '--b'], []);
  expect(['a', 'b', 'c'].map((name) => optionIn(args, name))).toEqual(['2', undefined, undefined]);
});
