import { expect, onTestFinished, test, vi } from 'vitest';
import type { Intent, Outcome } from '../../src/gateway/port/port.ts';
import { OutcomeUnknown, Unavailable } from '../../src/gateway/port/unavailable.ts';
import { CommitQueue } from '../../src/store/commit-queue.ts';

const removal = (key: string): Intent => ({ kind: 'remove', collection: 'cars', keys: [key] });

/** A queue whose commits end when they are told to, and what happened in order. */
const queueOf = (options: ConstructorParameters<typeof CommitQueue>[1] = {}) => {
  const events: string[] = [];
  const ends: PromiseWithResolvers<readonly Outcome[]>[] = [];
  const queue = new CommitQueue((intents) => {
    events.push(`commit of ${intents.length}`);
    const end = Promise.withResolvers<readonly Outcome[]>();
    ends.push(end);
    return end.promise;
  }, options);
  const begun = (count: number) => expect.poll(() => ends.length, { interval: 1 }).toBe(count);
  const send = async (key: string): Promise<void> => {
    await queue.write(removal(key)).then(
      () => events.push(`${key} is told`),
      () => events.push(`${key} is refused`),
    );
  };
  return { events, ends, begun, send };
};

test('the next commit begins before the writers of the last one are told, which does not wait for its end', async () => {
  const { events, ends, begun, send } = queueOf();
  const first = send('a');
  await begun(1);
  const others = [send('b'), send('c')];
  ends[0]?.resolve([{ kind: 'removed', change: 1 }]);
  await first;
  expect(events).toEqual(['commit of 1', 'commit of 2', 'a is told']);
  ends[1]?.resolve([
    { kind: 'removed', change: 1 },
    { kind: 'removed', change: 2 },
  ]);
  await Promise.all(others);
  expect(events.slice(3)).toEqual(['b is told', 'c is told']);
});

test('where one intent breaks off the commit of a batch, it alone is refused', async () => {
  const { events, ends, begun, send } = queueOf();
  const first = send('a');
  await begun(1);
  const all = ['b', 'c', 'd'].map(send);
  ends[0]?.resolve([{ kind: 'removed', change: 1 }]);
  await first;
  ends[1]?.reject(new TypeError('a fault'));
  await begun(3);
  ends[2]?.resolve([{ kind: 'removed', change: 2 }]);
  await begun(4);
  ends[3]?.reject(new TypeError('a fault'));
  await begun(5);
  ends[4]?.resolve([{ kind: 'removed', change: 3 }]);
  await Promise.all(all);
  expect(events).toEqual([
    ...['commit of 1', 'commit of 3', 'a is told', 'commit of 1', 'commit of 1', 'commit of 1'],
    ...['b is told', 'c is refused', 'd is told'],
  ]);
});

test('a database that fails is not asked again for each of a batch', async () => {
  const { events, ends, begun, send } = queueOf();
  const first = send('a');
  await begun(1);
  const all = ['b', 'c'].map(send);
  ends[0]?.resolve([{ kind: 'removed', change: 1 }]);
  await first;
  ends[1]?.reject(new Unavailable('database'));
  await Promise.all(all);
  expect(events).toEqual(['commit of 1', 'commit of 2', 'a is told', 'b is refused', 'c is refused']);
});

test('a commit that breaks off refuses its own writes only', async () => {
  const { events, ends, begun, send } = queueOf();
  const first = send('a');
  await begun(1);
  const second = send('b');
  ends[0]?.reject(new Error('broken'));
  await first;
  await begun(2);
  ends[1]?.resolve([{ kind: 'removed', change: 1 }]);
  await second;
  expect(events).toEqual(['commit of 1', 'a is refused', 'commit of 1', 'b is told']);
});

/** Milliseconds. */
const LIMIT = 5_000;

