/**
 * Makes `test/data/catalogues/catalogue-v<version>.db` and the dump `catalogue-v<version>.sql` of PostgreSQL, once for each version of the
 * schema; `node test/support/database/make-catalogue-file.ts` after a new one. A file that is there already is never made again:
 * it is what an older version really wrote.
 */
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Idempotency } from '../../../src/gateway/model/precondition.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { StoredApiKey } from '../../../src/store/clients.ts';
import { migrations } from '../../../src/store/sql/system-tables.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { cars, createCar, createOil, oils, remove, update } from '../conformance/fixtures.ts';
import { toCells } from './cells.ts';
import { dumped } from './installed-postgres.ts';

const folder = fileURLToPath(new URL('../../data/catalogues', import.meta.url));

/** `db` is a file of SQLite, `sql` a dump of PostgreSQL. */
type Kind = 'db' | 'sql';
export const fileOf = (version: number, kind: Kind): string => join(folder, `catalogue-v${version}.${kind}`);

/** @returns the versions of which there is a file of a kind */
export const versions = (kind: Kind): readonly number[] =>
  readdirSync(folder).flatMap(
    (name) => new RegExp(`^catalogue-v(\\d+)\\.${kind}$`).exec(name)?.slice(1).map(Number) ?? [],
  );

/** The rows that every file holds when `fill` is done, in the order of creation. */
export const filled = {
  cars: [
    {
      identifier: 'seat-ibiza-1',
      brand: 'Seat',
      model: 'Ibiza',
      year: 2008,
      doors: 3,
      enginePower: 105,
      version: '1.9 TDI Sport',
      clima: 1,
      ac: 0,
      fuel: 'Diésel',
    },
    { identifier: 'Citroën/C5 ñ', brand: 'Citro\u00ebn', model: 'C5', year: 1999, version: '', fuel: 'Gasolina' },
    { identifier: '汽车🚗', brand: 'Citroe\u0308n', model: 'Ami', doors: 0, enginePower: 0, clima: 0, ac: 1 },
    { identifier: 'back', brand: 'Škoda', model: 'Fabia', year: 2100 },
  ],
  oils: [
    { type: '5W-30', otherInfo: 'Sintético, según norma' },
    { type: '10W/40' },
    { type: 'Aceite nº 1', otherInfo: '' },
  ],
} as const;

/** A client's key, in dumps of version 2 and later. */
export const filledKey: StoredApiKey = {
  id: 'a0B1c2D3e4',
  name: 'The shop, señor',
  hash: '5e'.repeat(32),
  scopes: ['read', 'write'],
  created: 1_800_000_000_000,
  expires: 4_000_000_000_000,
};

/** With which the last car was created, in dumps of version 3 and later. */
export const filledOnce: Idempotency = {
  key: 'c7'.repeat(32),
  payload: 'd8'.repeat(32),
  receivedAt: 1_800_000_000_000,
  expires: 4_000_000_000_000,
};

/** Deletes and the item that came back use change numbers up. */
const fill = async (store: Store): Promise<void> => {
  const [seat, ...others] = filled.cars;
  await store.apiKeys.add(filledKey);
  await createCar(store, seat.identifier, { ...seat, doors: 5 });
  await createCar(store, 'gone', { brand: 'Lotus' });
  await createOil(store, 'gone', '5W-30');
  await createCar(store, 'back', { brand: 'Škoda', year: 1980 });
  await remove(store, cars, ['gone']);
  await remove(store, cars, ['back']);
  await update(store, cars, [seat.identifier], { doors: seat.doors });
  for (const car of others) await createCar(store, car.identifier, car, car === others.at(-1) ? filledOnce : undefined);
  for (const oil of filled.oils) await createOil(store, seat.identifier, oil.type, oil);
  await createOil(store, seat.identifier, 'gone');
  await remove(store, oils, [seat.identifier, 'gone']);
  await createOil(store, 'back', '5W-30');
};

export const filledCells = {
  cars: filled.cars.map((values) => toCells(cars, values)),
  oils: filled.oils.map((values) => toCells(oils, values)),
};

const makeFile = async (path: string): Promise<void> => {
  const store = await openStore(`sqlite:${path}.new`, catalogue);
  await fill(store);
  await store.close();
  renameSync(`${path}.new`, path);
};

const makeDump = async (path: string): Promise<void> => {
  const dump = await dumped(async (url) => {
    const store = await openStore(url, catalogue);
    await fill(store);
    await store.close();
  });
  writeFileSync(path, dump);
};

if (import.meta.main) {
  const [file, dump] = [fileOf(migrations.length, 'db'), fileOf(migrations.length, 'sql')];
  if (!existsSync(file)) await makeFile(file);
  if (!existsSync(dump)) await makeDump(dump);
}
