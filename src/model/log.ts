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

/** A completed request, as it is logged: no bodies, no secrets. */
export interface ServedRequest extends CountedRequest {
  /** Milliseconds since 1970 when its response ended. */
  readonly time: number;
  /** As sent, without the query, truncated where it is long. */
  readonly path: string;
  /** Of the response, headers included. */
  readonly bytes: number;
  readonly requestId: string;
  /** The name of the client's key. */
  readonly client: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
  /** The language of another tree's words for which it was refused. */
  readonly wordsOf: string | undefined;
}
