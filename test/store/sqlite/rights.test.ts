/** A database that the user of the service may not write to, or not reach. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fillFile } from '../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { project } from '../../support/process/service.ts';

/** Root may write everywhere; the user `nobody` may not. */
const NOBODY = 65_534;
const other = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
/** Of what they compile, which is not theirs to read where root keeps it. */
const cache = temporaryFolder(afterAll);
chmodSync(cache, 0o777);
const asOther = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, {
    ...other,
    cwd: '/',
    env: { NODE_COMPILE_CACHE: cache },
    encoding: 'utf8',
    timeout: 60_000,
  });

const reason =
  process.platform === 'win32'
    ? ': this system has other rights'
    : asOther('-e', `process.chdir(${JSON.stringify(project)})`).status !== 0
      ? ': nobody but root can read the project'
      : '';

const OPEN = `
  const { openStore } = await import(${JSON.stringify(new URL('../../../src/host/service/open-store.ts', import.meta.url))});
  const { catalogue } = await import(${JSON.stringify(new URL('../../support/cars/catalogue.ts', import.meta.url))});
  const [location] = process.argv.slice(1);
  await openStore('sqlite:' + location, catalogue).then(
    (store) => store.close().then(() => console.log('opened')),
    (error) => console.log(error.name + ' ' + error.message),
  );
`;
const openedAsOther = (location: string): string =>
  asOther('--input-type=module', '-e', OPEN, '--', location).stdout.trim();

/** @returns a database in a folder that anybody may use */
const madeIn = async (): Promise<readonly [folder: string, file: string]> => {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  for (const each of [join(folder, '..'), folder]) chmodSync(each, 0o777);
  const file = join(folder, 'catalogue.db');
  await fillFile(`sqlite:${file}`);
  chmodSync(file, 0o666);
  return [folder, file];
};

describe.skipIf(reason)(`a database${reason}`, () => {
  test('that may be written to is opened', async () => {
    const [, file] = await madeIn();
    expect(openedAsOther(file)).toBe('opened');
  });

  test.each([
    ['in a folder that may not be written to', 0o555, 0o666, true],
    ['in a folder that may not be entered', 0o600, 0o666, true],
    ['that may only be read', 0o777, 0o444, false],
    ['that may not be read', 0o777, 0, false],
  ])('%s is refused with the path that is at fault', async (_, ofFolder, ofFile, isFolder) => {
    const [folder, file] = await madeIn();
    chmodSync(file, ofFile);
    chmodSync(folder, ofFolder);
    const found = openedAsOther(file);
    chmodSync(folder, 0o777);
    expect(found).toBe(`Error ${file}: this user may not write to ${isFolder ? folder : file} (EACCES)`);
  });

  test.each([
    ['tools/verify/main.ts', [], '“FILE” cannot be used (LACK).'],
    ['tools/api-keys/main.ts', ['list'], 'DATABASE_URL: FILE: LACK'],
    ['tools/backup/backup-main.ts', ['/tmp/never-made.db'], 'FILE could not be copied to /tmp/never-made.db: LACK'],
  ])('in a folder that may not be written to is told of by %s', async (program, args, line) => {
    const [folder, file] = await madeIn();
    chmodSync(folder, 0o555);
    const main = join(project, 'src', program);
    const env = { DATABASE_URL: `sqlite:${file}`, LC_ALL: 'en_US', NODE_COMPILE_CACHE: cache };
    const { stderr, status } = spawnSync(process.execPath, [main, ...args], { ...other, env, encoding: 'utf8' });
    const told = line.replace('FILE', file).replace('LACK', `this user may not write to ${folder} (EACCES)`);
    expect([stderr, status]).toEqual([`${told}\n`, 2]);
  });

  test('that is a text is told of as one, also where it may only be read', async () => {
    const [folder] = await madeIn();
    copyFileSync(new URL(import.meta.url), join(folder, 'text.db'));
    expect(openedAsOther(join(folder, 'text.db'))).toBe(`Error ${join(folder, 'text.db')}: file is not a database`);
  });
});
