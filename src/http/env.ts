import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** What a request brings beside itself: Node's own view of it, absent in tests that call the app directly. */
export interface Env {
  Bindings: Partial<HttpBindings>;
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
