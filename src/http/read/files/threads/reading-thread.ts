/**
 * What a client's file says is read by threads that do nothing else: whatever it costs, it keeps nobody waiting, and it ends
 * with its client.
 */
import type { FileHandle } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Locale } from '../../../../locale/table.ts';
import type { Catalogue } from '../../../../model/catalogue.ts';
import type { RowBatch } from '../../../../model/row-batch.ts';
import { sentence } from '../../../../texts/phrase.ts';
import { Problem } from '../../../../texts/problem.ts';
import { byteSize } from '../../../../texts/size.ts';
import { readableFormat } from '../../../formats/formats.ts';
import { blocksOf, spooled } from '../blocks.ts';
import { limits } from '../limits.ts';
import { type Charset, malformed, workbookTooLarge } from '../text.ts';

/** What the threads are started with. */
export interface ReadingData {
  readonly catalogue: Catalogue;
  readonly locales: readonly Locale[];
  readonly defaultLanguage: string;
}

/** A file to read, as plain data. */
export interface ReadingJob {
  /** The tag of the language whose words it has. */
  readonly tag: string;
  readonly collection: string;
  /** The name of one that can be imported. */
  readonly format: string;
  readonly charset?: Charset | undefined;
  /** Whether an empty cell clears its field, in a table whose header has the field. */
  readonly clearsEmpty?: boolean | undefined;
  /** The most errors that somebody sees; all by default. */
  readonly mostErrors?: number | undefined;
}

/** After a job come its blocks, each when it is asked for, and `wants`, each of which asks for another batch. */
export type ReadingOrder =
  | { readonly job: ReadingJob; readonly file: number | undefined }
  | { readonly block: Uint8Array | undefined }
  | { readonly wants: 'batch' };

/** The last message of a job is `end`, `problem` or `fault`. */
export type ReadingMessage =
  | { readonly wants: 'block' }
  | { readonly batch: RowBatch }
  | { readonly end: true }
  | { readonly problem: Pick<Problem, 'code' | 'detail' | 'errors' | 'suggestion'> }
  | { readonly fault: unknown };

interface FileReading {
  /** Resolves once so much has arrived that the reading may begin: a slow client takes no place until then. */
  readonly arrived: Promise<void>;
  readonly batches: AsyncIterable<RowBatch>;
  /** Ends the reading wherever it is. */
  readonly close: () => Promise<void>;
}

/** @param signal ends the reading */
export type ReadFile = (job: ReadingJob, body: AsyncIterable<Uint8Array>, signal?: AbortSignal) => FileReading;

/** Batches that a thread may be ahead of who takes them. */
export const AHEAD = 2;
/** What a thread may take for a file. */
const BOUNDS = {
  /** Mebibytes of its heap. */
  heap: 192,
  /** Milliseconds of CPU for any file; more for each byte. */
  cpu: 5_000,
  /** Milliseconds without a message although nothing is missing. */
  silence: 60_000,
};
type Bounds = typeof BOUNDS;
/** Mebibytes of new objects, nearly all of which are garbage soon. */
const YOUNG = 8;
/** Idle threads that are kept, for so many milliseconds, so that small files need not wait until one has started. */
const IDLE = 2;
const IDLE_MS = 20_000;
/** Bytes of a file after which its thread ends with it: it has grown. */
const SMALL = 1_048_576;
/** Milliseconds between two looks at it. */
const LOOK = 500;

const tooCostly = (): Problem => malformed(sentence('file-costly', {}));

const tooLarge = (heap: number): Problem =>
  new Problem('body-too-large', sentence('file-memory', { limit: byteSize(heap * 1_048_576) }));

/** Calls `end` once a thread has taken more CPU than `most`, in milliseconds. @returns stops looking */
const watchCpu = (worker: Worker, most: () => number, end: () => void): (() => void) => {
  // It has not begun to run.
  const before = worker.cpuUsage().catch(() => undefined);
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage(await before);
    if ((user + system) / 1_000 > most()) end();
  };
  // It has ended meanwhile.
  const timer = setInterval(() => look().catch(() => {}), LOOK);
  return () => clearInterval(timer);
};

/** What a thread reads. */
interface Source {
  readonly job: ReadingJob;
  /** All of it, where it has arrived. */
  readonly file: FileHandle | undefined;
  readonly cpuPerByte: number;
  /** Returns the blocks, `undefined` after the last one. */
  readonly next: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly signal: AbortSignal | undefined;
}

