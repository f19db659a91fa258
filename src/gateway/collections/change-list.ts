/** What an import did, kept in a file until the client has read it: no import waits for a client. */
import { type UnnamedFile, unnamedFile } from '../../util/unnamed-file.ts';
import type { ItemChange } from '../model/import.ts';
import { Unavailable } from '../port/unavailable.ts';

/** Lists that clients read at a time, because each may take twice as much of a disk as the file that was imported. */
const MOST = 8;
let open = 0;

/** @param write of a change, which is a line. @throws Unavailable where too many are being read */
export const changeList = (write: (change: ItemChange) => string) => {
  if (open >= MOST) throw new Unavailable('imports');
  let file: UnnamedFile | undefined;
  let fault: unknown;
  let between = '';
  const close = async (): Promise<void> => {
    await file?.close();
    file = undefined;
  };
  return {
    /** What is stored stays stored where the list cannot be kept. */
    onChanges: async (changes: readonly ItemChange[]): Promise<void> => {
      if (fault !== undefined) return;
      try {
        if (!file) {
          file = unnamedFile(() => open--);
          open++;
        }
        let lines = '';
        for (const change of changes) {
          lines += `${between}\n${write(change)}`;
          between = ',';
        }
        await file.append(Buffer.from(lines));
      } catch (error) {
        fault = error;
        await close();
      }
    },
    /** Why there is no list. */
    fault: (): unknown => fault,
    /** For a list that nobody reads. */
    close,
    /** @returns the list after a text and before another one; `undefined` where there is none */
    within: (start: string, end: string): ReadableStream<Uint8Array> | undefined => {
      if (!file) return undefined;
      const edges = new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from(start)),
        flush: (controller) => controller.enqueue(Buffer.from(end)),
      });
      return file.read().pipeThrough(edges);
    },
  };
};
