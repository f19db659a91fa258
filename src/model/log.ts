/** For people, or for programs. */
export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** A request whose response has ended, as it is counted: without anything of which there are any number. */
export interface CountedRequest {
  readonly method: string;
  /** The pattern of the route; `undefined` where the path leads nowhere. */
  readonly route: string | undefined;
  /** The language of the tree; `undefined` outside all trees. */
  readonly language: string | undefined;
  /** `undefined` where the connection ended before there was a response. */
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response; `undefined` where they were never read whole. */
  readonly duration: number | undefined;
}

/** The same, as operators are told of it: no bodies, and nothing that lets anybody in. */
export interface ServedRequest extends CountedRequest {
  /** As it was sent, without its query, cut where it is long. */
  readonly path: string;
  /** Of the response, headers included. */
  readonly bytes: number;
  readonly requestId: string;
  /** The name of the client's key. */
  readonly client: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
  /** The language of the words for which it was refused, where they are another tree's. */
  readonly wordsOf: string | undefined;
}
