/** All that every store must do, of two workers that take turns: what one writes, the other one reads. On a server, too (`TEST_STORE=postgres`). */
import { join } from 'node:path';
import { catalogue } from '../../src/catalogue.ts';
import { openStore } from '../../src/host/service/open-store.ts';
import { importQueue, withImportQueue } from '../../src/store/imports/queue.ts';
import type { Store } from '../../src/store/store.ts';
import { storeConformance } from '../support/conformance/store-conformance.ts';
import { onServer, preparedDatabase } from '../support/database/database.ts';
import { temporaryFolder, type WhenOver } from '../support/process/folder.ts';
import { linked } from '../support/workers/linked.ts';

/** @returns each method of another one than the last */
const byTurns = (stores: readonly [Store, ...Store[]]): Store => {
  let turn = 0;
  return new Proxy(stores[0], { get: (first, name) => Reflect.get(stores[turn++ % stores.length] ?? first, name) });
};

const openWorkers = async (whenOver: WhenOver): Promise<Store> => {
  const url = onServer ? await preparedDatabase(whenOver) : `sqlite:${join(temporaryFolder(whenOver), 'catalogue.db')}`;
  const open = () => openStore(url, catalogue, { pool: 4 });
  const primary = await open();
  const [one, other] = linked(primary);
  if (!one || !other) throw new TypeError('two workers');
  const begun: Promise<unknown>[] = [];
  /** As a service does: no request is in flight any more. */
  const close = async (): Promise<void> => {
    await Promise.allSettled(begun);
    for (const { own } of workers) await own.close();
    await primary.close();
  };
  const workerOf = async ({ write, ready }: typeof one) => {
    const own = await open();
    const store: Store = {
      ...own,
      write: (intent) => {
        const written = write(intent);
        begun.push(written);
        return written;
      },
      importRows: withImportQueue(own.importRows, importQueue(1, 2)),
      ready: async () => (await own.ready()) && ready(),
      close,
    };
    return { own, store };
  };
  const workers = [await workerOf(one), await workerOf(other)] as const;
  return byTurns([workers[0].store, workers[1].store]);
};

storeConformance('of two workers', openWorkers);
