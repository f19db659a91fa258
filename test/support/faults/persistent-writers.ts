/**
 * Clients that create, change and delete cars while the database comes and goes, and hold the service to each of its
 * answers: what was acknowledged is there, and nothing was done twice.
 */
import { setTimeout } from 'node:timers/promises';
import { en } from '../app/trees.ts';
import type { Random } from './random.ts';
import { type Mark, type Write, writeTo } from './writers.ts';

const KEYS_EACH = 10;
/** Milliseconds in which a service that still runs answers whatever befalls its database, with the short limits of these tests. */
export const RESPONSE_LIMIT = 20_000;
/** Milliseconds between two writes of a client, which leave the machine to what is tested. */
const PAUSE = 20;
/** Milliseconds between two tries, and in which one must have succeeded. */
const RETRY = 100;
const SETTLED = 60_000;

/** What the clients know, and what they were told. */
export interface PersistentLedger {
  readonly known: Map<string, Mark>;
  readonly counts: Record<Write['kind'] | 'refused' | 'broken', number>;
}

export const emptyPersistentLedger = (): PersistentLedger => ({
  known: new Map(),
  counts: { create: 0, change: 0, delete: 0, refused: 0, broken: 0 },
});

export const acknowledged = ({ counts }: PersistentLedger): number => counts.create + counts.change + counts.delete;

interface Reply {
  /** 0: the connection broke, or nothing came in time. */
  readonly status: number;
  readonly tag: string;
  readonly text: string;
}

const ask = async (address: string, method: string, body?: string, tag?: string): Promise<Reply> => {
  try {
    const answer = await fetch(address, {
      method,
      headers: { 'content-type': 'application/json', ...(tag === undefined ? {} : { 'if-match': tag }) },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(RESPONSE_LIMIT),
    });
    return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text() };
  } catch {
    return { status: 0, tag: '', text: '' };
  }
};

const isUnanswered = ({ status }: Reply): boolean => [0, 503, 504].includes(status);

/**
 * What became of a write that was not answered. A change that changes nothing tells, for it comes after every write that
 * was begun before; a mere look may come between a commit and its effect.
 */
const settle = async (originOf: () => string, key: string, possible: readonly Mark[]): Promise<Mark> => {
  const { cars, enginePower } = en;
  const deadline = performance.now() + SETTLED;
  for (;;) {
    const reply = await ask(`${originOf()}${cars}/${key}`, 'PUT', '{}');
    const mark: Mark = reply.status === 200 ? JSON.parse(reply.text)[enginePower] : undefined;
    if ((reply.status === 200 || reply.status === 404) && possible.includes(mark)) return mark;
    if (!isUnanswered(reply))
      throw new Error(`${key} is ${mark}, not ${possible.map(String).join(' or ')}: ${reply.text}`);
    if (performance.now() > deadline) throw new Error(`no answer about ${key} for ${SETTLED} ms`);
    await setTimeout(RETRY);
  }
};

/** Half of the changes are made on the condition that nothing has changed since: one that was done twice would be refused. */
const tagFor = async (origin: string, random: Random, { kind, path }: Write): Promise<string | undefined> => {
  if (kind === 'create' || random.chance(0.5)) return undefined;
  const { status, tag } = await ask(origin + path, 'GET');
  return status === 200 ? tag : undefined;
};

/**
 * One client, with cars that no other one writes: so it knows how each of its writes must be answered, 503 and 504 apart.
 *
 * @param originOf where to send the next request
 * @throws where one is answered otherwise
 */
export const writePersistently = async (
  originOf: () => string,
  random: Random,
  client: number,
  { known, counts }: PersistentLedger,
  isOver: () => boolean,
): Promise<void> => {
  while (!isOver()) {
    await setTimeout(PAUSE);
    const key = `car-${client}-${Math.floor(random.fraction() * KEYS_EACH)}`;
    const before = known.get(key);
    const write = writeTo(random, key, before);
    const origin = originOf();
    const tag = await tagFor(origin, random, write);
    const reply = await ask(origin + write.path, write.method, write.body, tag);
    if (reply.status === write.status) {
      known.set(key, write.after);
      counts[write.kind] += 1;
    } else if (isUnanswered(reply)) {
      counts[reply.status === 0 ? 'broken' : 'refused'] += 1;
      known.set(key, await settle(originOf, key, [before, write.after]));
    } else throw new Error(`${write.method} ${key} is answered ${reply.status}, not ${write.status}: ${reply.text}`);
  }
};
