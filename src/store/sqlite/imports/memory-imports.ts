import type { Catalogue } from '../../../model/catalogue.ts';
import { isDry } from '../../imports/dry-rows.ts';
import { openSpool } from '../../imports/spool.ts';
import { requestOf, stage } from '../../imports/stage.ts';
import type { Store } from '../../port.ts';
import { type Connection, withErrorMapping } from '../connection/connection.ts';
import { begin } from '../writes/writes.ts';
import { applyImport } from './apply-import.ts';

/** Nobody else is served while the rows are applied: there is one connection, which the event loop waits for. */
export const memoryImports =
  (main: Connection, catalogue: Catalogue): Store['importRows'] =>
  async (collection, rows, options) => {
    const spool = openSpool();
    try {
      await stage(collection, rows, options, spool.add);
      const { onRejected, onProgress, note = () => '' } = options;
      const work = { request: requestOf(collection, options), spool };
      return withErrorMapping(() => {
        if (isDry(work.request, spool)) main.exec('BEGIN');
        else begin(main);
        return applyImport(main, catalogue, work, {
          onRejected: ({ row, error }) => onRejected(row, error),
          onChunk: (done) => onProgress?.('applying', done),
          note,
        });
      });
    } finally {
      spool.close();
    }
  };
