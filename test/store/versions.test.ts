/** Databases that earlier versions wrote. */
import { expect, test } from 'vitest';
import { openStore } from '../../src/host/service/open-store.ts';
import { migrations } from '../../src/store/sql/system-tables.ts';
import { verify } from '../../src/tools/verify/verify.ts';
import { catalogue } from '../support/cars/catalogue.ts';
import { givenOn } from '../support/commands/given.ts';
import { expectAllOfEarlier, loadVersion } from '../support/conformance/earlier.ts';
import { cars, createCar, fillFile } from '../support/conformance/fixtures.ts';
import { onServer, openForTest } from '../support/database/database.ts';
import { inFile, pathOf } from '../support/database/files.ts';
import { filled, filledKey, filledOnce, versions } from '../support/database/make-catalogue-file.ts';
import { query } from '../support/database/postgres.ts';
import { getItem } from '../support/database/reads.ts';

test('there is one of the schema that is written today; else: node test/support/database/make-catalogue-file.ts', () => {
  expect(versions(onServer ? 'sql' : 'db')).toContain(migrations.length);
});

const INDEXES = [
  ...['_idempotency_expires', '_pauses', 'cars__created', 'cars_brand', 'cars_identifier', 'cars_model'],
  ...['cars_revision', 'cars_year', 'oils__parent', 'oils_revision'],
];

test.each(versions(onServer ? 'sql' : 'db'))(
  'one of version %i opens with all that it contains, and goes on',
  async (version) => {
    const url = await loadVersion(version);
    const store = await openStore(url, catalogue);
    if (onServer) expect(await store.apiKeys.all()).toEqual(version === 1 ? [] : [filledKey]);
    await expectAllOfEarlier(store);
    await store.close();
    if (onServer) return;
    const indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1";
    expect(inFile(pathOf(url), indexes)).toEqual(INDEXES.map((name) => ({ name })));
    expect(verify(givenOn(url))).toBe(0);
  },
);

test.runIf(onServer)('a result that version 3 has kept is that of the same request, sent again', async () => {
  const store = await openForTest(await loadVersion(3));
  const last = filled.cars.at(-1);
  const first = await getItem(store, cars, [last?.identifier ?? '']);
  expect(await createCar(store, 'another', {}, filledOnce)).toEqual({ kind: 'written', row: first, isUnchanged: true });
  expect(await getItem(store, cars, ['another'])).toBeUndefined();
});

test.runIf(onServer)('what triggers of version 3 kept of words is removed', async () => {
  const url = await fillFile(await loadVersion(3));
  const kept = `SELECT relname FROM pg_class WHERE relname ~ '_words|_numbers|_search$' UNION ALL SELECT proname FROM pg_proc WHERE proname LIKE 'cars%' UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`;
  expect(await query(url, kept)).toEqual([]);
});
