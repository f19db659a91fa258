import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { readOptions } from '../../src/transfer/options.ts';

const FROM = ['--from', 'sqlite:a.db'];
const TO = ['--to', 'postgres://user:secret@db.example:5433/cars'];
const [, from] = FROM;
const [, to] = TO;

test.each([
  [[...FROM, ...TO], { from, to, replace: false }],
  [[...TO, '--replace', ...FROM], { from, to, replace: true }],
  [[`--from=${from}`, `--to=${to}`], { from, to, replace: false }],
  [
    ['--from', 'postgresql://db/x', '--to', 'sqlite:///x'],
    { from: 'postgresql://db/x', to: 'sqlite:///x', replace: false },
  ],
  [['--help'], undefined],
  [['--from', 'x', '--help'], undefined],
])('%j', (args, options) => expect(readOptions(args)).toEqual(options));

const faultsOf = (args: readonly string[]): readonly string[] => {
  try {
    readOptions(args);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('refuses, by name and without a value', () => {
  test.each([
    [[], ['--from: is missing', '--to: is missing']],
    [FROM, ['--to: is missing']],
    [[...FROM, '--to'], ['--to: is missing']],
    [[...FROM, ...TO, ...TO], ['--to: is given more than once']],
    [[...FROM, ...TO, '--force'], ['--force: is not an option']],
    [[...FROM, ...TO, '-r'], ['-r: is not an option']],
    [[...FROM, ...TO, '--replace=secret'], ['--replace: takes no value']],
    [[...FROM, ...TO, 'postgres://u:secret@h/d'], ['an argument stands without its option']],
    [
      [...FROM, '--tp', ...TO.slice(1)],
      ['--tp: is not an option', 'an argument stands without its option', '--to: is missing'],
    ],
    [[...FROM, '--to', 'mysql://u:secret@h/d'], ['--to: must be "sqlite:<path>" or "postgres://…"']],
    [[...FROM, '--to', 'postgres://u:secret@h:port/d'], ['--to: must be "sqlite:<path>" or "postgres://…"']],
    [[...TO, '--from', 'a.db'], ['--from: must be "sqlite:<path>" or "postgres://…"']],
    [[...TO, '--from', ''], ['--from: must be "sqlite:<path>" or "postgres://…"']],
    [[...TO, '--from', 'sqlite::memory:'], ['--from: must be a database that lasts, not in memory']],
    [[...FROM, '--to', 'sqlite://:memory:'], ['--to: must be a database that lasts, not in memory']],
  ])('%j', (args, faults) => {
    const found = faultsOf(args);
    expect(found).toEqual([...faults, 'npm run transfer -- --help tells what there is']);
    expect(found.join()).not.toContain('secret');
  });
});
