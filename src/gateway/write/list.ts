import type { ListFormat, Representation } from '../formats/representation.ts';
import type { Language } from '../locale/language.ts';
import { type Collection, deriveChanges, deriveGroups, identifies } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import type { Query } from '../model/query.ts';
import type { ReadResult, Row } from '../port/port.ts';
import { invalid, throwErrors } from '../read/query/parameter.ts';
import { sentence } from '../texts/phrase.ts';

/** Milliseconds of a slice of work on lists; everything else runs between two slices. */
const BUDGET = 5;
/** The most turns of the event loop between two slices: they go on until one is idle, because each accepts only one connection (libuv). */
const ROUNDS = 16;
const IDLE = 0.05;

/** Shares the event loop between lists and everything else: work is queued, and each slice does as much of it as fits. */
export class Scheduler {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  run<T>(work: () => T): Promise<Awaited<T>> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(Promise.try(work)));
      if (!this.#isScheduled) setImmediate(() => this.#runSlice());
      this.#isScheduled = true;
    });
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

export function writeWhole({ start, row, separator, end, empty }: ListFormat, rows: readonly Row[]): string {
  if (rows.length === 0) return empty ?? start + end;
  return start + rows.map(row).join(separator) + end;
}

/**
 * If the database fails midway, the connection breaks off, so that a partial list never looks complete. The idle timeout of the
 * server disconnects a client that stops reading, which also releases the snapshot.
 */
export function streamList(
  { rows: first, rest }: Pick<ReadResult, 'rows' | 'rest'>,
  list: ListFormat,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let unread: readonly Row[] | undefined = first;
  let writtenRows = 0;
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const rows = await scheduler.run(async () => (unread?.length ? unread : (await rest?.next())?.value));
          unread = undefined;
          if (!rows) {
            controller.enqueue(Buffer.from(writtenRows > 0 ? list.end : (list.empty ?? list.start + list.end)));
            controller.close();
            return;
          }
          const text = await scheduler.run(() => {
            if (rows.length === 0) return Buffer.of();
            const parts = rows.map((row, at) => list.row(row, writtenRows + at));
            return Buffer.from((writtenRows > 0 ? list.separator : list.start) + parts.join(list.separator));
          });
          writtenRows += rows.length;
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

/** The representations of changes of whole items, made once: every stream would hold its own. */
const changeRepresentations = new WeakMap<Representation, Representation>();

/** @throws Problem if it asks for items within items, and the format has no place for them */
export function selectParts(
  whole: Representation,
  language: Language,
  collection: Collection,
  { fields, group, include, changesAfter }: Query,
): Representation {
  if (group) return whole.withSelection(deriveGroups(collection, group));
  if (include && !whole.format.nests) {
    const word = language.parameters.word('include');
    throwErrors([invalid(word, sentence('include-flat', { word, type: whole.type }))]);
  }
  const isWhole = !fields && !include;
  if (isWhole && !changesAfter) return whole;
  const cached = changeRepresentations.get(whole);
  if (isWhole && cached) return cached;
  const items = changesAfter ? deriveChanges(collection) : collection;
  const isSelected = (field: Field): boolean =>
    identifies(field) ||
    !collection.fields.some(({ name }) => field.name === name) ||
    include?.some(({ through }) => field.name === through?.name) ||
    fields?.some(({ name }) => field.name === name) !== false;
  const part = whole.withSelection(items, { fields: items.fields.filter(isSelected), included: include ?? [] });
  if (isWhole) changeRepresentations.set(whole, part);
  return part;
}
