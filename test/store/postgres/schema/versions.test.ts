import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { expectAllOfEarlier } from '../../../support/conformance/earlier.ts';
import { cars, createCar, fillFile } from '../../../support/conformance/fixtures.ts';
import { emptyDatabase } from '../../../support/database/database.ts';
import {
  catalogueFiles,
  currentVersion,
  fileOf,
  filled,
  filledKey,
  filledOnce,
} from '../../../support/database/make-catalogue-file.ts';
import { query } from '../../../support/database/postgres.ts';
import { getItem } from '../../../support/database/reads.ts';

const load = async (file: string): Promise<string> => {
  const url = await emptyDatabase();
  await query(url, readFileSync(file, 'utf8'));
  return url;
};

test('there is a dump of the schema that is written today; else: node test/support/database/make-catalogue-file.ts', async () => {
  expect(catalogueFiles('sql')).toContain(fileOf(await currentVersion(), 'sql'));
});

test.each(catalogueFiles('sql').map((file) => [basename(file), file] as const))(
  '%s opens with all that it contains, and goes on',
  async (_, file) => {
    const url = await load(file);
    const store = await openStore(url, catalogue);
    expect(await store.apiKeys.all()).toEqual(file === fileOf(1, 'sql') ? [] : [filledKey]);
    await expectAllOfEarlier(store);
    await store.close();
  },
);

test('what triggers of version 3 kept of words is removed', async () => {
  const url = await load(fileOf(3, 'sql'));
  await fillFile(url);
  const kept = `SELECT relname FROM pg_class WHERE relname ~ '_words|_numbers|_search$' UNION ALL SELECT proname FROM pg_proc WHERE proname LIKE 'cars%' UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`;
  expect(await query(url, kept)).toEqual([]);
});

test('a result that version 3 has kept is that of the same request, sent again', async () => {
  const store = await openStore(await load(fileOf(3, 'sql')), catalogue);
  const last = filled.cars.at(-1);
  const first = await getItem(store, cars, [last?.identifier ?? '']);
  expect(await createCar(store, 'another', {}, filledOnce)).toEqual({ kind: 'written', row: first, isUnchanged: true });
  expect(await getItem(store, cars, ['another'])).toBeUndefined();
  await store.close();
});
