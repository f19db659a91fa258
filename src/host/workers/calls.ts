/** Calls between a worker and its primary: messages of plain data, by structured clone. */
import { type Reason, Unavailable } from '../../gateway/port/unavailable.ts';

/** What one process does for the other, by name. */
type Services = Readonly<Record<string, (...args: never[]) => unknown>>;

export type Message =
  /** With an id where a result is wanted. */
  | { readonly name: string; readonly args: readonly unknown[]; readonly id: number | undefined }
  | { readonly id: number; readonly value: unknown }
  /** The reason says that the database cannot do its work, which a clone of the error would not. */
  | { readonly id: number; readonly error: unknown; readonly reason: Reason | undefined };

export type Send = (messages: readonly Message[]) => void;

/**
 * @param send sends messages to the other process
 * @param own what this process does for the other one
 */
export const callsOver = <Others extends Services>(send: Send, own: Services) => {
  const awaited = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  let waiting: Message[] = [];
  const flush = (): void => {
    const messages = waiting;
    waiting = [];
    send(messages);
  };
  /** Those of one turn of the event loop are sent together, in their order: each piece costs two system calls. */
  const post = (message: Message): void => {
    if (waiting.push(message) === 1) setImmediate(flush);
  };
  const answer = async (id: number, work: () => unknown): Promise<void> => {
    try {
      post({ id, value: await work() });
    } catch (error) {
      post(
        error instanceof Unavailable
          ? { id, error: error.cause, reason: error.reason }
          : { id, error, reason: undefined },
      );
    }
  };
  const hear = (message: Message): void => {
    if ('name' in message) {
      const { name, args, id } = message;
      const work = () => own[name]?.(...(args as never[]));
      if (id === undefined) work();
      else void answer(id, work);
      return;
    }
    const { id } = message;
    const { resolve, reject } = awaited.get(id) ?? {};
    awaited.delete(id);
    if ('value' in message) resolve?.(message.value);
    else if (message.reason === undefined) reject?.(message.error);
    else reject?.(new Unavailable(message.reason, { cause: message.error }));
  };

  return {
    /** @returns its result, or throws its error */
    call: <K extends keyof Others & string>(
      name: K,
      ...args: Parameters<Others[K]>
    ): Promise<Awaited<ReturnType<Others[K]>>> => {
      const result = Promise.withResolvers<unknown>();
      last += 1;
      awaited.set(last, result);
      post({ name, args, id: last });
      return result.promise as Promise<Awaited<ReturnType<Others[K]>>>;
    },
    /** The same, where no result is wanted. */
    tell: <K extends keyof Others & string>(name: K, ...args: Parameters<Others[K]>): void =>
      post({ name, args, id: undefined }),
    heard: (messages: readonly Message[]): void => messages.forEach(hear),
    /** The other process has ended: nothing is awaited any longer. */
    gone: (): void => {
      for (const { reject } of awaited.values()) reject(new Error('the process has ended'));
      awaited.clear();
    },
  };
};
