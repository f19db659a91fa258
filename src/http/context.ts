import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { HeaderRecord } from './headers.ts';

/**
 * Something that a response depends on besides its URL and the state of the database.
 *
 * @returns which variant of the response a request gets; `undefined` where only its handler can tell
 */
export type Dependency = (incoming: HttpBindings['incoming']) => string | undefined;

/** The item that a response is about. */
interface Source {
  /** From `Validator.nameOf`; without a name, `isCurrent` is called after every commit. */
  readonly name: string | undefined;
  /** Whether the handler would still make the same response. */
  readonly isCurrent: () => boolean;
}

/** A complete response to GET, and everything it depends on. */
export interface CacheableResponse {
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: HeaderRecord;
  readonly dependsOn: readonly Dependency[];
  /** Present where the response is about a single item. Any other response is stale after every commit. */
  readonly source?: Source | undefined;
}

/** The bindings of a request, all of them absent in tests that call the app directly. */
export interface Env {
  Bindings: Partial<HttpBindings> & {
    /** The request target, where there is no `incoming`. */
    readonly target?: string;
    /** Why the server refused the request before it reached the app. */
    readonly refusal?: unknown;
    /** Caches a response. */
    readonly record?: ((response: CacheableResponse) => void) | undefined;
    /** Writes a response at once, where the server can. @returns what the handler returns then */
    readonly send?: (
      status: number,
      content: CacheableResponse['content'] | null,
      headers: Record<string, string>,
    ) => Response;
  };
}

export type Exchange = Context<Env>;
export type Handler = (c: Exchange) => Response | Promise<Response>;
