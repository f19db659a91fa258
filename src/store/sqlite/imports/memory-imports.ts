import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { isDry } from '../../imports/apply-plan.ts';
import { idempotencyOf, requestOf, stage } from '../../imports/stage.ts';
import type { Store } from '../../store.ts';
import { type Connection, withErrorMapping } from '../connection/connection.ts';
import { begin } from '../writes/writes.ts';
import { applyImport } from './apply-import.ts';
import { openPlanning } from './planning.ts';

/** Blocks the event loop while the rows are applied: there is only one connection. */
export const memoryImports = (main: Connection, catalogue: Catalogue): Store['importRows'] => {
  let count = 0;
  return async (collection, rows, options) => {
    const { onRejected, onProgress, note = () => '' } = options;
    const request = requestOf(collection, options);
    const { add, close, ...planning } = openPlanning(main, `import_${++count}`, catalogue, request, ({ row, error }) =>
      onRejected(row, error),
    );
    try {
      await stage(collection, rows, options, add);
      const work = { ...planning, idempotency: idempotencyOf(options), note };
      return withErrorMapping(() => {
        if (isDry(work)) main.exec('BEGIN');
        else begin(main);
        return applyImport(main, catalogue, work, (done) => onProgress?.('applying', done));
      });
    } finally {
      close();
    }
  };
};
