/// <reference types="node" preserve="true" />
// Not by `HttpBindings` of the adapter, whose declarations have errors without `dom`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Hono } from 'hono';
import type { MaybePromise } from '../../util/maybe-promise.ts';
import type { FormerUses } from '../locale/history.ts';

/** A record, never a `Headers`: the server adapter writes it as it is. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** The bindings of a request, all of them absent in tests that call the app directly. */
export interface Env {
  Bindings: {
    readonly incoming?: IncomingMessage;
    readonly outgoing?: ServerResponse;
    /** The request target, if there is no `incoming`. */
    readonly target?: string;
    readonly mountedBy?: Context;
    /** What stands before the paths in this response, if it is not what stands before those of the gateway. */
    readonly base?: string;
    readonly policyHeaders?: HeaderRecord | undefined;
    /** The former words that were sent, if a table lists any. */
    readonly formerWords?: FormerUses;
  };
}

export type Exchange = Context<Env>;
/** The part of an exchange that is known even if no handler receives it. */
export interface RequestContext {
  readonly req: { readonly raw: Request; readonly method: string };
  /** Absent in tests that call the app directly. */
  readonly env: Env['Bindings'] | undefined;
}
export interface RouteMatch {
  /** The pattern of the route; `undefined` if the path matches none, although it may belong to a tree. */
  readonly route: string | undefined;
  /** The language of the tree; `undefined` outside all trees. */
  readonly language: string | undefined;
}

/** All that responds to requests, with or without a server. */
export interface Gateway {
  readonly app: Hono<Env>;
  /** Ends what goes on without an end, before the server stops. */
  readonly end: () => void;
  /** Makes the response to a request that does not reach the app, in the right language. */
  readonly refuse: (refusal: unknown, request: Request, bindings: Env['Bindings']) => MaybePromise<Response>;
  /** @returns the tag of the language in which a request is answered */
  readonly language: (request: Request, bindings: Env['Bindings']) => string;
  readonly findRoute: (target: string) => RouteMatch;
}

/** @returns the address of a request's client; `undefined` if it is unknown */
export type AddressOf = (incoming: IncomingMessage) => string | undefined;

export interface Limits {
  /** The most bytes of a body: of any but a file, and of a file. */
  readonly bodyLimit: number;
  readonly importLimit: number;
  /** The greatest share of a list, in percent, that an import may delete without `allow-deletions`. */
  readonly deletionShare: number;
}

export type Handler = (c: Exchange) => Response | Promise<Response>;

/** Every method that some resource supports. HEAD comes with GET, OPTIONS always. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export type ResourceHandler<R> = (c: Exchange, resource: R) => Response | Promise<Response>;

/** The handlers of a resource by method. GET handles HEAD, too. */
export interface Methods<R = undefined> extends Readonly<Partial<Record<Method, ResourceHandler<R>>>> {
  /** Throws the same problem as GET if a path can never exist; otherwise OPTIONS succeeds. */
  readonly OPTIONS?: (c: Exchange, resource: R) => void;
}

export type Routes<R = undefined> = Readonly<Record<string, Methods<R>>>;
