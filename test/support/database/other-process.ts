/** Another process on one database file: creates the cars whose keys it is told, and says so once they are written. */

import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { createCar } from '../conformance/fixtures.ts';

const store = await openStore(process.argv[2] ?? '', catalogue);
process.on('message', async (key: string) => {
  process.send?.((await createCar(store, key)).kind);
});
process.send?.('open');
