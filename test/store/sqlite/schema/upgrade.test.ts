/** A process of a newer version starts beside an older one, which serves meanwhile. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { integer } from '../../../../src/gateway/model/fields.ts';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { carsWith } from '../../../support/cars/catalogue.ts';
import { cars, createCar, createMany, queryOf, remove } from '../../../support/conformance/fixtures.ts';
import { openForTest } from '../../../support/database/database.ts';
import { summarize } from '../../../support/database/reads.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const indexed = carsWith({ doors: integer({ min: 0, max: 20, indexed: true }) });

test('a new index is made and told of while another process writes, and nothing that it writes is lost', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const old = await openForTest(url);
  await createMany(old);
  const before = (await summarize(old, cars, [], queryOf(cars, {})))?.total ?? 0;
  await remove(old, cars, ['car-0']);

  const lines: string[] = [];
  const writes = Array.from({ length: 200 }, (_, at) => createCar(old, `new-${at}`));
  const newer = await openStore(url, indexed, { report: (line) => lines.push(line) });
  onTestFinished(() => newer.close());
  expect(new Set((await Promise.all(writes)).map(({ kind }) => kind))).toEqual(new Set(['written']));
  expect(lines).toEqual([expect.stringMatching(/cars\.db: the upgrade makes the index "cars_doors"$/)]);
  expect((await summarize(newer, cars, [], queryOf(cars, {})))?.total).toBe(before - 1 + writes.length);
});
