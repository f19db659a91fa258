/**
 * What a client's file says, or a large body, is read by threads that do nothing else: whatever it costs, it keeps nobody
 * waiting, and it ends with its client.
 */
import { Worker } from 'node:worker_threads';
import { idlePool } from '../../../../util/idle.ts';
import { UnnamedFile } from '../../../../util/unnamed-file.ts';
import { readableFormat } from '../../../formats/formats.ts';
import type { FormerUses } from '../../../locale/history.ts';
import type { SpooledRows } from '../../../model/import.ts';
import { sentence } from '../../../texts/phrase.ts';
import { outOfMemory } from '../../../texts/problem.ts';
import type { Members } from '../../body/members.ts';
import { malformed } from '../text.ts';
import {
  type BodyJob,
  type FileJob,
  membersFrom,
  problemFrom,
  type ReadingData,
  type ReadingOrder,
  type ReadingResult,
} from './reading-jobs.ts';

/** What a thread may take for what it reads. */
const BOUNDS = {
  /** Mebibytes of its heap. */
  heap: 192,
  /** Milliseconds of CPU for anything; more for each byte. */
  cpu: 5_000,
};
/** Mebibytes of new objects, nearly all of which are garbage soon. */
const YOUNG = 8;
/** Idle threads that are kept, so that small files need not wait until one has started. */
const IDLE = 2;
/** Milliseconds between two looks at the CPU that a thread has taken. */
const LOOK = 500;
/** Bytes of a source after which its thread ends: it has grown. */
const SMALL = 1_048_576;
/** Files that are read at a time, and bodies: what four threads have of them in memory must not add up. */
const FILES = 2;
const BODIES = 1;

/** @param file or a body that is a JSON array. @param uses where former words are noted. @throws Problem if it is wrong as a whole */
export type ReadFile = (
  job: FileJob,
  file: UnnamedFile | Uint8Array,
  signal: AbortSignal,
  uses?: FormerUses,
) => Promise<SpooledRows>;

/** @throws Problem if the body is not JSON */
export type ReadBody = (job: BodyJob, body: Uint8Array, signal: AbortSignal, uses?: FormerUses) => Promise<Members>;

/** Lets some work be done at one time; who comes first has the first turn. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Does some work in a turn. Throws if the signal is aborted before. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        next();
      } else this.#free++;
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (this.#waiting.delete(resolve)) reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', leave);
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }
}

/** Has a thread read. Rejects if it ends, takes more than it may, or the signal is aborted. @param cpu milliseconds that it may take */
async function askThread(
  worker: Worker,
  order: ReadingOrder,
  signal: AbortSignal,
  cpu: number,
  heap: number,
): Promise<ReadingResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingResult>();
  const onError = (error: unknown): void => reject(outOfMemory(error, heap) ?? error);
  const onExit = (): void => reject(new Error('the thread has ended'));
  const onAbort = (): void => reject(signal.reason);
  worker.on('message', resolve).on('error', onError).on('exit', onExit).ref();
  signal.addEventListener('abort', onAbort);
  // It fails once the thread has ended.
  const before = worker.cpuUsage().catch(() => undefined);
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage(await before);
    if ((user + system) / 1_000 > cpu) reject(malformed(sentence('file-costly', {})));
  };
  const looking = setInterval(() => look().catch(() => {}), LOOK);
  try {
    worker.postMessage(order);
    return await promise;
  } finally {
    clearInterval(looking);
    signal.removeEventListener('abort', onAbort);
    worker.off('message', resolve).off('error', onError).off('exit', onExit).unref();
  }
}

/** @returns functions that read by threads, which are started on demand */
export const readingThreads = (
  data: ReadingData,
  { heap, cpu }: typeof BOUNDS = BOUNDS,
): { readonly readFile: ReadFile; readonly readBody: ReadBody } => {
  const start = (): Worker => {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG },
    });
    // The request that waits for this thread has listeners of its own.
    return worker.on('error', () => pool.forget(worker)).on('exit', () => pool.forget(worker));
  };
  const pool = idlePool(IDLE, start, (worker) => worker.terminate());

  const ask = async (order: ReadingOrder, size: number, signal: AbortSignal): Promise<ReadingResult> => {
    const { job } = order;
    const { cpuPerByte } = readableFormat('format' in job ? job.format : 'json').reading;
    const worker = pool.take();
    let isSound = false;
    try {
      const result = await askThread(worker, order, signal, cpu + cpuPerByte * size, heap);
      isSound = size <= SMALL && !('fault' in result);
      return result;
    } finally {
      if (isSound) pool.giveBack(worker);
      // Its memory is free before another file has its turn.
      else await worker.terminate();
    }
  };
  /** @throws Problem */
  const read = async (order: ReadingOrder, size: number, signal: AbortSignal, uses: FormerUses | undefined) => {
    const result = await ask(order, size, signal);
    for (const each of result.former) uses?.add(each);
    if ('problem' in result) throw problemFrom(result.problem);
    if ('fault' in result) throw result.fault;
    return result;
  };

  const files = new Turns(FILES);
  const bodies = new Turns(BODIES);
  const readFile: ReadFile = async (job, sent, signal, uses) => {
    const [turns, source, size] =
      sent instanceof UnnamedFile ? ([files, sent.fd, sent.size] as const) : ([bodies, sent, sent.length] as const);
    const file = new UnnamedFile();
    try {
      const result = await turns.run(signal, () => read({ job, source, spool: file.fd }, size, signal, uses));
      if (!('rows' in result)) throw new TypeError('a file without rows');
      return { ...result.rows, file };
    } catch (error) {
      file.close();
      throw error;
    }
  };
  const readBody: ReadBody = async (job, body, signal, uses) => {
    const result = await bodies.run(signal, () => read({ job, source: body }, body.length, signal, uses));
    if (!('members' in result)) throw new TypeError('a body without members');
    return membersFrom(result.members);
  };
  return { readFile, readBody };
};
