/** For people, or for programs. */
export const logFormats = ['pretty', 'json'] as const;
export type LogFormat = (typeof logFormats)[number];

/** A request whose response has ended, as operators are told of it: no bodies, and nothing that lets anybody in. */
export interface ServedRequest {
  readonly method: string;
  /** As it was sent, without its query, cut where it is long. */
  readonly path: string;
  /** The pattern of the route; `undefined` where the path leads nowhere. */
  readonly route: string | undefined;
  /** The language of the tree; `undefined` outside all trees. */
  readonly language: string | undefined;
  /** `undefined` where the connection ended before there was a response. */
  readonly status: number | undefined;
  /** Milliseconds from the request's headers to the end of its response. */
  readonly duration: number;
  /** Of the response, headers included. */
  readonly bytes: number;
  readonly requestId: string;
  /** The name of the client's key. */
  readonly client: string | undefined;
  /** https://www.w3.org/TR/trace-context/#trace-id */
  readonly traceId: string | undefined;
}
