import { describe, expect, test } from 'vitest';
import { KEY_OPTIONS, readKeyCommand } from '../../../src/tools/api-keys/commands.ts';
import { createSay } from '../../../src/tools/commands/command-error.ts';
import { readArguments, type Usage } from '../../../src/tools/commands/options.ts';
import { en } from '../../support/language/spoken.ts';

const usage: Usage = { command: 'npm run key', options: KEY_OPTIONS, operands: [0, Number.POSITIVE_INFINITY] };

const say = createSay(en.language.commands);
const read = (args: readonly string[]) => readKeyCommand({ ...readArguments(args, usage), say });

const create = { kind: 'create', name: 'Shop', scopes: ['read'], expires: undefined } as const;

test.each([
  [['create', '--name', 'Shop'], create],
  [['create', '--name=Shop ', '--scopes', 'write'], { ...create, scopes: ['write'] }],
  [['create', '--scopes=write,read', '--name', 'Shop'], { ...create, scopes: ['read', 'write'] }],
  [['create', '--name', 'Shop', '--expires', '2099-12-31'], { ...create, expires: Date.UTC(2100, 0, 1) }],
  [
    ['create', '--name', 'Shop', '--expires', '2099-12-31T12:00:00+01:00'],
    { ...create, expires: Date.UTC(2099, 11, 31, 11) },
  ],
  [['list'], { kind: 'list', operand: '' }],
  [['revoke', 'abc'], { kind: 'revoke', operand: 'abc' }],
])('%j', (args, command) => expect(read(args)).toEqual(command));

describe('refuses', () => {
  const COMMAND = 'The command must be one of: create, list, revoke, export, import.';
  const NAME = '--name must be one line of at most 100 characters.';
  const SCOPES = '--scopes must be one of: read | write | read,write.';
  const EXPIRES = '--expires must be a date to come, such as 2030-12-31.';
  test.each([
    [[], [COMMAND]],
    [['make'], [COMMAND]],
    [['constructor'], [COMMAND]],
    [['create'], ['--name is missing.']],
    [['create', '--name', ' '], [NAME]],
    [['create', '--name', 'a\nb'], [NAME]],
    [
      ['create', '--name', 'x'.repeat(101), '--scopes', 'all', '--expires', '31.12.2099'],
      [NAME, SCOPES, EXPIRES],
    ],
    [['create', '--name', 'Shop', '--scopes', ''], [SCOPES]],
    [['create', '--name', 'Shop', '--expires', '2020-01-01'], [EXPIRES]],
    [['create', '--name', 'Shop', '--expires', '2099-02-30'], [EXPIRES]],
    [['create', 'x', '--name', 'Shop'], ['“create” takes nothing but options.']],
    [['revoke'], ['“revoke” needs one <id>.']],
    [['revoke', 'a', 'b'], ['“revoke” needs one <id>.']],
  ])('%j', (args, faults) => expect(() => read(args)).toThrow(expect.objectContaining({ faults })));
});
