import { Worker } from 'node:worker_threads';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { type Settled, unavailable } from '../commit-queue.ts';
import type { Intent, Outcome } from '../port.ts';

/** With its collection named: a collection itself holds functions, which no message can. */
type Named<T> = T extends { readonly collection: Collection }
  ? Omit<T, 'collection'> & { readonly collection: string }
  : T;

/** A batch to commit; `undefined` closes the connection. */
export type Ask = readonly Named<Intent>[] | undefined;

export interface Fault {
  readonly message: string;
  readonly isUnavailable: boolean;
}

/** What became of each, `undefined` where another process holds the lock; or why all of them failed. */
export type Answer =
  | { readonly settled: readonly (Named<Outcome> | { readonly kind: 'failed'; readonly fault: Fault })[] | undefined }
  | { readonly fault: Fault };

export interface Writer {
  readonly commit: (intents: readonly Intent[]) => Promise<readonly Settled[] | undefined>;
  /** Resolves once the thread's connection is closed. */
  readonly close: () => Promise<void>;
}

const errorOf = ({ message, isUnavailable }: Fault): Error =>
  isUnavailable ? unavailable(new Error(message)) : new Error(message);

/** As much of a field, and so of a catalogue, as writing needs and a message can hold. */
const bare = (catalogue: Catalogue) =>
  catalogue.map(({ name, parent, fields }) => ({
    name,
    parent: parent?.name,
    fields: fields.map(({ name: field, isKey, indexed, kind: { column, folded } }) => ({
      name: field,
      isKey,
      indexed,
      kind: { column, folded },
    })),
  }));

export type BareCatalogue = ReturnType<typeof bare>;

/**
 * A thread that writes, so that neither the disk nor the work of nine trees a row holds up the event loop. Started by the
 * first write.
 *
 * @param location the database's file
 * @param catalogue what it keeps
 */
export const writerThread = (location: string, catalogue: Catalogue): Writer => {
  let worker: Worker | undefined;
  let waiting: { readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void } | undefined;

  const collections = new Map(catalogue.map((collection) => [collection.name, collection]));
  const collectionOf = (name: string): Collection => {
    const found = collections.get(name);
    if (!found) throw new TypeError(`no collection "${name}"`);
    return found;
  };
  const start = (): Worker => {
    const workerData = { location, catalogue: bare(catalogue) };
    const started = new Worker(new URL('./writer-worker.ts', import.meta.url), { workerData });
    started.on('message', (answer: Answer) => waiting?.resolve(answer));
    started.on('error', (error) => {
      worker = undefined;
      // Nobody knows whether it was done.
      waiting?.reject(unavailable(error));
    });
    return started;
  };
  const ask = async (question: Ask): Promise<Answer> => {
    worker ??= start();
    const thread = worker;
    // A thread keeps the process alive only while it has something to write.
    thread.ref();
    try {
      return await new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        thread.postMessage(question);
      });
    } finally {
      waiting = undefined;
      thread.unref();
    }
  };
  const settledOf = (each: NonNullable<Extract<Answer, { settled: unknown }>['settled']>[number]): Settled => {
    if (each.kind === 'failed') return { kind: 'failed', error: errorOf(each.fault) };
    return each.kind === 'missing' ? { ...each, collection: collectionOf(each.collection) } : each;
  };

  return {
    commit: async (intents) => {
      const answer = await ask(intents.map((intent) => ({ ...intent, collection: intent.collection.name })));
      if ('fault' in answer) throw errorOf(answer.fault);
      return answer.settled?.map(settledOf);
    },
    close: async () => {
      if (!worker) return;
      worker.ref();
      const thread = worker;
      await new Promise((resolve) => {
        thread.once('exit', resolve);
        thread.postMessage(undefined satisfies Ask);
      });
    },
  };
};
