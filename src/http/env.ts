import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Problem } from '../model/problem.ts';

/** A record, never a `Headers`: the server adapter writes it out as it is. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** A complete answer, as it is written. */
export interface Answer {
  readonly text: string;
  readonly headers: HeaderRecord;
}

/** What a request brings beside itself; all of it absent in tests that call the app directly. */
export interface Env {
  Bindings: Partial<HttpBindings> & {
    /** The request target, where there is no `incoming` to have it. */
    readonly target?: string;
    /** Why the request is answered with a problem whatever it asks for. */
    refusal?: Problem;
    /** Takes an answer that depends on nothing but the address and the state of the database. */
    readonly keep?: ((answer: Answer) => void) | undefined;
  };
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
