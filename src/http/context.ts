import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** The bindings of a request, all of them absent in tests that call the app directly. */
export interface Env {
  Bindings: Partial<HttpBindings> & {
    /** The request target, where there is no `incoming`. */
    readonly target?: string;
    /** Why the server refused the request before it reached the app. */
    readonly refusal?: unknown;
  };
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
