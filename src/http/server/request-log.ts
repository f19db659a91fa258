import type { IncomingMessage } from 'node:http';
import type { ServedRequest } from '../../model/log.ts';
import { idFrom, REQUEST_ID_KEY } from '../headers.ts';
import type { Stage } from './pipeline.ts';

/** Where a path leads. */
export interface Place {
  readonly route: string;
  readonly language: string | undefined;
}

interface RequestLogOptions {
  readonly tell: (served: ServedRequest) => void;
  readonly placeOf: (path: string) => Place | undefined;
  readonly clientOf: (incoming: IncomingMessage) => string | undefined;
}

/** Characters of a path that are told. */
const LONGEST = 200;

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values */
const TRACE_PARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

const traceIn = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? TRACE_PARENT.exec(header)?.[1] : undefined;

/** Gives a request its identifier, as if the client had sent it: whoever responds takes it over. */
const identify = ({ headers }: IncomingMessage): string => {
  const id = idFrom(headers[REQUEST_ID_KEY]);
  headers[REQUEST_ID_KEY] = id;
  return id;
};

/** Tells of each request, whoever answers it. What Node's parser refuses is no request yet. */
export const requestLog =
  ({ tell, placeOf, clientOf }: RequestLogOptions): Stage =>
  (incoming, outgoing) => {
    const { socket, method = '', url = '', headers } = incoming;
    const start = performance.now();
    const bytesBefore = socket.bytesWritten;
    const requestId = identify(incoming);
    outgoing.once('close', () => {
      const end = url.indexOf('?');
      const path = end === -1 ? url : url.slice(0, end);
      const place = placeOf(path);
      tell({
        method,
        path: path.slice(0, LONGEST),
        route: place?.route,
        language: place?.language,
        status: outgoing.headersSent ? outgoing.statusCode : undefined,
        duration: performance.now() - start,
        bytes: socket.bytesWritten - bytesBefore,
        requestId,
        client: clientOf(incoming),
        traceId: traceIn(headers.traceparent),
      });
    });
    return false;
  };
