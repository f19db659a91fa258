import { catalogue } from '../../src/catalogue.ts';
import { openStore } from '../../src/store/open.ts';
import { emptyDatabase } from '../support/database.ts';
import { snapshotConformance, storeConformance } from '../support/store-conformance.ts';

const openNew = async () => openStore(await emptyDatabase(), catalogue);

storeConformance('on a server', openNew);
snapshotConformance('on a server', openNew, 10);
