/** What is compared: two or more trees of an API whose requests and answers are translations of each other. */
import type { Answer } from './kit/canonical.ts';
import type { Fetch } from './kit/dictionary.ts';
import type { Difference } from './kit/same.ts';
import type { Request } from './kit/translate.ts';
import type { Random } from './random.ts';

export interface Case extends Request {
  /** What it is about; findings and JUnit name it. */
  readonly kind: string;
  /** Its query has the words of the other tree, which are refused, or are ignored as what nobody knows is. */
  readonly isForeign?: true;
  /** Asked of the list itself, which does what there is beside it: `/api/cars` instead of `/api/groups/cars`. */
  readonly isOnList?: true;
  /** What is asked after it: the next page, or the same with the entity tag that came, or with that of the other tree. */
  readonly follow?: 'next' | 'own tag' | 'other tag';
}

/** A case, and the tags of the two trees that it is asked in. */
export interface Trial {
  readonly asked: Case;
  readonly one: string;
  readonly other: string;
}

/** A request to one tree, and its answer. */
export interface Exchange {
  readonly tag: string;
  readonly request: Request;
  readonly answer: Answer;
}

/** Two answers that differ. */
export interface Mismatch {
  readonly exchanges: readonly [Exchange, Exchange];
  readonly differences: readonly Difference[];
}

export interface Subject {
  /** Tags of the trees, at least two. */
  readonly tags: readonly string[];
  /** Names of parameters whose use is counted. */
  readonly parameters: readonly string[];
  /** Sent with each request; they may be secret. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** @returns the address under which a tree is asked for a path and query */
  readonly addressOf: (tag: string, url: string) => string;
  /** @returns a case in the words of one of its trees */
  readonly say: (trial: Trial, tag: string) => Promise<Request>;
  readonly send: (request: Request, tag: string) => Promise<Answer>;
  /** @returns an answer without what is different each time */
  readonly steady: (answer: Answer, tag: string) => unknown;
  /** @returns where two answers differ, but for their words */
  readonly compare: (one: Exchange, other: Exchange, asked: Case) => Promise<readonly Difference[]>;
  /** @returns where a difference is, in names and without positions, so that one mistake is one place */
  readonly describePlace: (difference: Difference, exchange: Exchange) => string;
  /** @returns differences as people should see them */
  readonly explain: (mismatch: Mismatch) => readonly Difference[];
  /** @yields cases without an end; nothing if there is nothing to ask for */
  readonly makeCases: (random: Random) => Iterable<Case>;
  /** @yields what two trees answer to writes, each on items of its own; a mismatch without differences is none */
  readonly writes: (one: string, other: string, run: string) => AsyncIterable<{ trial: Trial; mismatch: Mismatch }>;
  /** Removes what writes have left. @returns how many items */
  readonly clean: () => Promise<number>;
  /** @returns where the documents of two trees differ */
  readonly compareDocuments: (one: string, other: string) => readonly Difference[];
}

/** What cannot be compared, and why. */
export class NotComparable extends Error {}

/** Milliseconds after which an answer is not waited for any longer. */
const PATIENCE = 30_000;
/** Seconds that a service may ask to wait at a time. */
const LONGEST_WAIT = 60;

/** @returns what asks in turn, at most `rate` times a second, and waits for as long as a service asks (429) */
export function createPoliteFetch(get: Fetch, rate: number | undefined): Fetch {
  let turn = 0;
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  return async (url, init) => {
    for (let tries = 0; ; tries++) {
      if (rate !== undefined) {
        turn = Math.max(turn + 1000 / rate, performance.now());
        await wait(turn - performance.now());
      }
      const response = await get(url, { ...init, signal: AbortSignal.timeout(PATIENCE) });
      if (response.status !== 429 || tries === 5) return response;
      const seconds = Number(response.headers.get('retry-after')) || 1;
      await wait(Math.min(Math.max(seconds, 0), LONGEST_WAIT) * 1000);
    }
  };
}
