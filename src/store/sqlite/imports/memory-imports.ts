import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { idempotencyOf, listChanges, requestOf, stage } from '../../imports/stage.ts';
import type { Store } from '../../store.ts';
import { type Connection, withErrorMapping } from '../connection/connection.ts';
import { begin } from '../writes/writes.ts';
import { sqliteImport } from './imports.ts';

/** Blocks the event loop while the rows are applied: there is only one connection. */
export const memoryImports = (main: Connection, catalogue: Catalogue): Store['importRows'] => {
  let count = 0;
  return async (collection, rows, options) => {
    const { onRejected, onProgress } = options;
    const { add, apply, nextChanges, close } = sqliteImport(main, catalogue, `import_${++count}`, {
      request: requestOf(collection, options),
      onRejected: ({ row, error }) => onRejected(row, error),
      onDone: (done) => onProgress?.('applying', done),
    });
    try {
      await stage(collection, rows, options, add);
      const outcome = withErrorMapping(() => apply(idempotencyOf(options), () => begin(main)));
      await listChanges(outcome, options, nextChanges);
      return outcome;
    } finally {
      close();
    }
  };
};
