import type { Exchange, Handler } from '../context.ts';
import { searchIn } from '../target.ts';
import { type Choices, choose } from './negotiate.ts';

/**
 * The start of every GET: first what the client accepts, then its query.
 *
 * @param choices what the response can be
 * @param readQuery throws where the query is at fault
 * @param respond is given what was chosen and read
 */
export const get =
  <T extends { readonly type: string }, Q>(
    choices: Choices<T>,
    readQuery: (search: string) => Q,
    respond: (c: Exchange, chosen: T, query: Q) => Response | Promise<Response>,
  ): Handler =>
  (c) =>
    respond(c, choose(c.req.raw.headers, choices), readQuery(searchIn(c)));
