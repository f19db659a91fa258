import { afterEach, expect, test } from 'vitest';
import { calls, nameCommands } from '../../src/util/calls.ts';

afterEach(() => {
  delete calls.program;
});

test.each([
  ['hook a is suspended: HTTP 404; npm run hook -- resume a', 'hook a is suspended: HTTP 404; shop hook resume a'],
  ['Use a copy made by “npm run backup”.', 'Use a copy made by “shop backup”.'],
  ['npm run import -- --check', 'shop import --check'],
])('%j names the command as the program was started', (text, named) => {
  expect(nameCommands(text)).toBe(text);
  calls.program = 'shop';
  expect(nameCommands(text)).toBe(named);
});
