/** From one file to another: what holds whatever the databases are. */
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { statement } from '../../../src/store/sql/statement.ts';
import { openRawDatabase } from '../../../src/tools/raw-database/raw-database.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { createCar } from '../../support/conformance/fixtures.ts';
import {
  dump,
  filledFile,
  fillWithMany,
  inFile,
  launchTransfer,
  moved,
  pathOf,
  serving,
  sqliteUrl,
  transferRefusal,
} from '../../support/database/transfer.ts';

const small = async (...identifiers: readonly string[]): Promise<string> => {
  const url = sqliteUrl();
  const store = await openStore(url, catalogue);
  for (const identifier of identifiers) await createCar(store, identifier);
  await store.close();
  return url;
};

describe('a transfer', () => {
  test('leaves the source as it was, and nothing beside it', async () => {
    const from = await filledFile();
    const before = readFileSync(pathOf(from));
    const to = sqliteUrl(join(dirname(pathOf(from)), 'new folder', 'catalogue.db'));
    const { sums } = await moved(from, to);
    expect(readFileSync(pathOf(from)).equals(before)).toBe(true);
    expect(await dump(to)).toEqual(await dump(from));
    expect(sums.map(({ table, count }) => [table, count])).toEqual([
      ['cars', 1110],
      ['oils', 4],
      ['_tombstones', expect.any(Number)],
      ['_totals', expect.any(Number)],
      ['_keys', 2],
      ['_idempotency', 1],
      ['_hooks', 0],
    ]);
    expect(await serving(to)).toBe('served');
  });

  test('of an empty catalogue ends with an empty catalogue', async () => {
    const [from, to] = [await small(), sqliteUrl()];
    await moved(from, to);
    expect(await dump(to)).toEqual(await dump(from));
    expect(await serving(to)).toBe('served');
  });

  test('that is begun again when it was over is refused', async () => {
    const [from, to] = [await filledFile(), sqliteUrl()];
    await moved(from, to);
    expect(await transferRefusal(from, to)).toMatch(/is not empty/);
    expect(await dump(to)).toEqual(await dump(from));
  });

  test('replaces what was there, where it is told to', async () => {
    const [from, to] = [await filledFile(), await small('other-1', 'other-2')];
    await moved(from, to, { replace: true });
    expect(await dump(to)).toEqual(await dump(from));
    expect(await serving(to)).toBe('served');
  });

  test.each([/^copying 500 /, /^copying .*of all/, /^indexing cars_model$/, /^comparing 500 /])(
    'that fails at %s leaves the target as it was, with what it had',
    async (at) => {
      const [from, empty, full] = [await filledFile(), sqliteUrl(), await small('other')];
      const before = await dump(full);
      const onLine = (line: string): void => {
        if (at.test(line)) throw new Error('enough');
      };
      expect(await transferRefusal(from, empty, { onLine })).toBe('enough');
      expect(await transferRefusal(from, full, { onLine, replace: true })).toBe('enough');
      expect(await dump(full)).toEqual(before);
      expect([await serving(empty), await serving(full)]).toEqual(['served', 'served']);
      await moved(from, empty);
      await moved(from, full, { replace: true });
      for (const to of [empty, full]) expect(await dump(to)).toEqual(await dump(from));
    },
  );
});

