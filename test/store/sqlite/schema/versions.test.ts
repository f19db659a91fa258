import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { givenOn } from '../../../support/commands/given.ts';
import { expectAllOfEarlier } from '../../../support/conformance/earlier.ts';
import { inFile } from '../../../support/database/files.ts';
import { catalogueFiles, currentVersion, fileOf } from '../../../support/database/make-catalogue-file.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

test('there is a file of the schema that is written today; else: node test/support/database/make-catalogue-file.ts', async () => {
  expect(catalogueFiles()).toContain(fileOf(await currentVersion(), 'db'));
});

test.each(catalogueFiles().map((file) => [basename(file), file] as const))(
  '%s opens with all that it contains, and goes on',
  async (_, file) => {
    const copy = join(temporaryFolder(), basename(file));
    copyFileSync(file, copy);
    const store = await openStore(`sqlite:${copy}`, catalogue);

    const indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1";
    expect(inFile(copy, indexes)).toEqual(
      [
        '_idempotency_expires',
        '_pauses',
        'cars__created',
        'cars_brand',
        'cars_identifier',
        'cars_model',
        'cars_revision',
        'cars_year',
        'oils__parent',
        'oils_revision',
      ].map((name) => ({
        name,
      })),
    );
    await expectAllOfEarlier(store);
    await store.close();
    expect(verify(givenOn(`sqlite:${copy}`))).toBe(0);
  },
);

test('version 0.1.0 is told that today’s file is newer, by what it looks at in the header', async () => {
  const path = join(temporaryFolder(), 'cars.db');
  await (await openStore(`sqlite:${path}`, catalogue)).close();
  expect(inFile(path, 'PRAGMA application_id')).toEqual([{ application_id: 0x43444c43 }]);
  const [{ user_version } = {}] = inFile(path, 'PRAGMA user_version') as readonly { readonly user_version?: number }[];
  expect(user_version).toBeGreaterThan(1);
});