test('no write waits longer than it may for a lock that somebody holds, whenever it came', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  // As PostgreSQL does, which is asked for the lock and gives up; SQLite says at once that it does not have it.
  const pause = (time: number): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, time, undefined));
  for (const commit of [(_: unknown, patience: number) => pause(patience), () => undefined]) {
    const queue = new CommitQueue(commit, { giveUp: LIMIT });
    const waits: number[] = [];
    for (let at = 0; at < 12; at++) {
      const since = performance.now();
      void queue.write(removal(`${at}`)).catch(() => waits.push(performance.now() - since));
      await vi.advanceTimersByTimeAsync(LIMIT / 5);
    }
    await vi.advanceTimersByTimeAsync(LIMIT);
    expect(waits).toHaveLength(12);
    expect(Math.min(...waits)).toBeGreaterThan(LIMIT / 2);
    expect(Math.max(...waits)).toBeLessThanOrEqual(LIMIT);
  }
});

test('a commit that has begun is waited for: a write gets its outcome, or learns after half a minute that it is unknown', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const end = Promise.withResolvers<readonly Outcome[]>();
  const queue = new CommitQueue(() => end.promise);
  const ended: unknown[] = [];
  queue.write(removal('a')).then(
    (outcome) => ended.push(outcome),
    (error) => ended.push(error),
  );
  // A long DELETE with cascades was refused after five seconds, and done.
  await vi.advanceTimersByTimeAsync(2 * LIMIT);
  const waiting = queue.write(removal('b'));
  await expect(Promise.all([waiting, vi.advanceTimersByTimeAsync(LIMIT)])).rejects.toBeInstanceOf(Unavailable);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(6 * LIMIT);
  const [error] = ended as OutcomeUnknown[];
  expect(error).toBeInstanceOf(OutcomeUnknown);
  end.resolve([{ kind: 'removed', change: 7 }]);
  expect(await error?.outcome).toEqual({ kind: 'removed', change: 7 });
});

/** A queue whose commits are done at once, and work between them that ends when it is told to. */
const workBetween = () => {
  const events: string[] = [];
  const queue = new CommitQueue(async (intents) => {
    events.push(`commit of ${intents.length}`);
    return intents.map(() => ({ kind: 'removed', change: 1 }) as const);
  });
  const begin = (name: string) => {
    const ends = Array.from({ length: 2 }, () => Promise.withResolvers<string | undefined>());
    let tries = 0;
    const done = queue
      .runBetween(() => {
        events.push(`${name} begins`);
        return ends[tries++]?.promise ?? Promise.resolve(undefined);
      })
      .then(
        (result) => events.push(`${name} is ${result}`),
        (error: unknown) => events.push(`${name} is refused: ${String(error instanceof Unavailable)}`),
      );
    return { done, end: (result: string | undefined, at = 0) => ends[at]?.resolve(result) };
  };
  const begun = (name: string, count = 1) =>
    expect.poll(() => events.filter((event) => event === `${name} begins`).length, { interval: 1 }).toBe(count);
  return { events, queue, begin, begun };
};

test('writes wait while work between commits is done, and are committed together after it', async () => {
  const { events, queue, begin, begun } = workBetween();
  const work = begin('work');
  await begun('work');
  const writes = ['a', 'b'].map((key) => queue.write(removal(key)));
  work.end('done');
  await Promise.all([work.done, ...writes]);
  expect(events.filter((event) => event !== 'work is done')).toEqual(['work begins', 'commit of 2']);
});

test('work is done one after the other, with a commit of what waits between two', async () => {
  const { events, queue, begin, begun } = workBetween();
  const [one, other] = [begin('one'), begin('other')];
  await begun('one');
  const writing = queue.write(removal('a'));
  one.end('done');
  await begun('other');
  other.end('done');
  await Promise.all([one.done, other.done, writing]);
  const steps = events.filter((event) => !event.endsWith('is done'));
  expect(steps).toEqual(['one begins', 'commit of 1', 'other begins']);
});

test('work is tried again where another process holds the lock, and refused once the queue is closed', async () => {
  const { events, queue, begin, begun } = workBetween();
  const work = begin('work');
  await begun('work');
  work.end(undefined);
  await begun('work', 2);
  const drained = queue.drain();
  work.end(undefined, 1);
  await Promise.all([work.done, drained]);
  await begin('late').done;
  expect(events).toEqual(['work begins', 'work begins', 'work is refused: true', 'late is refused: true']);
});
