/** Another process that imports many rows, and says which step it is in. */
import { catalogue } from '../../../src/catalogue.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import { importLines } from '../conformance/imports/import-rows.ts';

const [database = '', count = '0'] = process.argv.slice(2);
const store = await openStore(database, catalogue);
const lines = Array.from({ length: Number(count) }, (_, at) => ({
  identifier: `import-${at}`,
  brand: 'Seat',
  model: 'Ibiza',
}));
const { outcome } = await importLines(store, lines, {
  chunk: 250,
  onProgress: (step, rows) => void process.send?.(`${step} ${rows}`),
});
process.send?.(outcome.kind);
await store.close();
process.disconnect?.();
