import type { ListFormat, Listing, Row } from '../../store/port.ts';
import { inTurn } from './turns.ts';

/**
 * Writes a long list chunk by chunk, as fast as the client reads. Where the database fails midway, the connection breaks off,
 * so that a partial list never looks complete. The server's idle timeout disconnects a client that stops reading, which also
 * releases the list's snapshot.
 *
 * @param onFault called with the reason why a list broke off
 */
export const streamList = (
  chunks: Listing['chunks'],
  { start, row: write, separator, end }: ListFormat,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  let written = 0;
  let isCancelled = false;
  const textOf = (rows: readonly Row[]): Uint8Array => {
    let text = '';
    for (const row of rows) {
      text += (written > 0 ? separator : start) + write(row, written);
      written++;
    }
    return Buffer.from(text);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await inTurn(() => chunks.next());
          if (done) {
            controller.enqueue(Buffer.from(written > 0 ? end : start + end));
            controller.close();
            return;
          }
          const text = await inTurn(() => textOf(value));
          if (!isCancelled) controller.enqueue(text);
        } catch (error) {
          await chunks.return?.();
          // The client went away, which ended the list.
          if (isCancelled) return;
          onFault(error);
          controller.error(error);
        }
      },
      async cancel() {
        isCancelled = true;
        await chunks.return?.();
      },
    },
    { highWaterMark: 1 },
  );
};
