import type { Exchange, Handler } from '../http/context.ts';
import { queryTextOf } from '../http/target.ts';
import { accepted, type Choice, type Choices, notAcceptable } from './accept.ts';

/**
 * The first steps of every GET: negotiation, then the query.
 *
 * @param choices the representations to choose from
 * @param readQuery throws where the query is invalid
 * @param respond receives the chosen representation and the query
 * @param named the representation that the query names, if any, which overrides `Accept`
 */
export const get =
  <T extends Choice<T>, Q>(
    choices: Choices<T>,
    readQuery: (search: string) => Q,
    respond: (c: Exchange, chosen: T, query: Q) => Response | Promise<Response>,
    named: (query: Q) => T | undefined = () => undefined,
  ): Handler =>
  (c) => {
    const acceptable = accepted(c.req.raw.headers.get('accept'), choices);
    const read = (): Q => {
      try {
        return readQuery(queryTextOf(c));
      } catch (error) {
        throw acceptable === undefined ? notAcceptable(choices) : error;
      }
    };
    const query = read();
    const chosen = named(query) ?? acceptable;
    if (chosen === undefined) throw notAcceptable(choices);
    return respond(c, chosen, query);
  };
