/** For people, or for programs. */
export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** What the path of a request matches. */
export interface RouteMatch {
  /** The pattern of the route; `undefined` where the path matches none, although it may belong to a tree. */
  readonly route: string | undefined;
  /** The language of the tree; `undefined` outside all trees. */
  readonly language: string | undefined;
}

/** A completed request, as metrics count it: every member has a bounded number of values. */
export interface CountedRequest extends RouteMatch {
  readonly method: string;
  /** `undefined` where the connection ended before there was a response. */
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response; `undefined` where the headers were incomplete. */
  readonly duration: number | undefined;
}

/** Who sent a request. */
interface Sender {
  readonly requestId: string;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
  /** The id of the client's key, or a hash of its token's subject. */
  readonly clientId: string | undefined;
  /** The name of the client's key, or its token's subject. */
  readonly client: string | undefined;
  readonly address: string | undefined;
}

/** What a request has changed. */
export interface ChangeEvent {
  readonly action: 'created' | 'updated' | 'deleted' | 'imported';
  readonly collection: string;
  /** Of the item; of an import those of the parent. */
  readonly identifiers: readonly string[];
  /** The number of the change; an import has many. */
  readonly revision?: number;
  /** Of an import. */
  readonly created?: number;
  readonly updated?: number;
  readonly deleted?: number;
}

export type LoggedChange = ChangeEvent & Sender;

/** A completed request, as it is logged: no bodies, no secrets. */
export interface ServedRequest extends CountedRequest {
  /** Milliseconds since 1970 when its response ended. */
  readonly time: number;
  /** As sent, without the query, truncated where it is long. */
  readonly path: string;
  /** Of the response, headers included. */
  readonly bytes: number;
  readonly requestId: string;
  /** The name of the client's key, or its token's subject. */
  readonly client: string | undefined;
  readonly address: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
  /** The language of another tree's words for which it was refused. */
  readonly wordsOf: string | undefined;
}
