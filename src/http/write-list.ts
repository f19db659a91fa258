import type { Listing, Row } from '../store/port.ts';

/** Milliseconds after which a client that takes nothing more of a list loses it: its snapshot holds back the database. */
const STALLED = 30_000;

/** Lets other requests have their turn between two chunks. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A long list as a JSON array, written chunk by chunk as fast as the client reads. Where the database fails midway the
 * connection breaks; what arrived never ends as valid JSON.
 *
 * @param write an item's JSON text
 */
export const streamList = (chunks: Listing['chunks'], write: (row: Row) => string): ReadableStream<Uint8Array> => {
  let stalled: NodeJS.Timeout | undefined;
  let separator = '[';

  const stop = (): void => {
    clearTimeout(stalled);
    void chunks.return?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        await turn();
        try {
          const { done, value } = await chunks.next();
          if (done) {
            controller.enqueue(Buffer.from(separator === '[' ? '[]' : ']'));
            controller.close();
            return;
          }
          let text = '';
          for (const row of value) {
            text += separator + write(row);
            separator = ',';
          }
          controller.enqueue(Buffer.from(text));
          stalled = setTimeout(() => {
            stop();
            controller.error(new Error('the client stopped reading'));
          }, STALLED);
        } catch (error) {
          stop();
          throw error;
        }
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  );
};