/** Reads a file by a thread. Returns its bytes. */
async function* batchesOf(
  worker: Worker,
  { job, file, cpuPerByte, next, signal }: Source,
  bounds: Bounds,
): AsyncGenerator<RowBatch, number> {
  const messages: ReadingMessage[] = [];
  let bytes = file ? (await file.stat()).size : 0;
  let heard = performance.now();
  /** Whether a block is waited for, and whether somebody works with a batch: neither is the thread's fault. */
  let isOwed = false;
  let isTaken = false;
  let isOver = false;
  let wake = (): void => {};
  const tell = (order: ReadingOrder, buffers: readonly ArrayBuffer[] = []): void => worker.postMessage(order, buffers);
  const add = (message: ReadingMessage): void => {
    messages.push(message);
    wake();
  };
  const give = async (): Promise<void> => {
    isOwed = true;
    const block = await next();
    isOwed = false;
    if (isOver) return;
    heard = performance.now();
    bytes += block?.length ?? 0;
    tell({ block }, block && [block.buffer]);
  };
  const onMessage = (message: ReadingMessage): void => {
    heard = performance.now();
    if ('wants' in message) give().catch((fault) => add({ fault }));
    else add(message);
  };
  const onError = (error: NodeJS.ErrnoException): void =>
    add({ fault: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(bounds.heap) : error });
  const onExit = (): void => add({ fault: new Error('the thread has ended') });
  worker.on('message', onMessage).on('error', onError).on('exit', onExit).ref();
  const onAbort = (): void => add({ fault: signal?.reason });
  signal?.addEventListener('abort', onAbort);
  const most = (): number => {
    const isSilent = !isOwed && !isTaken && performance.now() - heard > bounds.silence;
    return isSilent ? 0 : bounds.cpu + cpuPerByte * bytes;
  };
  const unwatch = watchCpu(worker, most, () => add({ fault: tooCostly() }));
  try {
    tell({ job, file: file?.fd });
    for (;;) {
      const message = messages.shift();
      if (!message) await new Promise<void>((resolve) => (wake = resolve));
      else if ('batch' in message) {
        isTaken = true;
        yield message.batch;
        isTaken = false;
        heard = performance.now();
        tell({ wants: 'batch' });
      } else if ('end' in message) return bytes;
      else if ('fault' in message) throw message.fault;
      else if ('problem' in message) {
        const { code, detail, ...extras } = message.problem;
        throw new Problem(code, detail, extras);
      }
    }
  } finally {
    isOver = true;
    unwatch();
    signal?.removeEventListener('abort', onAbort);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  }
}

/** @returns reads files by threads, each of which reads one at a time; they are started on demand */
export const readingThreads = (workerData: ReadingData, bounds: Bounds = BOUNDS): ReadFile => {
  const idle = new Map<Worker, NodeJS.Timeout>();

  const start = (): Worker => {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: bounds.heap, maxYoungGenerationSizeMb: YOUNG },
    });
    // Whoever waits for it hears of it, too.
    return worker.on('error', () => idle.delete(worker)).on('exit', () => idle.delete(worker));
  };
  const take = (): Worker => {
    const [worker] = idle.keys();
    if (!worker) return start();
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    return worker;
  };
  const giveBack = (worker: Worker): void => {
    worker.unref();
    const forget = (): void => {
      idle.delete(worker);
      void worker.terminate();
    };
    if (idle.size >= IDLE) forget();
    else idle.set(worker, setTimeout(forget, IDLE_MS).unref());
  };

  return (job, body, signal) => {
    const blocks = blocksOf(body);
    let first: IteratorResult<Uint8Array<ArrayBuffer>> | undefined;
    const { isSpooled, cpuPerByte } = readableFormat(job.format).reading;
    let file: FileHandle | undefined;
    let worker: Worker | undefined;
    const begin = async (): Promise<void> => {
      if (isSpooled) file = await spooled(blocks, limits.workbook, workbookTooLarge);
      else first = await blocks.next();
    };
    const next = async () => {
      const block = first ?? (await blocks.next());
      first = undefined;
      return block.done ? undefined : block.value;
    };
    const arrived = begin();
    // Thrown where it is awaited.
    arrived.catch(() => {});
    const end = async (): Promise<void> => {
      await worker?.terminate();
      worker = undefined;
      await file?.close();
      file = undefined;
    };
    const read = async function* (): AsyncGenerator<RowBatch> {
      await arrived;
      worker = take();
      const bytes = yield* batchesOf(worker, { job, file, cpuPerByte, next, signal }, bounds);
      if (bytes > SMALL) return;
      giveBack(worker);
      worker = undefined;
    };
    return {
      arrived,
      batches: read(),
      close: async () => {
        await end();
        // What waits for a slow client would wait here, too.
        void blocks.return(undefined).catch(() => {});
      },
    };
  };
};
