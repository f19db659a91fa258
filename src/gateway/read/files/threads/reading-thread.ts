/**
 * What a client's file says, or a large body, is read by threads that do nothing else: whatever it costs, it keeps nobody
 * waiting, and it ends with its client.
 */
import type { Worker } from 'node:worker_threads';
import type { UnnamedFile } from '../../../../util/unnamed-file.ts';
import { readableFormat } from '../../../formats/formats.ts';
import type { FormerUses } from '../../../locale/former.ts';
import type { RowBatch } from '../../../model/row-batch.ts';
import type { Members } from '../../body/members.ts';
import { blocksOf, spooled } from '../blocks.ts';
import { limits } from '../limits.ts';
import { workbookTooLarge } from '../text.ts';
import { BOUNDS, type Bounds, dialogue, type Read, type Source } from './dialogue.ts';
import { type BodyJob, type FileJob, membersFrom, type ReadingData } from './messages.ts';
import { type Place, placesOf } from './places.ts';
import { poolOf } from './pool.ts';

interface FileReading {
  /** Resolves once so much has arrived that the reading may begin: a slow client takes no place until then. */
  readonly arrived: Promise<void>;
  readonly batches: AsyncIterable<RowBatch>;
  /** Ends the reading wherever it is. */
  readonly close: () => Promise<void>;
}

/**
 * @param signal ends the reading
 * @param uses where former words are noted
 */
export type ReadFile = (
  job: FileJob,
  body: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
  uses?: FormerUses,
) => FileReading;

/** The members of a body of JSON, or its rows where it is an array of them. */
type SentBody = { readonly members: Members } | { readonly batches: readonly RowBatch[] };

/** @throws Problem where it is not JSON */
export type ReadBody = (job: BodyJob, body: Uint8Array, signal: AbortSignal, uses?: FormerUses) => Promise<SentBody>;

/** Bytes of a file after which its thread ends with it: it has grown. */
const SMALL = 1_048_576;
/**
 * Files that are read at a time, and bodies, which wait for no file. The others wait: what a thread has of them takes memory,
 * and four that take as much as they can must not add up.
 */
const FILES = 2;
const BODIES = 1;

/** @returns functions that read by threads, which are started on demand */
export const readingThreads = (
  data: ReadingData,
  bounds: Bounds = BOUNDS,
): { readonly readFile: ReadFile; readonly readBody: ReadBody } => {
  const { take, giveBack } = poolOf(data, bounds.heap);
  const files = placesOf(FILES);
  const bodies = placesOf(BODIES);
  const { cpuPerByte } = readableFormat('json').reading;

  /** @returns what a thread reads, and what ends the thread unless it can read more */
  const readingOf = (place: Place, source: () => Promise<Source>) => {
    let worker: Worker | undefined;
    const read = async function* (): AsyncGenerator<Read> {
      const begun = await source();
      await place.take();
      worker = take();
      const bytes = yield* dialogue(worker, begun, bounds);
      // Its memory is free before another file has its place.
      if (bytes > SMALL) await worker.terminate();
      else giveBack(worker);
      worker = undefined;
      place.leave();
    };
    const end = async (): Promise<void> => {
      await worker?.terminate();
      place.leave();
    };
    return { read: read(), end };
  };

  const readFile: ReadFile = (job, body, signal, uses) => {
    const blocks = blocksOf(body);
    let first: IteratorResult<Uint8Array<ArrayBuffer>> | undefined;
    const { isSpooled, cpuPerByte } = readableFormat(job.format).reading;
    let file: UnnamedFile | undefined;
    const begin = async (): Promise<void> => {
      if (isSpooled) file = await spooled(blocks, limits.workbook, workbookTooLarge);
      else first = await blocks.next();
    };
    const place = files(signal);
    const next = async () => {
      const coming = first ?? blocks.next();
      first = undefined;
      const { done, value } = await place.lentWhile(coming);
      return done ? undefined : value;
    };
    const arrived = begin();
    // Thrown where it is awaited.
    arrived.catch(() => {});
    const { read, end } = readingOf(place, async () => {
      await arrived;
      return { job, file, cpuPerByte, next, signal, uses };
    });
    const batches = async function* (): AsyncGenerator<RowBatch> {
      for await (const each of read) if ('batch' in each) yield each.batch;
    };
    return {
      arrived,
      batches: batches(),
      close: async () => {
        await end();
        await file?.close();
        file = undefined;
        // What waits for a slow client would wait here, too.
        void blocks.return(undefined).catch(() => {});
      },
    };
  };

  const readBody: ReadBody = async (job, body, signal, uses) => {
    // A copy, whose buffer is handed over.
    const blocks = [new Uint8Array(body)];
    const source = async (): Promise<Source> => ({ job, cpuPerByte, next: async () => blocks.pop(), signal, uses });
    const { read, end } = readingOf(bodies(signal), source);
    try {
      let members: Members | undefined;
      const batches: RowBatch[] = [];
      for await (const each of read) {
        if ('batch' in each) batches.push(each.batch);
        else members = membersFrom(each.members);
      }
      return members ? { members } : { batches };
    } finally {
      await end();
    }
  };
  return { readFile, readBody };
};
