import { parseAccept } from 'hono/utils/accept';
import type { Choice } from '../formats/representation.ts';
import type { Exchange, Handler } from '../http/context.ts';
import { readQueryText } from '../http/request.ts';
import { JSON_TYPE } from '../http/respond.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, type Problem } from '../texts/problem.ts';

/** Choices, the first of them for clients that accept any. */
export type Choices<T> = readonly [T, ...T[]];

export const JSON_ONLY: Choices<{ readonly type: string }> = [{ type: JSON_TYPE }];

/**
 * @returns the ranges of a header, each with its highest weight, and its parameters where it asks for a variant of its type; a
 *   range that asks for a variant that does not exist is left out
 */
const rangesIn = (accept: string, choices: readonly Choice<unknown>[]) => {
  const ranges = new Map<string, { weight: number; parameters: ReadonlyMap<string, string> }>();
  // The heaviest first.
  for (const { type, q: weight, params } of parseAccept(accept.toLowerCase())) {
    const known = choices.find((choice) => choice.type === type)?.variants?.parameters ?? {};
    // Unknown parameters are ignored.
    const parameters = Object.entries(params).filter(([name]) => Object.hasOwn(known, name));
    const isVariant = parameters.every(([name, value]) => known[name]?.includes(value));
    if (!ranges.has(type) && isVariant) ranges.set(type, { weight, parameters: new Map(parameters) });
  }
  return ranges;
};

/**
 * Weighs choices by the most specific range that covers each (RFC 9110 §12.5.1).
 *
 * @param accept the header, if sent
 * @returns the choice with the highest weight, the first of several; `undefined` where the client accepts none
 */
export const accepted = <T extends Choice<T>>(
  accept: string | null | undefined,
  choices: Choices<T>,
): T | undefined => {
  const [first] = choices;
  // The most common headers, recognised without parsing.
  if (!accept || accept === '*/*' || accept === first.type || accept.trim() === '') return first;
  if (accept.startsWith(`${first.type},`) && !accept.includes(';')) return first;
  const ranges = rangesIn(accept, choices);
  const rangeOf = ({ type }: T) => ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*');
  const weights = choices.map((choice) => rangeOf(choice)?.weight ?? 0);
  const heaviest = Math.max(...weights);
  const chosen = heaviest > 0 ? choices[weights.indexOf(heaviest)] : undefined;
  const parameters = chosen && rangeOf(chosen)?.parameters;
  return parameters?.size ? chosen?.variants?.make(parameters) : chosen;
};

/** @returns a choice's type with its parameters, as a problem lists it */
const described = ({ type, variants }: Choice<unknown>): string => {
  if (!variants) return type;
  const parameters = Object.entries(variants.parameters).map(([name, values]) => `${name}=${values.join('|')}`);
  return `${type} (${parameters.join('; ')})`;
};

/** @returns the problem for a client that accepts none of the choices */
const notAcceptable = (choices: readonly Choice<unknown>[]): Problem =>
  headerProblem('Accept', 'not-acceptable', sentence('not-acceptable', { type: choices.map(described).join(', ') }));

/** @throws Problem `not-acceptable` where the client accepts none of the choices */
export const choose = <T extends Choice<T>>(headers: Headers, choices: Choices<T>): T => {
  const chosen = accepted(headers.get('accept'), choices);
  if (chosen === undefined) throw notAcceptable(choices);
  return chosen;
};

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
    let query: Q;
    try {
      const uses = c.env?.formerWords;
      const read = () => readQuery(readQueryText(c));
      query = uses ? uses.during(read) : read();
    } catch (error) {
      throw acceptable === undefined ? notAcceptable(choices) : error;
    }
    const chosen = named(query) ?? acceptable;
    if (chosen === undefined) throw notAcceptable(choices);
    return respond(c, chosen, query);
  };
