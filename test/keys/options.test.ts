import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config.ts';
import { readCommand } from '../../src/keys/options.ts';

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
  [['list'], { kind: 'list' }],
  [['revoke', 'abc'], { kind: 'revoke', id: 'abc' }],
  [['revoke', `cardealer_0123456789_${'x'.repeat(32)}`], { kind: 'revoke', id: '0123456789' }],
  [['--help'], undefined],
  [['revoke', '--help'], undefined],
])('%j', (args, command) => expect(readCommand(args)).toEqual(command));

const faultsOf = (args: readonly string[]): readonly string[] => {
  try {
    readCommand(args);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('refuses', () => {
  const NAME = '--name: must be a text of at most 100 characters';
  const SCOPES = '--scopes: must be read or write, or both with a comma';
  const EXPIRES = '--expires: must be a date to come, such as 2030-12-31';
  test.each([
    [[], ['the command must be create, list, revoke']],
    [['make'], ['the command must be create, list, revoke']],
    [['constructor'], ['the command must be create, list, revoke']],
    [['create'], [NAME]],
    [['create', '--name'], [NAME]],
    [['create', '--name', ' '], [NAME]],
    [['create', '--name', 'a\nb'], [NAME]],
    [
      ['create', '--name', 'x'.repeat(101), '--scopes', 'all', '--expires', '31.12.2099'],
      [NAME, SCOPES, EXPIRES],
    ],
    [['create', '--name', 'Shop', '--scopes', ''], [SCOPES]],
    [['create', '--name', 'Shop', '--expires', '2020-01-01'], [EXPIRES]],
    [['create', '--name', 'Shop', '--expires', '2099-02-30'], [EXPIRES]],
    [['create', 'x', '--name', 'Shop'], ['create: takes no word']],
    [['list', '--name', 'Shop'], ['--name: is not an option of list']],
    [['revoke'], ['revoke: needs one <id>']],
    [['revoke', 'a', 'b'], ['revoke: needs one <id>']],
    [['create', '--name', 'Shop', '--force'], ['--force: is not an option of create']],
  ])('%j', (args, faults) => {
    expect(faultsOf(args)).toEqual([...faults, 'npm run key -- --help tells what there is']);
  });
});
