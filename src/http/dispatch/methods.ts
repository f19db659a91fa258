import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';
import type { Exchange, Handler } from '../context.ts';
import { ACCEPT_PATCH, type HeaderRecord, PREFLIGHT } from '../headers.ts';
import { allowOf, isSafe, type Method, REQUESTED_METHOD } from '../methods.ts';
import { ACCEPT_POST } from '../read/content-type.ts';
import { respond } from '../write/respond.ts';

/** The handlers of a resource by method. GET handles HEAD, too. */
export interface Methods extends Readonly<Partial<Record<Method, Handler>>> {
  /** Throws the same problem as GET where a path can never exist; elsewhere OPTIONS always succeeds. */
  readonly OPTIONS?: (c: Exchange) => void;
}

/**
 * One handler for all methods of a resource, so that `Allow` always lists exactly its methods.
 *
 * @param headers of a response to OPTIONS, besides `Allow`
 * @throws Problem `method-not-allowed`
 */
export const methodsHandler = ({ OPTIONS: check, ...methods }: Methods, headers: HeaderRecord = {}): Handler => {
  const handlers = new Map<string, Handler>(Object.entries(methods));
  const Allow = allowOf(handlers.keys());
  const options = {
    Allow,
    ...(methods.PATCH ? ACCEPT_PATCH : {}),
    ...(methods.POST ? ACCEPT_POST : {}),
    ...headers,
  };
  const preflight = (allowed: string): HeaderRecord => ({
    ...options,
    ...PREFLIGHT,
    'Access-Control-Allow-Methods': allowed,
  });
  const [reading, writing] = [preflight(allowOf([...handlers.keys()].filter(isSafe))), preflight(Allow)];
  /**
   * A preflight for a safe method gets the safe methods only: browsers cache the list, and the page may not be allowed to
   * write.
   */
  const optionsFor = ({ req }: Exchange): HeaderRecord => {
    const requested = req.header(REQUESTED_METHOD);
    if (requested === undefined) return options;
    return isSafe(requested) ? reading : writing;
  };

  return (c) => {
    const { method } = c.req;
    const handler = handlers.get(method === 'HEAD' ? 'GET' : method);
    if (handler) return handler(c);
    if (method === 'OPTIONS') {
      check?.(c);
      return respond(c, 204, null, optionsFor(c));
    }
    throw new Problem('method-not-allowed', sentence('method-not-allowed', { method, allow: Allow }), {
      headers: { Allow },
    });
  };
};
