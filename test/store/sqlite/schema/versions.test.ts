import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { migrations } from '../../../../src/store/sql/system-tables.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { expectAllOfEarlier } from '../../../support/conformance/earlier.ts';
import { fillFile } from '../../../support/conformance/fixtures.ts';
import { inFile } from '../../../support/database/files.ts';
import { fileOf } from '../../../support/database/make-catalogue-file.ts';
import { smallDisk } from '../../../support/faults/small-disk.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const versionOf = (file: string): number =>
  Number((inFile(file, 'PRAGMA user_version') as readonly { readonly user_version: number }[])[0]?.user_version);
const tablesIn = (file: string): readonly unknown[] =>
  inFile(file, "SELECT name FROM sqlite_schema WHERE name IN ('_totals', '_limits')");
const carsIn = (file: string): readonly unknown[] => inFile(file, 'SELECT _created, _revision, identifier FROM cars');

const ofToday = fileOf(4, 'db');
const opened = async (file: string): Promise<readonly string[]> => {
  const said: string[] = [];
  const store = await openStore(`sqlite:${file}`, catalogue, { report: (line) => said.push(line) });
  await expectAllOfEarlier(store);
  await store.close();
  return said;
};

/** Keys were no words then. */
const WORDS = expect.stringMatching(/: the upgrade makes the index of words "cars_search"$/);

test('a file of an earlier version is copied before it is upgraded, which the log says; what nothing uses any more is gone', async () => {
  const file = join(temporaryFolder(), 'cars.db');
  copyFileSync(ofToday, file);
  // A service of version 4 that was killed has left its mark, and counts of clients beside the file.
  inFile(file, `PRAGMA application_id = ${0x63646c63}`, 'CREATE TABLE _limits (client TEXT)');
  writeFileSync(`${file}-limits`, '');
  const before = carsIn(file);
  const copy = `${file}.version-4`;
  expect(await opened(file)).toEqual([
    `${file}: was copied to ${copy} before its upgrade from version 4 of the schema to ${migrations.length}`,
    WORDS,
  ]);
  expect([versionOf(file), tablesIn(file), existsSync(`${file}-limits`)]).toEqual([migrations.length, [], false]);
  expect([versionOf(copy), tablesIn(copy).length, carsIn(copy)]).toEqual([4, 2, before]);
  rmSync(copy);
  await fillFile(`sqlite:${file}`);
  expect(existsSync(copy)).toBe(false);
});

test('a start that is killed in the middle of the upgrade is repeated by the next one', async () => {
  const file = join(temporaryFolder(), 'cars.db');
  copyFileSync(ofToday, file);
  writeFileSync(`${file}.version-4.part`, 'what a copy that was killed had written');
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('../../../../src/host/service/open-store.ts', import.meta.url))});
    const { catalogue } = await import(${JSON.stringify(new URL('../../../support/cars/catalogue.ts', import.meta.url))});
    await openStore(process.argv[1], catalogue, { report: () => process.kill(process.pid, 'SIGKILL') });
  `;
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script, `sqlite:${file}`]);
  expect([signal, versionOf(`${file}.version-4`)]).toEqual(['SIGKILL', 4]);
  expect(await opened(file)).toEqual([expect.stringContaining('.version-4 before its upgrade'), WORDS]);
  expect([versionOf(file), existsSync(`${file}.version-4.part`)]).toEqual([migrations.length, false]);
});

test('without room for the copy the start is refused, and the file stays as it was', async (context) => {
  const disk = smallDisk(context, '2m');
  const file = join(disk.folder, 'cars.db');
  copyFileSync(ofToday, file);
  const { bavail, bsize } = statfsSync(disk.folder);
  writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(bavail * bsize - 65_536));
  await expect(openStore(`sqlite:${file}`, catalogue)).rejects.toThrow(
    `${file}: cannot be copied to ${file}.version-4 before its upgrade: database or disk is full`,
  );
  expect([versionOf(file), readdirSync(disk.folder).toSorted()]).toEqual([4, ['cars.db', 'filler']]);
  rmSync(join(disk.folder, 'filler'));
  expect(await opened(file)).toEqual([expect.stringContaining('was copied to'), WORDS]);
});

test('version 0.1.0 is told that today’s file is newer, by what it looks at in the header', async () => {
  const path = join(temporaryFolder(), 'cars.db');
  await fillFile(`sqlite:${path}`);
  expect(inFile(path, 'PRAGMA application_id')).toEqual([{ application_id: 0x43444c43 }]);
  const [{ user_version } = {}] = inFile(path, 'PRAGMA user_version') as readonly { readonly user_version?: number }[];
  expect(user_version).toBeGreaterThan(1);
});
