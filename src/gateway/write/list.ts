/** Lists: whole, or chunk by chunk in turns with everything else. */
import type { ListFormat } from '../formats/representation.ts';
import type { ReadResult, Row } from '../port/port.ts';

/** Milliseconds of a slice of work on lists; everything else runs between two slices. */
const BUDGET = 5;
/** The most turns of the event loop between two slices: they go on until one is idle, because each accepts only one connection (libuv). */
const ROUNDS = 16;
/** Milliseconds of an idle turn. */
const IDLE = 0.05;

/** Shares the event loop between lists and everything else: work is queued, and each slice does as much of it as fits. */
export class Scheduler {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /** @param now milliseconds of a clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs work in a later slice, in order, and returns its result. */
  run<T>(work: () => T): Promise<Awaited<T>> {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<T>>();
    this.#waiting.push(() => {
      try {
        resolve(work() as Awaited<T>);
      } catch (error) {
        reject(error);
      }
    });
    if (!this.#isScheduled) setImmediate(() => this.#runSlice());
    this.#isScheduled = true;
    return promise;
  }

  #runSlice(): void {
    const end = this.#now() + BUDGET;
    do this.#waiting.shift()?.();
    while (this.#waiting.length > 0 && this.#now() < end);
    this.#isScheduled = this.#waiting.length > 0;
    if (this.#isScheduled) this.#letOthersRun(ROUNDS);
  }

  #letOthersRun(rounds: number): void {
    const begin = this.#now();
    setImmediate(() => {
      if (rounds > 1 && this.#now() - begin > IDLE) this.#letOthersRun(rounds - 1);
      else this.#runSlice();
    });
  }
}

/** One queue for all lists of the process, which share the event loop. */
export const scheduler = new Scheduler(() => performance.now());

/** @returns a complete list of rows */
export function writeWhole({ start, row, separator, end, empty }: ListFormat, rows: readonly Row[]): string {
  if (rows.length === 0) return empty ?? start + end;
  return start + rows.map((each, at) => row(each, at)).join(separator) + end;
}

/**
 * Writes a long list chunk by chunk, as fast as the client reads. If the database fails midway, the connection breaks off, so
 * that a partial list never looks complete. The server's idle timeout disconnects a client that stops reading, which also
 * releases the list's snapshot.
 *
 * @param onFault called with the reason why a list broke off
 */
export function streamList(
  { rows: first, rest }: Pick<ReadResult, 'rows' | 'rest'>,
  list: ListFormat,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let unread: readonly Row[] | undefined = first;
  let written = 0;
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const rows = await scheduler.run(async () => (unread?.length ? unread : (await rest?.next())?.value));
          unread = undefined;
          if (!rows) {
            controller.enqueue(Buffer.from(written > 0 ? list.end : (list.empty ?? list.start + list.end)));
            controller.close();
            return;
          }
          const text = await scheduler.run(() => {
            if (rows.length === 0) return Buffer.of();
            const parts = rows.map((row, at) => list.row(row, written + at));
            return Buffer.from((written > 0 ? list.separator : list.start) + parts.join(list.separator));
          });
          written += rows.length;
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
}
