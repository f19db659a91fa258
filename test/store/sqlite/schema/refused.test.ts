import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { fillFile } from '../../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const withDatabase = (path: string, sql: string): void => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};

/** What is at the path before it is opened, and what the message says beside it. */
const refused: readonly (readonly [what: string, make: (path: string) => void | Promise<void>, reason: RegExp])[] = [
  [
    'a database that a newer version wrote',
    async (path) => {
      await fillFile(`sqlite:${path}`, 'a');
      withDatabase(path, 'PRAGMA user_version = 999');
    },
    /newer version.*999/,
  ],
  ['the database of another program', (path) => withDatabase(path, 'CREATE TABLE cars (id)'), /another program/],
  [
    'the empty database of another program',
    (path) => withDatabase(path, 'PRAGMA application_id = 7; PRAGMA user_version = 1'),
    /another program/,
  ],
  [
    'the database of another program, with a write-ahead log',
    (path) => withDatabase(path, 'PRAGMA journal_mode = WAL; CREATE TABLE notes (id); INSERT INTO notes VALUES (1)'),
    /another program/,
  ],
  ['a text file', (path) => writeFileSync(path, 'brand,model\nSeat,Ibiza\n'.repeat(100)), /not a database/],
  ['a short text file', (path) => writeFileSync(path, 'hello'), /not a database/],
  ['a directory', (path) => void mkdirSync(path), /is not a file/],
];

/** Names and bytes of everything beside a path, and of itself. */
const hashOf = (path: string): string => {
  const hash = createHash('sha256');
  const folder = dirname(path);
  for (const name of readdirSync(folder).sort()) {
    const each = join(folder, name);
    hash.update(`${name}\0`).update(statSync(each).isFile() ? readFileSync(each) : 'folder');
  }
  return hash.digest('hex');
};

const opening = (path: string): Promise<string> =>
  openStore(`sqlite:${path}`, catalogue).then(
    async (store) => {
      await store.close();
      return 'opened';
    },
    (error: Error) => error.message,
  );

describe('refuses, naming the path, and leaves as it was', () => {
  test.each(refused)('%s', async (_, make, reason) => {
    const path = join(temporaryFolder(), 'catalogue.db');
    await make(path);
    const before = hashOf(path);
    const message = await opening(path);
    expect(message).toContain(path);
    expect(message).toMatch(reason);
    expect(message).not.toContain('\n');
    expect(hashOf(path)).toBe(before);
  });

  test('a folder that cannot be made, because a file stands in its place', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'text');
    const path = join(folder, 'file', 'below', 'catalogue.db');
    expect(await opening(path)).toContain(path);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('text');
  });

  test('a database whose lock another process holds for longer than a start should take', async () => {
    const path = join(temporaryFolder(), 'catalogue.db');
    await fillFile(`sqlite:${path}`, 'a');
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    expect(await opening(path)).toMatch(/locked/);
    other.exec('COMMIT');
    other.close();
    expect(await opening(path)).toBe('opened');
  });
});

test('an empty file is a new database', async () => {
  const path = join(temporaryFolder(), 'catalogue.db');
  writeFileSync(path, '');
  expect(await opening(path)).toBe('opened');
});
