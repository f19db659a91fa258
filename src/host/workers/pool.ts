import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { crashLimit } from './crashes.ts';
import { batched, type FromWorker, type ToWorker } from './messages.ts';
import { WorkerError } from './worker-error.ts';
import type { WorkerLink } from './worker-link.ts';

/** Crashes within a minute after which workers are no longer replaced. */
const CRASHES = 5;
/** Milliseconds that a worker may take longer to stop than its requests may. */
const GRACE = 1_500;

type Serving = Extract<FromWorker, { kind: 'serving' }>;

interface WorkerPoolOptions {
  readonly count: number;
  /** Environment variables besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Called for each worker. */
  readonly linkTo: (worker: number, tell: (message: ToWorker) => void) => WorkerLink;
  readonly log: Readonly<Record<'info' | 'error', (message: string) => void>>;
  /** Too many have ended. */
  readonly giveUp: () => void;
}

/** The processes that serve. */
export const workerPool = ({ count, env, linkTo, log, giveUp }: WorkerPoolOptions) => {
  const isOneTooMany = crashLimit(CRASHES);
  const tellers = new Map<Worker, (message: ToWorker) => void>();
  let isComplete = false;
  let isStopping = false;

  const fork = (): { readonly worker: Worker; readonly serving: Promise<Serving> } => {
    const worker = cluster.fork(env);
    const { promise, resolve, reject } = Promise.withResolvers<Serving>();
    const tell = batched<ToWorker>((messages) => {
      // A worker that has just ended receives no messages.
      if (worker.isConnected()) worker.send(messages, () => {});
    });
    tellers.set(worker, tell);
    const link = linkTo(worker.id, tell);
    worker.on('message', (messages: readonly FromWorker[]) => {
      for (const message of messages) {
        if (message.kind === 'serving') resolve(message);
        else link.heard(message);
      }
    });
    const end = (how: string): void => {
      tellers.delete(worker);
      link.gone();
      const what = `worker ${worker.process.pid ?? worker.id} ended: ${how}`;
      reject(new WorkerError(what));
      if (isComplete && !isStopping) replace(what);
    };
    worker.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    // Where there is no process, there is no exit either.
    worker.once('error', ({ message }) => end(message));
    return { worker, serving: promise };
  };
  const replace = (what: string): void => {
    if (isOneTooMany()) {
      log.error(`${what}, the last of ${CRASHES} within a minute: the service ends`);
      giveUp();
      return;
    }
    const { worker, serving } = fork();
    log.error(`${what}; worker ${worker.process.pid} takes its place`);
    // One that fails ends.
    serving.catch(() => {});
  };

  return {
    /** What the first has said; rejects where one ends before all serve. */
    start: async (): Promise<Serving> => {
      cluster.setupPrimary({ serialization: 'advanced' });
      const started = Array.from({ length: count }, () => fork().serving);
      const [first] = await Promise.all(started);
      if (!first) throw new TypeError('a service without workers');
      isComplete = true;
      return first;
    },
    reload: (): void => {
      for (const tell of tellers.values()) tell({ kind: 'reload' });
    },
    /** Resolves when all have ended. @param timeout milliseconds that their requests may take */
    stop: async (timeout: number): Promise<void> => {
      isStopping = true;
      const workers = [...tellers.keys()];
      const ended = workers.map((worker) => once(worker, 'exit'));
      for (const tell of tellers.values()) tell({ kind: 'stop' });
      const late = setTimeout(() => {
        for (const { process } of workers) process.kill('SIGKILL');
      }, timeout + GRACE);
      await Promise.all(ended);
      clearTimeout(late);
    },
  };
};
