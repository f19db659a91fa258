import { describe, expect, test } from 'vitest';
import type { Usage } from '../../../src/tools/commands/options.ts';
import { readOptions, TRANSFER_OPTIONS } from '../../../src/tools/transfer/options.ts';
import { argumentReader } from '../../support/commands/read-arguments.ts';

const FROM = ['--from', 'sqlite:a.db'];
const TO = ['--to', 'postgres://user:secret@db.example:5433/cars'];
const [, from] = FROM;
const [, to] = TO;

const usage: Usage = { command: 'npm run transfer', flags: ['replace'], options: TRANSFER_OPTIONS };

const { read, faultsOf } = argumentReader(usage, readOptions);

test.each([
  [[...FROM, ...TO], { from, to, replace: false }],
  [[...TO, '--replace', ...FROM], { from, to, replace: true }],
  [[`--from=${from}`, `--to=${to}`], { from, to, replace: false }],
  [
    ['--from', 'postgresql://db/x', '--to', 'sqlite:///x'],
    { from: 'postgresql://db/x', to: 'sqlite:///x', replace: false },
  ],
])('%j', (args, options) => expect(read(args)).toEqual(options));

const unknown = (option: string): string => `“${option}” is not an option of this command.`;
const invalid = (option: string): string => `${option} must be “sqlite:<path>” or “postgres://…”.`;
const passing = (option: string): string => `${option} must name a database that lasts, not one in memory.`;
const TLS =
  'Each parameter about TLS of --to must be one of ssl, sslcert, sslkey, sslmode (allow, prefer, require, verify-ca, disable, no-verify, verify-full), sslnegotiation, sslrootcert.';
const OPERAND = '“npm run transfer” takes nothing but options.';

describe('refuses, by name and without a value', () => {
  test.each([
    [[], ['--from is missing.', '--to is missing.']],
    [FROM, ['--to is missing.']],
    [[...FROM, '--to'], ['--to needs a value.']],
    [[...FROM, ...TO, ...TO], ['--to can be given only once.']],
    [[...FROM, ...TO, '--force'], [unknown('--force')]],
    [[...FROM, ...TO, '-r'], [unknown('-r')]],
    [[...FROM, ...TO, '--replace=secret'], ['--replace takes no value.']],
    [[...FROM, ...TO, 'postgres://u:secret@h/d'], [OPERAND]],
    [
      [...FROM, '--tp', ...TO.slice(1)],
      [unknown('--tp'), OPERAND],
    ],
    [[...FROM, '--to', 'mysql://u:secret@h/d'], [invalid('--to')]],
    [[...FROM, '--to', 'postgres://u:secret@h:port/d'], [invalid('--to')]],
    [[...FROM, '--to', 'postgres://u:secret@h/d?SSLMODE=verify-full'], [TLS]],
    [[...TO, '--from', 'a.db'], [invalid('--from')]],
    [[...TO, '--from', ''], [invalid('--from')]],
    [[...TO, '--from', 'sqlite::memory:'], [passing('--from')]],
    [[...FROM, '--to', 'sqlite://:memory:'], [passing('--to')]],
  ])('%j', (args, faults) => {
    const found = faultsOf(args);
    expect(found).toEqual(faults);
    expect(found.join()).not.toContain('secret');
  });
});