describe('a target that does not keep what it is given never passes for whole', () => {
  test.each([
    ["UPDATE cars SET version = 'other' WHERE identifier = 'many-7'", 'cars has rows that differ'],
    ["UPDATE cars SET _revision = 1 WHERE identifier = 'many-7'", 'cars has rows that differ'],
    ["DELETE FROM cars WHERE identifier = 'many-7'", 'cars has 1109 rows instead of 1110'],
    ['DELETE FROM oils', 'oils has 0 rows instead of 4'],
    ["UPDATE _tombstones SET number = number + 1 WHERE key = 'many-1099'", '_tombstones has rows that differ'],
    ["UPDATE _totals SET count = 0 WHERE value = 'seat'", '_totals has rows that differ'],
  ])('%s', async (sql, reason) => {
    const [from, to] = [await filledFile(), await small()];
    const before = await dump(to);
    // The keys of clients come after these tables.
    inFile(pathOf(to), `CREATE TRIGGER meddle AFTER INSERT ON _keys WHEN new.id = 'a' BEGIN ${sql}; END`);
    const said = await transferRefusal(from, to);
    expect(said).toContain(to);
    expect(said).toContain(reason);
    expect(await dump(to)).toEqual(before);
    inFile(pathOf(to), 'DROP TRIGGER meddle');
    await moved(from, to);
    expect(await dump(to)).toEqual(await dump(from));
  });
});

describe('a source that is written to meanwhile', () => {
  test('is read as it was when its snapshot began', async () => {
    const path = pathOf(await filledFile());
    await using link = await openRawDatabase(`sqlite:${path}`, catalogue, true);
    const count = (): Promise<readonly unknown[]> => link.rows(statement('SELECT count(*) FROM oils'));
    await link.snapshot(async () => {
      expect(await count()).toEqual([[4]]);
      inFile(path, 'DELETE FROM oils', 'UPDATE _change SET number = 5000');
      expect(await count()).toEqual([[4]]);
    });
    expect(await count()).toEqual([[0]]);
    await expect(link.rows(statement('DELETE FROM cars'))).rejects.toThrow(/readonly/);
  });

  test.each([/^copying 500 /, /^comparing 500 /])('at %s ends the transfer, and the next one succeeds', async (at) => {
    const [from, to] = [await filledFile(), sqliteUrl()];
    const onLine = (line: string): void => {
      if (at.test(line)) {
        inFile(
          pathOf(from),
          "UPDATE cars SET version = 'late', _version = 'late', _revision = 5000 WHERE identifier = 'many-1'",
          'UPDATE _change SET number = 5000',
        );
      }
    };
    const said = await transferRefusal(from, to, { onLine });
    expect(said).toMatch(/was written to during the transfer \(change \d+ is now 5000\)/);
    expect(await serving(to)).toBe('served');
    await moved(from, to);
    expect(await dump(to)).toEqual(await dump(from));
  });
});

/** A source and a target, and what is said of them. */
type Refused = readonly [what: string, make: () => Promise<readonly [from: string, to: string]>, reason: RegExp];

const changed = async (sql: string): Promise<string> => {
  const url = await small('a');
  inFile(pathOf(url), sql);
  return url;
};
const written = (text: string): string => {
  const url = sqliteUrl();
  writeFileSync(pathOf(url), text);
  return url;
};
const beside = (url: string, make: (path: string, other: string) => void): string => {
  const other = `${pathOf(url)}.other`;
  make(pathOf(url), other);
  return sqliteUrl(other);
};
const foreign = (): string => {
  const url = sqliteUrl();
  inFile(pathOf(url), 'CREATE TABLE cars (id)');
  return url;
};

const refused: readonly Refused[] = [
  ['a source that is not there', async () => [sqliteUrl(), sqliteUrl()], /there is no such file/],
  ['a source that is a folder', async () => [sqliteUrl(dirname(pathOf(sqliteUrl()))), sqliteUrl()], /is not a file/],
  ['a source that is a text', async () => [written('brand,model\n'.repeat(50)), sqliteUrl()], /not a database/],
  ['a source that is empty', async () => [written(''), sqliteUrl()], /contains no catalogue/],
  ['a source of another program', async () => [foreign(), sqliteUrl()], /another program/],
  [
    'a source of a newer version',
    async () => [await changed('PRAGMA user_version = 999'), sqliteUrl()],
    /newer version/,
  ],
  [
    'a source of an earlier catalogue',
    async () => [await changed('ALTER TABLE cars DROP COLUMN doors'), sqliteUrl()],
    /no such column: "?doors.*; start the service on it once/,
  ],
  [
    'the same file',
    async () => {
      const url = await small('a');
      return [url, url.replace('/catalogue.db', '/./catalogue.db')];
    },
    /are the same database/,
  ],
  [
    'the same file by a symbolic link',
    async () => {
      const url = await small('a');
      return [url, beside(url, symlinkSync)];
    },
    /are the same database/,
  ],
  [
    'the same file by another name',
    async () => {
      const url = await small('a');
      return [beside(url, linkSync), url];
    },
    /are the same database/,
  ],
  ['a target that is a text', async () => [await small('a'), written('hello')], /not a database/],
  ['a target of another program', async () => [await small('a'), foreign()], /another program/],
  [
    'a target of a newer version',
    async () => [await small('a'), await changed('PRAGMA user_version = 999')],
    /newer version/,
  ],
];

