/** What README says of adding a field, done in a copy of the project: which tests then turn red, and that its command makes them green. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';

/** The one that has the cars’ fields on purpose: the schema of the tables. */
const RED = ['test/gateway/locale/tables/json-schema.test.ts'];

/** Not of the project, or made anew. */
const LEFT_OUT = /(?:^|\/)node_modules$|^(?:\.git|data|test\/client\/generated)$/;

const readme = readFileSync(join(project, 'README.md'), 'utf8');
const [, section = ''] = /\n## Add a field\n(.*?)\n## /s.exec(readme) ?? [];
/** The code of the section, in its order. */
const [, line = '', english = '', , spanish = '', , command = ''] = Array.from(
  section.matchAll(/`([^`]+)`/g),
  ([, code = '']) => code,
);

const edit = (file: string, pattern: RegExp, added: string): void => {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(pattern, (all, end: string) => all.slice(0, -end.length) + added + end);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
};

/** @returns a copy of the project with one more field */
const grown = (): string => {
  const copy = temporaryFolder();
  cpSync(project, copy, { recursive: true, filter: (file) => !LEFT_OUT.test(relative(project, file)) });
  for (const folder of ['', 'test', 'test/client']) {
    symlinkSync(join(project, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  }
  edit(join(copy, 'src/catalogue.ts'), /'cars',\n {4}\{.*?(\n {4}\},)/s, `\n      ${line},`);
  for (const [tag, word] of Object.entries({ en: english, es: spanish })) {
    edit(join(copy, `locales/${tag}.json`), /"fields": \{\s*"cars": \{[^}]*?(\s*\})/, `,\n      ${word}`);
  }
  return copy;
};

/** @returns the files of tests that fail, by their paths in the project */
const redOf = async (copy: string, ...args: readonly string[]): Promise<readonly string[]> => {
  const report = join(copy, 'report.json');
  const { PATH, HOME } = process.env;
  const child = spawn(
    process.execPath,
    [join(project, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`, ...args],
    { cwd: copy, env: { PATH, HOME }, stdio: 'ignore' },
  );
  await once(child, 'close');
  const { numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  expect(numTotalTests).toBeGreaterThan(0);
  const red = testResults.filter(({ status }: { status: string }) => status !== 'passed');
  return [...new Set<string>(red.map(({ name }: { name: string }) => relative(copy, name)))].sort();
};

test('a field that is added as README says turns one file red, until its command has renewed what it reads', async () => {
  const copy = grown();
  expect(await redOf(copy)).toEqual(RED);
  const [, , , ...args] = command.split(' ');
  expect(args).toContain('-u');
  expect(await redOf(copy, ...args)).toEqual([]);
  expect(await redOf(copy, ...RED)).toEqual([]);
  expect(readFileSync(join(copy, 'locales/locale.schema.json'), 'utf8')).toContain('colour');
});
