/** Lists: whole, or chunk by chunk in turns with everything else. */
import type { Found, ListFormat, Row } from '../port/port.ts';

/** Milliseconds of a slice of work on lists; everything else runs between two slices. */
const BUDGET = 5;
/**
 * The most turns of the event loop between two slices. They go on until one is idle, because each turn accepts only one
 * connection (libuv).
 */
const ROUNDS = 16;
/** Milliseconds of an idle turn. */
const IDLE = 0.05;

/**
 * Shares the event loop between lists and everything else: work is queued, and each slice does as much of it as fits.
 *
 * @param now milliseconds of a clock
 * @returns a function that runs work in a later slice, in order, and returns its result
 */
export const scheduler = (now: () => number): (<T>(work: () => T) => Promise<Awaited<T>>) => {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(runSlice);
  };
  const letOthersRun = (rounds: number): void => {
    const begin = now();
    setImmediate(() => (rounds > 1 && now() - begin > IDLE ? letOthersRun(rounds - 1) : runSlice()));
  };
  const runSlice = (): void => {
    const end = now() + BUDGET;
    do waiting.shift()?.();
    while (waiting.length > 0 && now() < end);
    isScheduled = waiting.length > 0;
    if (isScheduled) letOthersRun(ROUNDS);
  };
  return <T>(work: () => T) =>
    new Promise<Awaited<T>>((resolve, reject) => {
      const begin = (): void => {
        try {
          resolve(work() as Awaited<T>);
        } catch (error) {
          reject(error);
        }
      };
      waiting.push(begin);
      schedule();
    });
};

/** One queue for all lists of the process, which share the event loop. */
export const scheduled = scheduler(() => performance.now());

/** @returns a complete list of rows */
export const writeWhole = ({ start, row, separator, end }: ListFormat, rows: readonly Row[]): string =>
  start + rows.map((each, at) => row(each, at)).join(separator) + end;

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
