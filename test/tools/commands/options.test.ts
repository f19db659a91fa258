import { describe, expect, test } from 'vitest';
import { createSay } from '../../../src/tools/commands/command-error.ts';
import { readArguments, type Usage } from '../../../src/tools/commands/options.ts';
import { en } from '../../support/language/spoken.ts';

const say = createSay(en.language.commands);
const ANY: Usage['operands'] = [0, Number.POSITIVE_INFINITY];
const usage: Usage = { command: 'npm run x', flags: ['lenient'], options: ['language', 'list'], operands: ANY };
const withParameters: Usage = { ...usage, repeatable: 'all' };

/** Plain data of what was typed. */
const typed = (args: readonly string[], of: Usage) => {
  const { faults, operands, flags, options, parameters } = readArguments(args, of);
  expect(faults).toEqual([]);
  return [operands, [...flags], [...options], parameters];
};

test.each([
  [[], [], [], [], []],
  [['a.csv', 'b.csv'], ['a.csv', 'b.csv'], [], [], []],
  [['--lenient', 'a.csv'], ['a.csv'], ['lenient'], [], []],
  [
    ['--language', 'es', 'a.csv', '--list=oils'],
    ['a.csv'],
    [],
    [
      ['language', 'es'],
      ['list', 'oils'],
    ],
    [],
  ],
  [
    ['--marca', 'Seat', '--marca=a=b', '--x=', '--lenient'],
    [],
    ['lenient'],
    [],
    [
      ['marca', 'Seat'],
      ['marca', 'a=b'],
      ['x', ''],
    ],
  ],
  // Values that begin with a dash, and files that do.
  [
    ['--year', '-1', '-', '--y=--x'],
    ['-'],
    [],
    [],
    [
      ['year', '-1'],
      ['y', '--x'],
    ],
  ],
  [['--', '--lenient'], ['--lenient'], [], [], []],
  [
    ['--__proto__', 'x', '--constructor=y'],
    [],
    [],
    [],
    [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ],
  ],
])('%j', (args, ...parts) => expect(typed(args, withParameters)).toEqual(parts));

test.each([
  [['--help'], true],
  [['--lenient=x', '--zap', '--help'], true],
  [['-h'], false],
  [['--', '--help'], false],
])('help: %j', (args, isHelp) => expect(readArguments(args, usage).isHelp).toBe(isHelp));

test('the language is known whatever else is wrong', () => {
  expect(readArguments(['--zap', '--language', 'es', '--language'], usage).options.get('language')).toBe('es');
  expect(readArguments(['--zap', '--language=es', '--lenient=1'], usage).options.get('language')).toBe('es');
});

describe('faults', () => {
  test.each<readonly [readonly string[], Partial<Usage>, readonly string[]]>([
    [['--zap'], {}, ['“--zap” is not an option of this command.']],
    [['--zap', 'a.csv'], { operands: [1, 1] }, ['“--zap” is not an option of this command.']],
    [
      ['--zap=secret', '-r'],
      {},
      ['“--zap” is not an option of this command.', '“-r” is not an option of this command.'],
    ],
    [['--lenient=secret'], {}, ['--lenient takes no value.']],
    [['--list'], {}, ['--list needs a value.']],
    [['--list', '--lenient'], {}, ['--list needs a value.']],
    [['--marca'], { repeatable: 'all' }, ['--marca needs a value.']],
    [['--list=a', '--list', 'b', '--marca=a', '--marca=b'], { repeatable: 'all' }, ['--list can be given only once.']],
    [['--language', 'en', '--language=es'], {}, ['--language can be given only once.']],
    [['a'], { operands: [0, 0] }, ['“npm run x” takes nothing but options.']],
    [[], { operands: [1, 1] }, ['Name one file.']],
    [['a', 'b'], { operands: [1, 1] }, ['Name one file.']],
    [[''], { operands: [1, 1] }, ['Name one file.']],
    [[], { operands: [1, 2] }, ['Name the files to import.']],
  ])('%j', (args, more, faults) => {
    const of = { ...usage, ...more } as Usage;
    expect(readArguments(args, of).faults.map(([text, values]) => say(text, values))).toEqual(faults);
  });
});
