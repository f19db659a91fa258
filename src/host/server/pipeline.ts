import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { MaybePromise } from '../../util/maybe-promise.ts';

/** One step on the way of a request. @returns whether it has answered, so that no later one sees the request */
export type Middleware = (incoming: IncomingMessage, outgoing: ServerResponse) => MaybePromise<boolean>;

/**
 * @param middleware called in this order until one answers; none may reject
 * @param route passed last
 */
export const pipeline = (middleware: readonly Middleware[], route: RequestListener): RequestListener => {
  const passFrom = (first: number, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    for (let at = first; at < middleware.length; at++) {
      const isAnswered = middleware[at]?.(incoming, outgoing);
      if (isAnswered === true) return;
      if (isAnswered instanceof Promise) {
        void isAnswered.then((is) => is || passFrom(at + 1, incoming, outgoing));
        return;
      }
    }
    route(incoming, outgoing);
  };
  return (incoming, outgoing) => passFrom(0, incoming, outgoing);
};
