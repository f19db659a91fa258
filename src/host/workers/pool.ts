import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { FaultsError } from '../../util/faults-error.ts';
import type { Message } from './calls.ts';
import { metering } from './metering.ts';
import { type Serving, workerLinks } from './worker-link.ts';

/** Crashes within a minute after which workers are no longer replaced. */
const CRASHES = 5;
/** Milliseconds. */
const MINUTE = 60_000;
/** Milliseconds that a worker may take longer to stop than its requests may. */
const GRACE = 1_500;

/**
 * @param most crashes within a minute
 * @param now milliseconds
 * @returns a function that counts a crash and returns whether that was one too many
 */
export const crashLimit = (most: number, now: () => number = () => performance.now()): (() => boolean) => {
  let times: readonly number[] = [];
  return () => {
    const time = now();
    times = [...times.filter((each) => each > time - MINUTE), time];
    return times.length >= most;
  };
};

interface WorkerPoolOptions {
  readonly count: number;
  /** Commits what they write. */
  readonly store: Parameters<typeof workerLinks>[0];
  /** Environment variables besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: { readonly error: (message: string) => void };
  /** Too many have ended. */
  readonly giveUp: () => void;
}

/** The processes that serve. */
export const workerPool = ({ count, store, env, log, giveUp }: WorkerPoolOptions) => {
  const isOneTooMany = crashLimit(CRASHES);
  const linkTo = workerLinks(store);
  const links = new Map<Worker, ReturnType<typeof linkTo>>();
  const meter = metering();
  let isComplete = false;
  let isStopping = false;

  const fork = (): { readonly worker: Worker; readonly serving: Promise<Serving> } => {
    const worker = cluster.fork(env);
    const { promise, resolve, reject } = Promise.withResolvers<Serving>();
    const send = (messages: readonly Message[]): void => {
      // A worker that has just ended receives no messages.
      if (worker.isConnected()) worker.send(messages, () => {});
    };
    const link = linkTo(worker.id, send, resolve);
    links.set(worker, link);
    worker.on('message', link.heard);
    const end = (how: string): void => {
      links.delete(worker);
      link.gone();
      meter.gone(worker.id);
      const what = `worker ${worker.process.pid ?? worker.id} ended: ${how}`;
      reject(new FaultsError([what]));
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
    collect: () => meter.collect([...links].map(([{ id }, link]) => [id, () => link.call('measure')] as const)),
    reload: (): void => {
      for (const link of links.values()) link.tell('reload');
    },
    /** Resolves when all have ended. @param timeout milliseconds that their requests may take */
    stop: async (timeout: number): Promise<void> => {
      isStopping = true;
      const workers = [...links.keys()];
      const ended = workers.map((worker) => once(worker, 'exit'));
      for (const link of links.values()) link.tell('stop');
      const late = setTimeout(() => {
        for (const { process } of workers) process.kill('SIGKILL');
      }, timeout + GRACE);
      await Promise.all(ended);
      clearTimeout(late);
    },
  };
};
