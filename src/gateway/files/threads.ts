/**
 * What a client's file says, or a large body, is read by threads that do nothing else: whatever it costs, it keeps nobody
 * waiting, and it ends with its client.
 */
import { Worker } from 'node:worker_threads';
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { ConcurrencyLimiter } from '../../util/concurrency-limiter.ts';
import { idlePool } from '../../util/idle.ts';
import { UnnamedFile } from '../../util/unnamed-file.ts';
import { readableFormat } from '../formats/formats.ts';
import type { FormerUses } from '../locale/history.ts';
import type { Locale } from '../locale/table.ts';
import type { Catalogue } from '../model/catalogue.ts';
import type { RowSummary, SpooledRows } from '../model/import.ts';
import { refuseAs } from '../port/unavailable.ts';
import type { Members } from '../read/body/members.ts';
import { sentence } from '../texts/phrase.ts';
import { outOfMemory, Problem } from '../texts/problem.ts';
import type { ReadingOptions } from './reader.ts';
import { malformed } from './text.ts';

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
/** Others wait for so many milliseconds. */
const PATIENCE = 60_000;

/** What the threads are started with. */
export interface ReadingData {
  readonly catalogue: Catalogue;
  readonly locales: readonly Locale[];
  readonly defaultLanguage: string;
}

interface Job {
  /** The tag of the language whose words it has. */
  readonly tag: string;
  readonly collection: string;
}

/** A file to read, or a body that is a JSON array, as plain data. */
export interface FileJob extends Job {
  /** The name of a format that can be imported. */
  readonly format: string;
  readonly options: ReadingOptions;
  readonly rejectsMissing: boolean;
}

/** A body of JSON that is an item. */
export interface BodyJob extends Job {
  readonly purpose: 'create' | 'update';
}

/** What a thread is to read. */
export interface ReadingOrder {
  readonly job: FileJob | BodyJob;
  /** The descriptor of a file, or a body. */
  readonly source: number | Uint8Array;
  /** The descriptor of the file that keeps the rows of a file. */
  readonly spool?: number;
}

/** A problem as plain data, which is what threads send. */
type PlainProblem = Pick<Problem, 'code' | 'detail' | 'errors' | 'suggestion'>;

export function plainProblem({ code, detail, errors, suggestion }: Problem): PlainProblem {
  return { code, detail, errors, suggestion };
}

function toProblem({ code, detail, ...extras }: PlainProblem): Problem {
  return new Problem(code, detail, extras);
}

/** The members of a body that is an item, or what is wrong with them. */
export type PlainMembers = Pick<Members, 'cells'> & { readonly problem: PlainProblem | undefined };

/** What was read, or why it could not be, and the former words that it has. */
type ReadingResult = (
  | { readonly value: RowSummary | PlainMembers }
  | { readonly problem: PlainProblem }
  | { readonly fault: unknown }
) & { readonly former: readonly FormerWord[] };

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

/** Reads files and bodies by threads, which are started on demand. */
export class ReadingThreads {
  readonly #data: ReadingData;
  readonly #bounds: typeof BOUNDS;
  readonly #pool = idlePool(
    IDLE,
    () => this.#start(),
    (worker) => worker.terminate(),
  );
  readonly #files = limiter(FILES);
  readonly #bodies = limiter(BODIES);

  constructor(data: ReadingData, bounds = BOUNDS) {
    this.#data = data;
    this.#bounds = bounds;
  }

  /**
   * @param file or a body that is a JSON array
   * @param uses where former words are noted
   * @throws Problem if it is wrong as a whole
   */
  async readFile(
    job: FileJob,
    file: UnnamedFile | Uint8Array,
    signal: AbortSignal,
    uses?: FormerUses,
  ): Promise<SpooledRows> {
    const isFile = file instanceof UnnamedFile;
    const [source, size] = isFile ? ([file.fd, file.size] as const) : ([file, file.length] as const);
    const spool = new UnnamedFile();
    try {
      const read = () => this.#read({ job, source, spool: spool.fd }, size, signal, uses);
      const summary = (await (isFile ? this.#files : this.#bodies).run(read, { signal })) as RowSummary;
      return { ...summary, file: spool };
    } catch (error) {
      spool.close();
      throw error;
    }
  }

  /** @throws Problem if the body is not JSON */
  async readBody(job: BodyJob, body: Uint8Array, signal: AbortSignal, uses?: FormerUses): Promise<Members> {
    const read = () => this.#read({ job, source: body }, body.length, signal, uses);
    const { cells, problem } = (await this.#bodies.run(read, { signal })) as PlainMembers;
    return problem || !cells ? { cells: undefined, problem: toProblem(problem as PlainProblem) } : { cells, problem };
  }

  #start(): Worker {
    const { heap } = this.#bounds;
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), {
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: YOUNG },
    });
    // The request that waits for this thread has listeners of its own.
    return worker.on('error', () => this.#pool.forget(worker)).on('exit', () => this.#pool.forget(worker));
  }

  /** @throws Problem */
  async #read(order: ReadingOrder, size: number, signal: AbortSignal, uses: FormerUses | undefined) {
    const { job } = order;
    const { heap, cpu } = this.#bounds;
    const { cpuPerByte } = readableFormat('format' in job ? job.format : 'json').reading;
    const worker = this.#pool.take();
    let isSound = false;
    try {
      const result = await askThread(worker, order, signal, cpu + cpuPerByte * size, heap);
      isSound = size <= SMALL && !('fault' in result);
      for (const each of result.former) uses?.add(each);
      if ('problem' in result) throw toProblem(result.problem);
      if ('fault' in result) throw result.fault;
      return result.value;
    } finally {
      if (isSound) this.#pool.giveBack(worker);
      // Its memory is free before another file has its turn.
      else await worker.terminate();
    }
  }
}

function limiter(limit: number): ConcurrencyLimiter {
  const queue = Number.POSITIVE_INFINITY;
  return new ConcurrencyLimiter({ limit, queue, timeout: PATIENCE, refuse: refuseAs('imports') });
}
