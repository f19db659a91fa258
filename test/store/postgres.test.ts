import { describe } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { openStore } from '../../src/store/open.ts';
import { emptyDatabase, noPostgres } from '../support/postgres.ts';
import { snapshotConformance, storeConformance } from '../support/store-conformance.ts';

const openNew = async () => openStore(await emptyDatabase(), catalogue);

describe.skipIf(noPostgres)(`PostgreSQL${noPostgres ? `: ${noPostgres}` : ''}`, () => {
  storeConformance('on a server', openNew);
  snapshotConformance('on a server', openNew, 10);
});
