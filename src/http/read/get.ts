import type { Exchange, Handler } from '../context.ts';
import { searchIn } from '../target.ts';
import { accepted, type Choice, type Choices, notAcceptable } from './accept.ts';

/**
 * The start of every GET: first what the client accepts, then its query.
 *
 * @param choices what the response can be
 * @param readQuery throws where the query is at fault
 * @param respond is given what was chosen and read
 * @param named what a query chooses, if it does, whatever the client accepts
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
        return readQuery(searchIn(c));
      } catch (error) {
        throw acceptable === undefined ? notAcceptable(choices) : error;
      }
    };
    const query = read();
    const chosen = named(query) ?? acceptable;
    if (chosen === undefined) throw notAcceptable(choices);
    return respond(c, chosen, query);
  };
