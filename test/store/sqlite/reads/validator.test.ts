import { expect, test } from 'vitest';
import { catalogue } from '../../../../src/catalogue.ts';
import { sqlite } from '../../../../src/store/sql/dialects.ts';
import { sqlOf } from '../../../../src/store/sql/items.ts';
import type { Connection } from '../../../../src/store/sqlite/connection/connection.ts';
import { validatorOf } from '../../../../src/store/sqlite/reads/validator.ts';
import { cars } from '../../../support/conformance/fixtures.ts';

/** The cache asks before any handler runs: what is thrown there would end the process. */
test('a database that cannot be read knows nothing, and throws nothing', () => {
  const row = (): never => {
    throw new Error('database disk image is malformed');
  };
  const use = <T>(work: () => T): T => work();
  const validator = validatorOf({ row } as unknown as Connection, sqlOf(catalogue, sqlite), 'version', use);
  expect(validator.dataVersion()).toBeUndefined();
  expect(validator.lastChange()).toBeUndefined();
  expect(validator.revision(cars, ['a'])).toBeUndefined();
});
