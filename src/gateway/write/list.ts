import type { Found, ListFormat, Row } from '../port/port.ts';
import { scheduled } from './scheduler.ts';

/**
 * Writes a long list chunk by chunk, as fast as the client reads. Where the database fails midway, the connection breaks off,
 * so that a partial list never looks complete. The server's idle timeout disconnects a client that stops reading, which also
 * releases the list's snapshot.
 *
 * @param onFault called with the reason why a list broke off
 */
export const streamList = (
  { rows: first, rest }: Pick<Found, 'rows' | 'rest'>,
  { start, row: write, separator, end }: ListFormat,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  let unread: readonly Row[] | undefined = first;
  let written = 0;
  let isCancelled = false;
  /** @returns the next chunk; `undefined` after the last one */
  const next = async (): Promise<readonly Row[] | undefined> => {
    const rows = unread;
    unread = undefined;
    return rows && rows.length > 0 ? rows : (await rest?.next())?.value;
  };
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
          const rows = await scheduled(next);
          if (!rows) {
            controller.enqueue(Buffer.from(written > 0 ? end : start + end));
            controller.close();
            return;
          }
          const text = await scheduled(() => textOf(rows));
          if (!isCancelled) controller.enqueue(text);
        } catch (error) {
          await rest?.return?.();
          // The client went away, which ended the list.
          if (isCancelled) return;
          onFault(error);
          controller.error(error);
        }
      },
      async cancel() {
        isCancelled = true;
        await rest?.return?.();
      },
    },
    { highWaterMark: 1 },
  );
};
