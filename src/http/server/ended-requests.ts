import { performance } from 'node:perf_hooks';
import { type Batch, batchOf } from '../../model/batch.ts';
import type { CountedRequest, RouteMatch, ServedRequest } from '../../model/log.ts';
import { traceIdIn } from '../headers.ts';
import type { KnownAddress } from './response.ts';

/** Counts requests. */
interface Meter {
  /** Called with each request before its response. */
  readonly begin: () => void;
  readonly end: (request: CountedRequest) => void;
  /** Called with each request that got a response without having begun. */
  readonly count: (request: CountedRequest) => void;
  /** Called for each GET that the response cache may serve. */
  readonly cached: (isHit: boolean) => void;
}

/** The part of a request that is kept until it is counted and logged: small, because it survives garbage collections. */
interface EndedRequest extends Pick<ServedRequest, 'method' | 'status' | 'bytes' | 'requestId' | 'client' | 'wordsOf'> {
  readonly url: string;
  readonly known: KnownAddress | undefined;
  /** Milliseconds by `performance.now`. */
  readonly observedAt: number;
  readonly endedAt: number;
  readonly traceparent: string | readonly string[] | undefined;
}

/** Receives requests that have ended. */
export interface Listeners {
  readonly log?: ((served: readonly ServedRequest[]) => void) | undefined;
  readonly meter?: Meter | undefined;
  readonly routeOf: (target: string) => RouteMatch;
}

/** Milliseconds by which the clocks may differ through rounding; a greater difference means that the system clock was set. */
const ROUNDING = 2;

/** @returns a function to call for each batch; its result converts times of `performance.now` to milliseconds since 1970 */
const wallClock = (): (() => (at: number) => number) => {
  let origin = 0;
  const timeOf = (at: number): number => Math.floor(origin + at);
  return () => {
    const now = Date.now() - performance.now();
    if (Math.abs(now - origin) > ROUNDING) origin = now;
    return timeOf;
  };
};

/** Characters of a path that are logged. */
const LONGEST = 200;

export const pathIn = (target: string): string => {
  const end = target.indexOf('?');
  return target.slice(0, Math.min(end === -1 ? target.length : end, LONGEST));
};

/** @returns a batch of requests that have ended, which are counted and logged together */
export const endedRequests = ({ log, meter, routeOf }: Listeners): Batch<EndedRequest> => {
  const clock = wallClock();
  const countedOf = ({ method, url, known, status, observedAt, endedAt }: EndedRequest): CountedRequest => {
    const match = known?.match ?? routeOf(url);
    if (known) known.match = match;
    return { method, route: match.route, language: match.language, status, duration: endedAt - observedAt };
  };
  const servedOf = (request: EndedRequest, counted: CountedRequest, time: number): ServedRequest => {
    const { method, route, language, status, duration } = counted;
    const { url, bytes, requestId, client, traceparent, wordsOf } = request;
    const path = pathIn(url);
    const traceId = traceIdIn(traceparent);
    return { time, method, path, route, language, status, duration, bytes, requestId, client, traceId, wordsOf };
  };
  return batchOf<EndedRequest>((requests) => {
    const timeOf = clock();
    const served: ServedRequest[] = [];
    for (const request of requests) {
      const counted = countedOf(request);
      meter?.end(counted);
      if (log) served.push(servedOf(request, counted, timeOf(request.endedAt)));
    }
    log?.(served);
  });
};
