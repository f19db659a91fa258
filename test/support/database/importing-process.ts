/** Another process that imports many rows, says which step it is in, and sends itself a signal in one. */

import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../cars/catalogue.ts';
import { importLines } from '../conformance/imports/import-rows.ts';

const [database = '', count = '0', last, signal] = process.argv.slice(2);
const store = await openStore(database, catalogue);
const lines = Array.from({ length: Number(count) }, (_, at) => ({
  identifier: `import-${at}`,
  brand: 'Seat',
  model: 'Ibiza',
}));
const reach = (step: string): void => {
  process.send?.(step);
  if (step === last) process.kill(process.pid, signal);
};
const { outcome } = await importLines(store, lines, {
  chunk: 250,
  onProgress: (step, rows) => reach(`${step} ${rows}`),
  idempotency: () => ({ key: 'k', payload: 'p', receivedAt: 2e12, expires: 2e12 + 1 }),
});
reach(outcome.kind);
await store.close();
process.disconnect?.();
