import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WrittenResponse } from '../context.ts';
import { idFrom, REQUEST_ID_HEADER } from '../headers.ts';

/** Answers as written text, given again as long as the database is in the state that they tell of. */
export interface ResponseCache {
  /** Writes the answer to a request, where it is here. @returns whether it was */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** @returns what takes an answer that is about to be made, now or later; `undefined` where it is not worth keeping */
  readonly recorder: (target: string) => ((response: WrittenResponse) => void) | undefined;
}

interface Kept {
  readonly text: string;
  /** Names and values by turns, as Node writes them out; the request's id is put in before each time. */
  readonly headers: string[];
  readonly idAt: number;
}

/** Characters kept in all, and of one answer. */
const ROOM = 8_388_608;
const LARGEST = 65_536;
/** Characters that an answer takes beside its text. */
const OVERHEAD = 1_024;

/** Addresses that are remembered, by a power of two. */
const REMEMBERED = 16_384;

/**
 * Tells whether an address was asked for not long ago. Most are asked for once, and keeping their answers would cost more
 * than it saves.
 */
const memory = (): ((target: string) => boolean) => {
  const hashes = new Int32Array(REMEMBERED);
  return (target) => {
    // FNV-1a
    let hash = 0x811c9dc5;
    for (let at = 0; at < target.length; at++) hash = Math.imul(hash ^ target.charCodeAt(at), 0x01000193);
    const place = hash & (REMEMBERED - 1);
    if (hashes[place] === hash) return true;
    hashes[place] = hash;
    return false;
  };
};

const sizeOf = (target: string, text: string): number => target.length + text.length + OVERHEAD;

const withLength = ({ text, headers }: WrittenResponse): Kept => {
  const fields = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)) }).flat();
  return { text, headers: fields, idAt: fields.indexOf(REQUEST_ID_HEADER) + 1 };
};

/** @returns whether the request asks for no more than its address does: JSON, on no condition */
const isPlain = ({ method, headers }: IncomingMessage): boolean => {
  const { accept } = headers;
  return (
    method === 'GET' &&
    (accept === undefined || accept === '*/*' || accept === 'application/json') &&
    headers['if-none-match'] === undefined &&
    headers['if-match'] === undefined
  );
};

/**
 * No answer is older than the database: its state is looked at before an answer is made, and again each time before it is
 * given.
 *
 * @param stateNow a number that is another one after every commit, or `undefined` where that is not known
 */
export const responseCache = (stateNow: () => number | undefined): ResponseCache => {
  /** All of one state, oldest first. */
  const answers = new Map<string, Kept>();
  const isAskedAgain = memory();
  let state: number | undefined;
  let room = ROOM;

  const look = (): void => {
    const now = stateNow();
    if (now === state) return;
    answers.clear();
    room = ROOM;
    state = now;
  };
  const makeRoom = (): void => {
    for (const [target, { text }] of answers) {
      if (room >= 0) return;
      answers.delete(target);
      room += sizeOf(target, text);
    }
  };

  return {
    serve: (incoming, outgoing) => {
      if (!isPlain(incoming)) return false;
      look();
      const kept = answers.get(incoming.url ?? '');
      if (!kept) return false;
      kept.headers[kept.idAt] = idFrom(incoming.headers['x-request-id']);
      outgoing.writeHead(200, kept.headers).end(kept.text);
      return true;
    },
    recorder: (target) => {
      if (!isAskedAgain(target)) return undefined;
      const before = state;
      return (answer) => {
        const { text } = answer;
        // One that tells of a later state than it is kept under will never be found; one of an earlier state is not kept.
        if (state === undefined || state !== before || text.length > LARGEST || answers.has(target)) return;
        answers.set(target, withLength(answer));
        room -= sizeOf(target, text);
        makeRoom();
      };
    },
  };
};
