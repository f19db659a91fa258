import type { Worker } from 'node:worker_threads';
import type { UnnamedFile } from '../../../../util/unnamed-file.ts';
import { type FormerUses, noteUse } from '../../../locale/former.ts';
import { sentence } from '../../../texts/phrase.ts';
import { outOfMemory, type Problem } from '../../../texts/problem.ts';
import { malformed } from '../text.ts';
import { problemFrom, type ReadingJob, type ReadingMessage, type ReadingOrder } from './messages.ts';

/** What a thread may take for what it reads. */
export const BOUNDS = {
  /** Mebibytes of its heap. */
  heap: 192,
  /** Milliseconds of CPU for anything; more for each byte. */
  cpu: 5_000,
  /** Milliseconds without a message although nothing is missing. */
  silence: 60_000,
};
export type Bounds = typeof BOUNDS;
/** Milliseconds between two looks at it. */
const LOOK = 500;

const tooCostly = (): Problem => malformed(sentence('file-costly', {}));

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
export interface Source {
  readonly job: ReadingJob;
  /** All of it, where it has arrived. */
  readonly file?: UnnamedFile | undefined;
  readonly cpuPerByte: number;
  /** Returns the blocks, `undefined` after the last one. */
  readonly next: () => Promise<Uint8Array<ArrayBuffer> | undefined>;
  readonly signal: AbortSignal | undefined;
  /** Where former words are noted. */
  readonly uses: FormerUses | undefined;
}

/** What has been read. */
export type Read = Extract<ReadingMessage, { readonly batch: unknown } | { readonly members: unknown }>;

/** Has a thread read, as fast as what is read is taken. Returns how many bytes it was. */
export async function* dialogue(
  worker: Worker,
  { job, file, cpuPerByte, next, signal, uses }: Source,
  bounds: Bounds,
): AsyncGenerator<Read, number> {
  const messages: ReadingMessage[] = [];
  let bytes = file?.size() ?? 0;
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
  const onError = (error: Error): void => add({ fault: outOfMemory(error, bounds.heap) ?? error });
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
      else if ('batch' in message || 'members' in message) {
        isTaken = true;
        yield message;
        isTaken = false;
        heard = performance.now();
        tell({ wants: 'batch' });
      } else if ('former' in message) for (const each of message.former) noteUse(uses, each);
      else if ('end' in message) return bytes;
      else if ('fault' in message) throw message.fault;
      else if ('problem' in message) throw problemFrom(message.problem);
    }
  } finally {
    isOver = true;
    unwatch();
    signal?.removeEventListener('abort', onAbort);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
  }
}
