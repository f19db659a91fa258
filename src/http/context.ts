import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Problem } from '../texts/problem.ts';
import type { HeaderRecord } from './headers.ts';

/** A complete response, as it is written. */
export interface WrittenResponse {
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
    /** Records a response that depends on nothing but the address and the state of the database. */
    readonly record?: ((response: WrittenResponse) => void) | undefined;
  };
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
