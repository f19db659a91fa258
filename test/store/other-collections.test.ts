/** A database whose catalogue is another one, or has changed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Catalogue, collection, defineCatalogue } from '../../src/gateway/model/catalogue.ts';
import { key } from '../../src/gateway/model/fields.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { catalogue, specsOf } from '../support/cars/catalogue.ts';
import { runHere } from '../support/commands/given.ts';
import { createCar, createOil } from '../support/conformance/fixtures.ts';
import { onServer, sharedDatabase } from '../support/database/database.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { launch } from '../support/process/service.ts';

const renamed = defineCatalogue(
  collection('vehicles', specsOf(catalogue, 'cars'), collection('lubricants', specsOf(catalogue, 'oils'))),
);
const withoutOils = defineCatalogue(collection('cars', specsOf(catalogue, 'cars')));

const opening = (database: string, of: Catalogue): Promise<string> =>
  openStore(database, of).then(
    async (store) => {
      await store.close();
      return 'opened';
    },
    (error: Error) => error.message.replace(/^.*(?:catalogue\.db|postgres:\S+): /, ''),
  );

const WHAT_TO_DO =
  'name the database that is meant, or its catalogue (CATALOGUE), or say in the catalogue what a renamed collection was (words are in the locale tables)';

test('collections that the catalogue lacks stop the start with their rows', async () => {
  const database = await sharedDatabase(false);
  const store = await openStore(database, catalogue);
  for (let at = 0; at < 1_001; at++) await createCar(store, `${at}`);
  await createOil(store, '0', '5W-30');
  await store.close();
  expect(await opening(database, renamed)).toBe(
    `has collections that this catalogue lacks: cars (rows: 1,001), oils (rows: 1); ${WHAT_TO_DO}`,
  );
  expect(await opening(database, withoutOils)).toBe(
    `has collections that this catalogue lacks: oils (rows: 1); ${WHAT_TO_DO}`,
  );
  expect(await opening(database, catalogue)).toBe('opened');
});

test('a table of the same name whose key is another one is another catalogue’s', async () => {
  const database = await sharedDatabase(false);
  const { identifier: _, ...fields } = specsOf(catalogue, 'cars');
  await (await openStore(database, defineCatalogue(collection('cars', { plate: key(), ...fields })))).close();
  expect(await opening(database, withoutOils)).toBe(
    'has cars without the key identifier, so another catalogue made it: name the database that is meant, or its catalogue (CATALOGUE)',
  );
});

test('the service and every command that reads the catalogue refuse such a database', async () => {
  const database = await sharedDatabase(false);
  await (await openStore(database, renamed)).close();
  const { exit, output } = launch({ env: { DATABASE_URL: database, PORT: '0' } });
  expect(await exit).toBe(1);
  expect(output()).toContain('vehicles (rows: 0), lubricants (rows: 0)');
  const file = join(temporaryFolder(), 'cars.csv');
  const commands = [
    ['src/tools/import-export/export-main.ts', file],
    ...(onServer ? [] : [['src/tools/verify/main.ts'] as const]),
    ['src/tools/api-keys/main.ts', 'list'],
  ] as const;
  for (const [main, ...args] of commands) {
    const [code, printed] = await runHere(main, args, { DATABASE_URL: database });
    expect([main, code, printed]).toEqual([main, 2, expect.stringContaining('vehicles (rows: 0)')]);
  }
});
