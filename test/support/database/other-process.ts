/** Another process on one database file: writes what it is told to, and says so once it is written. */

import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { type Change, changeIn } from './changes.ts';

const store = await openStore(process.argv[2] ?? '', catalogue);
process.on('message', async (change: Change) => {
  process.send?.((await changeIn(store, change)).kind);
});
process.send?.('open');
