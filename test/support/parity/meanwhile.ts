import { setTimeout } from 'node:timers/promises';
import { randomFrom } from '../faults/random.ts';
import { type Mark, writeTo } from '../faults/writers.ts';

type Send = (url: string, init?: RequestInit) => Promise<Response>;

/** Milliseconds between two writes of a client. */
const PAUSE = 100;

/** @returns the same, with time for others between two requests */
export const slowly =
  (send: Send): Send =>
  async (url, init) => {
    await setTimeout(1);
    return send(url, init);
  };

/**
 * Three clients create, change and delete cars until what they run beside is over.
 *
 * @returns how many writes there were, and what `work` returns
 */
export const withWriters = async <T>(send: Send, work: () => Promise<T>): Promise<{ writes: number; result: T }> => {
  let isOver = false;
  let writes = 0;
  const writer = async (number: number): Promise<void> => {
    const random = randomFrom(number);
    const key = `writer-${crypto.randomUUID()}`;
    let mark: Mark;
    while (!isOver) {
      const { method, path, body, status, after } = writeTo(random, key, mark);
      const headers = { 'content-type': 'application/json' };
      const answer = await send(path, { method, ...(body !== undefined && { headers, body }) });
      if (answer.status !== status) throw new Error(`${method} ${path} is answered with ${answer.status}`);
      mark = after;
      writes += 1;
      await setTimeout(PAUSE);
    }
  };
  const all = Promise.all([1, 2, 3].map(writer));
  try {
    const result = await work();
    return { result, writes };
  } finally {
    isOver = true;
    await all;
  }
};
