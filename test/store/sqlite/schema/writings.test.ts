import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { cars, createCar, readList } from '../../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

/** What an instance does that counts values, but not how they are written. */
const AS_OLDER = `DELETE FROM "_totals" WHERE "field" LIKE '=%' AND "value" IN ('SEAT', 'Ibiza')`;

test('writings that an older version has not counted are counted at the next start', async () => {
  const file = join(temporaryFolder(), 'cars.db');
  const older = await openStore(`sqlite:${file}`, catalogue);
  for (const [at, brand] of ['SEAT', 'Seat', 'SEAT'].entries()) await createCar(older, `car-${at}`, { brand });
  await older.close();
  const database = new DatabaseSync(file);
  expect(database.prepare(AS_OLDER).run().changes).toBe(2);
  const { count } = database.prepare(`SELECT count(*) AS count FROM "_totals" WHERE "field" LIKE '=%'`).get() ?? {};
  database.close();

  const store = await openStore(`sqlite:${file}`, catalogue);
  onTestFinished(() => store.close());
  const shown = async (group: string) => (await readList(store, cars, [], { group }))?.rows;
  expect([count, await shown('brand'), await shown('model')]).toEqual([1, [[0, 'SEAT', 3]], [[0, 'Ibiza', 3]]]);
});
