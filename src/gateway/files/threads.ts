/** Reads the files of clients, and large bodies, in threads of their own: that keeps nobody waiting, and ends with its client. */
import { Worker } from 'node:worker_threads';
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import { UnnamedFile } from '../../util/unnamed-file.ts';
import { readableFormat } from '../formats/formats.ts';
import type { FormerUses } from '../locale/history.ts';
import type { Units } from '../locale/language.ts';
import type { Locale } from '../locale/table.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RowSummary, SpooledRows } from '../model/import.ts';
import { refuseAs } from '../port/unavailable.ts';
import type { Members } from '../read/body/members.ts';
import { sentence } from '../texts/phrase.ts';
import { memoryProblem, Problem } from '../texts/problem.ts';
import type { ReadingOptions } from './reader.ts';
import { malformed } from './text.ts';

/** Mebibytes of a thread's heap, and milliseconds of CPU for anything; more for each byte. */
const BOUNDS = { heap: 192, cpu: 5_000 };
/** Mebibytes of new objects, nearly all of which are garbage soon. */
const YOUNG = 8;
/** The most idle threads, so that small files need not wait until one has started. */
const IDLE = 2;
/** Milliseconds after which an idle thread ends. */
const IDLE_TIME = 20_000;
/** Milliseconds between two checks of the CPU that a thread has taken. */
const CHECK = 500;
/** The most bytes of a source after which its thread is used again: beyond them its memory has grown. */
const SMALL = 1_048_576;
/** Files that are read at a time, and bodies: what four threads have of them in memory must not add up. */
const FILES = 2;
const BODIES = 1;
const PATIENCE = 60_000;

export interface ReadingData {
  readonly catalogue: Catalogue;
  readonly locales: readonly Locale[];
  readonly defaultLanguage: string;
}

export interface FileJob {
  readonly tag: string;
  readonly collection: string;
  readonly format: string;
  readonly options: ReadingOptions;
  readonly rejectsMissing: boolean;
}

export interface BodyJob extends Pick<FileJob, 'tag' | 'collection'> {
  readonly purpose: 'create' | 'update';
  readonly units: Units;
}

/** What a thread reads: a file, whose rows go to another one, both by their descriptors; or a body. */
export type ReadingOrder =
  | { readonly job: FileJob; readonly file: number; readonly spool: number }
  | { readonly job: BodyJob; readonly body: Uint8Array };

export type PlainProblem = Pick<Problem, 'code' | 'detail' | 'errors' | 'suggestion'>;
export type PlainMembers = Pick<Members, 'cells'> & { readonly problem: PlainProblem | undefined };

type ReadingResult = (
  | { readonly value: RowSummary | PlainMembers }
  | { readonly problem: PlainProblem }
  | { readonly fault: unknown }
) & { readonly former: readonly FormerWord[] };

/** Has a thread read. Rejects if it ends, takes more than it may, or the signal is aborted. @param cpu milliseconds that it may take */
async function askThread(worker: Worker, order: ReadingOrder, signal: AbortSignal, cpu: number, heap: number) {
  const { promise, resolve, reject } = Promise.withResolvers<ReadingResult>();
  const onError = (error: unknown): void => reject(memoryProblem(error, heap) ?? error);
  const onExit = (): void => reject(new Error('the thread has ended'));
  const onAbort = (): void => reject(signal.reason);
  worker.on('message', resolve).on('error', onError).on('exit', onExit).ref();
  signal.addEventListener('abort', onAbort);
  // The call fails once the thread has ended.
  const before = worker.cpuUsage().catch(() => undefined);
  const check = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage(await before);
    if ((user + system) / 1_000 > cpu) reject(malformed(sentence('file-costly', {})));
  };
  const checks = setInterval(() => check().catch(() => {}), CHECK);
  try {
    worker.postMessage(order);
    return await promise;
  } finally {
    clearInterval(checks);
    signal.removeEventListener('abort', onAbort);
    worker.off('message', resolve).off('error', onError).off('exit', onExit).unref();
  }
}

export class ReadingThreads {
  readonly #data: ReadingData;
  readonly #bounds: typeof BOUNDS;
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #files = createLimiter(FILES);
  readonly #bodies = createLimiter(BODIES);

  constructor(data: ReadingData, bounds = BOUNDS) {
    this.#data = data;
    this.#bounds = bounds;
  }

  /** @param uses notes former words. @throws Problem if the file is wrong as a whole */
  async readFile(job: FileJob, file: UnnamedFile, signal: AbortSignal, uses?: FormerUses): Promise<SpooledRows> {
    const spool = new UnnamedFile();
    try {
      const order = { job, file: file.fd, spool: spool.fd };
      const read = () => this.#read<RowSummary>(order, file.size, signal, uses);
      return { ...(await this.#files.run(read, { signal })), file: spool };
    } catch (error) {
      spool.close();
      throw error;
    }
  }

  async readBody(job: BodyJob, body: Uint8Array, signal: AbortSignal, uses?: FormerUses): Promise<Members> {
    const read = () => this.#read<PlainMembers>({ job, body }, body.length, signal, uses);
    const { cells, problem } = await this.#bodies.run(read, { signal });
    return cells ? { cells, problem: undefined } : { cells, problem: toProblem(problem as PlainProblem) };
  }

  #start(): Worker {
    const { heap } = this.#bounds;
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG },
    });
    // The request that waits for this thread has listeners of its own.
    return worker.on('error', () => this.#forget(worker)).on('exit', () => this.#forget(worker));
  }

  #forget(worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
  }

  #take(): Worker {
    const [worker = this.#start()] = this.#idle.keys();
    this.#forget(worker);
    return worker;
  }

  async #giveBack(worker: Worker, isSound: boolean): Promise<void> {
    // Awaited, so that its memory is free before another file has its turn.
    if (!isSound || this.#idle.size === IDLE) await worker.terminate();
    else this.#idle.set(worker, setTimeout(() => worker.terminate(), IDLE_TIME).unref());
  }

  async #read<T>(order: ReadingOrder, size: number, signal: AbortSignal, uses: FormerUses | undefined): Promise<T> {
    const { heap, cpu } = this.#bounds;
    const { cpuPerByte } = readableFormat('file' in order ? order.job.format : 'json').reading;
    const worker = this.#take();
    let isSound = false;
    try {
      const result = await askThread(worker, order, signal, cpu + cpuPerByte * size, heap);
      isSound = size <= SMALL && !('fault' in result);
      for (const word of result.former) uses?.add(word);
      if ('problem' in result) throw toProblem(result.problem);
      if ('fault' in result) throw result.fault;
      return result.value as T;
    } finally {
      await this.#giveBack(worker, isSound);
    }
  }
}

function toProblem({ code, detail, ...extras }: PlainProblem): Problem {
  return new Problem(code, detail, extras);
}

function createLimiter(limit: number): ConcurrencyLimiter {
  return new ConcurrencyLimiter({ limit, queue: Infinity, timeout: PATIENCE, refuse: refuseAs('imports') });
}
