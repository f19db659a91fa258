import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { describeCause, type Reason, Unavailable, unavailable } from '../../gateway/port/unavailable.ts';
import { toUnavailable } from './connection.ts';

type Services = Readonly<Record<string, (...args: never[]) => unknown>>;
type Question = readonly [name: string, args: readonly unknown[]];
/** An error has a reason if the database cannot do its work. */
type Message = { result: unknown } | { error: string; reason: Reason | undefined } | { progress: number };

/** The thread ended before it answered: what it was asked to do may have been done, or not. */
export class ThreadEnded extends Unavailable {
  constructor(cause: unknown) {
    super('database', { cause });
  }
}

/** The side that asks. The thread starts with the first question, and keeps the process alive only while it has one. */
export class Thread<S extends Services> {
  readonly #file: URL;
  readonly #options: WorkerOptions;
  readonly #onProgress: (rows: number) => void;
  readonly #questions: PromiseWithResolvers<unknown>[] = [];
  #worker: Worker | undefined;
  #isTerminated = false;

  constructor(file: URL, options: WorkerOptions, onProgress: (rows: number) => void = () => {}) {
    this.#file = file;
    this.#options = options;
    this.#onProgress = onProgress;
  }

  async ask<K extends keyof S & string>(name: K, args: Parameters<S[K]>): Promise<Awaited<ReturnType<S[K]>>> {
    if (this.#isTerminated) throw new ThreadEnded(new Error('the database is closed'));
    const question = Promise.withResolvers<unknown>();
    this.#worker ??= this.#start();
    this.#questions.push(question);
    this.#worker.ref();
    this.#worker.postMessage([name, args] satisfies Question);
    return (await question.promise) as Awaited<ReturnType<S[K]>>;
  }

  async terminate(): Promise<void> {
    this.#isTerminated = true;
    const ending = this.#worker?.terminate();
    this.#fail(new Error('the database is closed'));
    await ending;
  }

  #start(): Worker {
    const worker = new Worker(this.#file, this.#options);
    worker.on('message', (message: Message) => this.#receive(worker, message));
    worker.on('error', (error) => this.#fail(error));
    worker.on('exit', () => this.#worker === worker && this.#fail(new Error('the thread has ended')));
    worker.unref();
    return worker;
  }

  #receive(worker: Worker, message: Message): void {
    if ('progress' in message) {
      this.#onProgress(message.progress);
      return;
    }
    const question = this.#questions.shift();
    if ('result' in message) question?.resolve(message.result);
    else {
      const error = new Error(message.error);
      question?.reject(message.reason === undefined ? error : unavailable(error, message.reason));
    }
    if (this.#questions.length === 0) worker.unref();
  }

  #fail(error: unknown): void {
    this.#worker = undefined;
    for (const { reject } of this.#questions.splice(0)) reject(new ThreadEnded(error));
  }
}

async function answerQuestion(services: Services, [name, args]: Question): Promise<Message> {
  try {
    return { result: await services[name]?.(...(args as never[])) };
  } catch (error) {
    const unavailable = toUnavailable(error);
    return {
      error: describeCause(unavailable),
      reason: unavailable instanceof Unavailable ? unavailable.reason : undefined,
    };
  }
}

export function serve(services: Services): void {
  let lastAnswer: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', (question: Question) => {
    const answer = answerQuestion(services, question);
    lastAnswer = lastAnswer.then(async () => parentPort?.postMessage(await answer));
  });
}

export function sendProgress(rows: number): void {
  parentPort?.postMessage({ progress: rows } satisfies Message);
}
