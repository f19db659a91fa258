import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Problem } from '../model/problem.ts';

/** What a request brings beside itself; all of it absent in tests that call the app directly. */
export interface Env {
  Bindings: Partial<HttpBindings> & {
    /** The request target, where there is no `incoming` to have it. */
    readonly target?: string;
    /** Why the request is answered with a problem whatever it asks for. */
    refusal?: Problem;
  };
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
