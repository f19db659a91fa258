/** Which copies of a folder are kept, and which are deleted. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { listSuperfluous, nameCopy, readLastCopyTime } from '../../../src/host/settings/copies.ts';
import { backUp } from '../../../src/tools/backup/backup.ts';
import { givenOn, refusal, runCommand } from '../../support/commands/given.ts';
import { fillFile } from '../../support/conformance/fixtures.ts';
import { pathOf, sqliteUrl } from '../../support/database/files.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** @returns the names of copies of days, at three o'clock */
const on = (...days: readonly string[]): readonly string[] =>
  days.map((day) => `catalogue-${day.replaceAll('-', '')}T030000Z.db`);

/** @returns the days of copies of whole days that are kept */
const keptOf = (from: string, count: number): readonly string[] => {
  const days = Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10),
  );
  const gone = listSuperfluous(on(...days));
  return days.filter((day) => !gone.includes(on(day)[0] ?? ''));
};

describe('of a copy a day are kept', () => {
  test.each([
    [
      'all of the first seven',
      '2026-11-02',
      7,
      '2026-11-02 2026-11-03 2026-11-04 2026-11-05 2026-11-06 2026-11-07 2026-11-08',
    ],
    // 2026-11-08 is a Sunday.
    [
      'seven days, and the Sunday before',
      '2026-11-02',
      14,
      '2026-11-08 2026-11-09 2026-11-10 2026-11-11 2026-11-12 2026-11-13 2026-11-14 2026-11-15',
    ],
    [
      'seven days and four weeks, the one that has begun included',
      '2026-09-01',
      71,
      '2026-10-25 2026-11-01 2026-11-04 2026-11-05 2026-11-06 2026-11-07 2026-11-08 2026-11-09 2026-11-10',
    ],
    [
      'the last of a year as of any other',
      '2026-12-20',
      15,
      '2026-12-20 2026-12-27 2026-12-28 2026-12-29 2026-12-30 2026-12-31 2027-01-01 2027-01-02 2027-01-03',
    ],
    [
      'a leap day as any other',
      '2028-02-26',
      8,
      '2028-02-27 2028-02-28 2028-02-29 2028-03-01 2028-03-02 2028-03-03 2028-03-04',
    ],
  ])('%s', (_, from, count, kept) => {
    expect(keptOf(from, count).join(' ')).toBe(kept);
  });

  test('the last of each day, and of days that are far apart as many', () => {
    const day = ['catalogue-20261102T030000Z.db', 'catalogue-20261102T235959Z.db', 'catalogue-20261102T120000Z.dump'];
    expect(listSuperfluous(day).toSorted()).toEqual([day[0], day[2]]);
    const rare = on('2024-01-31', '2024-06-30', '2025-01-31', '2025-06-30', '2026-01-31', '2026-06-30', '2026-11-02');
    expect(listSuperfluous(rare)).toEqual([]);
    expect(listSuperfluous([...on('2023-01-01'), ...rare])).toEqual(on('2023-01-01'));
  });

  test('and nothing else is touched', () => {
    const others = ['catalogue.db', 'catalogue-20261102T030000Z.db.12.part', 'x-20261102T030000Z.db', 'notes.txt'];
    expect(listSuperfluous([...others, ...others])).toEqual([]);
  });
});

test('a copy has the time in its name, in UTC, by which the newest is found', () => {
  expect(nameCopy(new Date('2026-11-24T04:05:06.789+01:00'))).toBe('catalogue-20261124T030506Z.db');
  const folder = temporaryFolder();
  expect([readLastCopyTime(folder), readLastCopyTime(join(folder, 'none'))]).toEqual([0, 0]);
  for (const name of [
    'catalogue-20261124T030506Z.db',
    'catalogue-20261123T030506Z.dump',
    'catalogue-20991123T030506Z.db.unsound',
  ]) {
    writeFileSync(join(folder, name), '');
  }
  expect(readLastCopyTime(folder)).toBe(Date.UTC(2026, 10, 24, 3, 5, 6) / 1_000);
});

const filled = () => fillFile(sqliteUrl(), 'a');

const COPY = /^catalogue-\d{8}T\d{6}Z\.db$/;

test('a daily copy is made and verified, and those that are too old are deleted', async () => {
  const url = await filled();
  const folder = temporaryFolder();
  const old = on(
    '2020-01-01',
    '2020-01-02',
    '2020-01-03',
    '2020-01-04',
    '2020-01-06',
    '2020-01-13',
    '2020-01-20',
    '2020-01-27',
  );
  for (const name of old) writeFileSync(join(folder, name), '');
  const [code, printed] = await runCommand('src/tools/backup/backup-main.ts', [folder, '--daily'], {
    DATABASE_URL: url,
  });
  expect(code).toBe(0);
  const made = readdirSync(folder).filter((name) => !old.includes(name));
  expect(made).toEqual([expect.stringMatching(COPY)]);
  const copy = join(folder, made[0] ?? '');
  expect(printed.split('\n')).toEqual([
    `${copy}: copied, 1 MiB.`,
    `Nothing is wrong with sqlite:${copy}.`,
    ...on('2020-01-01', '2020-01-02').map((name) => `${join(folder, name)}: deleted.`),
    '',
  ]);
});

test('a copy with errors is put aside, and no other is deleted for it', async () => {
  const url = await filled();
  const database = new DatabaseSync(pathOf(url));
  database.exec(`INSERT INTO cars_search (cars_search) VALUES ('delete-all')`);
  database.close();
  const folder = temporaryFolder();
  const old = Array.from({ length: 12 }, (_, at) => on(`2020-01-${at + 10}`)[0] ?? '');
  for (const name of old) writeFileSync(join(folder, name), '');
  const given = givenOn(url, folder, ['daily']);
  expect(await backUp(given)).toBe(1);
  expect(given.printed.map((line) => line.split(' ')[0])).toEqual([
    'copied',
    'verify-words',
    'repair-hint',
    'copy-unsound',
  ]);
  expect(
    readdirSync(folder)
      .filter((name) => !name.endsWith('.unsound'))
      .toSorted(),
  ).toEqual(old);
  expect(readLastCopyTime(folder)).toBe(Date.UTC(2020, 0, 21, 3) / 1_000);
});

test('dumps are only thinned out; a folder that is not there is refused', async () => {
  const folder = temporaryFolder();
  const dumps = Array.from({ length: 12 }, (_, at) => `catalogue-202001${at + 10}T030000Z.dump`);
  for (const name of dumps) writeFileSync(join(folder, name), '');
  const url = 'postgres://u:p@db/cars';
  expect(await backUp(givenOn(url, folder, ['thin']))).toBe(0);
  // 2020-01-12 is a Sunday.
  expect(readdirSync(folder).toSorted()).toEqual([dumps[2], ...dumps.slice(5)]);
  expect(await refusal(backUp(givenOn(url, folder, ['daily'])))).toBe('server-backup');
  for (const flag of ['thin', 'daily']) {
    expect(await refusal(backUp(givenOn(await filled(), join(folder, 'none'), [flag])))).toBe('folder-missing');
  }
});