const numbered = (url: string): string => {
  inFile(pathOf(url), 'UPDATE _change SET number = 7');
  return url;
};

/** Only without `--replace`. */
const refusedUnlessTold: readonly Refused[] = [
  [
    'a target that is not empty',
    async () => [await small('a', 'b'), await small('c')],
    /is not empty \(its last change is number \d+\); --replace/,
  ],
  [
    'a target of which all was deleted',
    async () => [await small('a'), await changed('UPDATE _change SET number = 2')],
    /is not empty/,
  ],
  [
    'another target with the same change number',
    async () => [numbered(await small('a')), numbered(await small('b'))],
    /is not empty/,
  ],
];

const bytesOf = (url: string): string | undefined => {
  try {
    return createHash('sha256')
      .update(readFileSync(pathOf(url)))
      .digest('hex');
  } catch {
    return undefined;
  }
};

describe('refuses, and leaves both as they were', () => {
  test.each([
    ...refused.flatMap(([what, make, reason]) => [
      [what, make, reason, false] as const,
      [`${what}, even with --replace`, make, reason, true] as const,
    ]),
    ...refusedUnlessTold.map(([what, make, reason]) => [what, make, reason, false] as const),
  ])('%s', async (_, make, reason, replace) => {
    const [from, to] = await make();
    const before = [bytesOf(from), bytesOf(to)];
    const said = await transferRefusal(from, to, { replace });
    expect(said).toMatch(reason);
    expect(said).not.toContain('\n');
    expect([bytesOf(from), bytesOf(to)]).toEqual(before);
  });

  test.each(refusedUnlessTold)('%s, but not with --replace', async (_, make) => {
    const [from, to] = await make();
    await moved(from, to, { replace: true });
    expect(await dump(to)).toEqual(await dump(from));
    expect(await serving(to)).toBe('served');
  });
});

describe('the program', () => {
  test('killed at any moment leaves an empty target, and comes to its end when it is run again', async () => {
    const [from, to] = [sqliteUrl(), sqliteUrl()];
    await fillWithMany(pathOf(from), 10_000);
    for (const line of [/^from /m, /^indexing cars_brand$/m, /^comparing/m]) {
      const { child, wrote, exit } = launchTransfer('--from', from, '--to', to);
      await wrote(line);
      child.kill('SIGKILL');
      expect(await exit).toBe('SIGKILL');
      expect(await serving(to)).toBe('served');
      expect((await dump(to)).cars).toEqual([]);
    }
    const { exit, output } = launchTransfer('--from', from, '--to', to);
    expect([await exit, output()]).toEqual([0, expect.stringMatching(/^cars: 10000 rows, sha256 [0-9a-f]{64}$/m)]);
    expect(await dump(to)).toEqual(await dump(from));
  });

  test('tells what is wrong in a line, and exits with 2', async () => {
    const { exit, output } = launchTransfer('--from', sqliteUrl(), '--to', 'postgres://user:secret@127.0.0.1:1/cars');
    expect(await exit).toBe(2);
    expect(output()).toMatch(/^sqlite:\/.*: there is no such file\n$/);
  });
});
