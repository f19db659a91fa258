import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { HeaderRecord } from './headers.ts';

/**
 * One thing beside its address and the state of the database that a response depends on.
 *
 * @returns which of several responses a request gets; `undefined` where only its handler can tell
 */
export type Dependency = (incoming: HttpBindings['incoming']) => string | undefined;

/** A complete response to GET, as it is written, and all that it depends on. */
export interface CacheableResponse {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: HeaderRecord;
  readonly dependsOn: readonly Dependency[];
  /** Asked after a commit: whether the response is still what its handler would make. Without it the response is not. */
  readonly isCurrent?: (() => boolean) | undefined;
}

/** What a request brings beside itself; all of it absent in tests that call the app directly. */
export interface Env {
  Bindings: Partial<HttpBindings> & {
    /** The request target, where there is no `incoming` to have it. */
    readonly target?: string;
    /** Why the request is answered with a problem whatever it asks for. */
    readonly refusal?: unknown;
    /** Takes a response that may be sent again. */
    readonly record?: ((response: CacheableResponse) => void) | undefined;
  };
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
