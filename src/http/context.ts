import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { HeaderRecord } from './headers.ts';

/**
 * One thing beside its address and the state of the database that a response depends on.
 *
 * @returns which of several responses a request gets; `undefined` where only its handler can tell
 */
export type Dependency = (incoming: HttpBindings['incoming']) => string | undefined;

/** The item that a response is about. */
interface Source {
  /** As `Validator.nameOf` tells it; without a name, `isCurrent` is asked after every commit. */
  readonly name: string | undefined;
  /** Whether the response is still what its handler would make. */
  readonly isCurrent: () => boolean;
}

/** A complete response to GET, as it is written, and all that it depends on. */
export interface CacheableResponse {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: HeaderRecord;
  readonly dependsOn: readonly Dependency[];
  /** Of a response about nothing but one item. Any other is taken for stale after every commit. */
  readonly source?: Source | undefined;
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
