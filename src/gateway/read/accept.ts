import { parseAccept } from 'hono/utils/accept';
import type { Choice, Choices } from '../formats/representation.ts';
import type { Exchange, Handler } from '../http/context.ts';
import { readQueryText } from '../http/exchange.ts';
import { sentence } from '../texts/phrase.ts';
import { headerProblem, type Problem } from '../texts/problem.ts';

export const JSON_ONLY: Choices<{ readonly type: string }> = [{ type: 'application/json' }];

/** The ranges of `Accept` by their types, with their highest weights and the parameters that select variants. */
type Ranges = ReturnType<typeof parseRanges>;

/** Parses a header, without ranges that ask for a variant that does not exist. */
function parseRanges(accept: string, choices: readonly Choice<unknown>[]) {
  const ranges = new Map<string, { readonly weight: number; readonly parameters: ReadonlyMap<string, string> }>();
  // The heaviest first.
  for (const { type, q: weight, params } of parseAccept(accept.toLowerCase())) {
    const variants = choices.find((choice) => choice.type === type)?.variants?.parameters ?? {};
    // Unknown parameters are ignored.
    const parameters = Object.entries(params).filter(([name]) => Object.hasOwn(variants, name));
    const isVariant = parameters.every(([name, value]) => variants[name]?.includes(value));
    if (!ranges.has(type) && isVariant) ranges.set(type, { weight, parameters: new Map(parameters) });
  }
  return ranges;
}

/** @returns the most specific range that covers a type */
const findRange = (ranges: Ranges, type: string) =>
  ranges.get(type) ?? ranges.get(type.replace(/\/.*/, '/*')) ?? ranges.get('*/*');

/** @returns the choice with the highest weight, by the most specific range of `Accept` that covers each (RFC 9110 §12.5.1), if one is accepted */
export function findAcceptable<T extends Choice<T>>(accept: string | null | undefined, choices: Choices<T>) {
  const [first] = choices;
  // The most common headers, recognised without parsing.
  if (!accept || accept === '*/*' || accept === first.type || accept.trim() === '') return first;
  const ranges = parseRanges(accept, choices);
  const weights = choices.map(({ type }) => findRange(ranges, type)?.weight ?? 0);
  const heaviest = Math.max(...weights);
  const choice = heaviest > 0 ? choices[weights.indexOf(heaviest)] : undefined;
  const parameters = choice && findRange(ranges, choice.type)?.parameters;
  return parameters?.size ? choice?.variants?.make(parameters) : choice;
}

/** @returns a choice's type with its parameters, as a problem lists it */
function describeChoice({ type, variants }: Choice<unknown>): string {
  if (!variants) return type;
  const parameters = Object.entries(variants.parameters).map(([name, values]) => `${name}=${values.join('|')}`);
  return `${type} (${parameters.join('; ')})`;
}

function notAcceptableProblem(choices: readonly Choice<unknown>[]): Problem {
  const type = choices.map(describeChoice).join(', ');
  return headerProblem('Accept', 'not-acceptable', sentence('not-acceptable', { type }));
}

/** @throws Problem `not-acceptable` if the client accepts none of the choices */
export function chooseType<T extends Choice<T>>(headers: Headers, choices: Choices<T>): T {
  const choice = findAcceptable(headers.get('accept'), choices);
  if (choice === undefined) throw notAcceptableProblem(choices);
  return choice;
}

/** @returns the variant that `Accept` asks for of a choice that the query names. @throws Problem `not-acceptable` if there is none */
function selectVariant<T extends Choice<T>>(accept: string | null, choice: T): T {
  if (!accept || !choice.variants) return choice;
  const parameters = findRange(parseRanges(accept, [choice]), choice.type)?.parameters;
  const isAsked = parseAccept(accept.toLowerCase()).some(({ type }) => type === choice.type);
  if (isAsked && !parameters) throw notAcceptableProblem([choice]);
  return parameters?.size ? choice.variants.make(parameters) : choice;
}

/** Calls a synchronous reader; the response names the former words that it accepts. */
export function readWords<T>({ env }: Exchange, read: () => T): T {
  return env?.formerWords ? env.formerWords.during(read) : read();
}

/** Takes the first steps of every GET: negotiation, then the query. @param findNamed finds the choice that the query names, which overrides `Accept` */
export function negotiate<T extends Choice<T>, Q>(
  c: Exchange,
  choices: Choices<T>,
  readQuery: (search: string) => Q,
  findNamed: (query: Q) => T | undefined = () => undefined,
): { readonly choice: T; readonly query: Q } {
  const accept = c.req.raw.headers.get('accept');
  const acceptable = findAcceptable(accept, choices);
  let query: Q;
  try {
    query = readWords(c, () => readQuery(readQueryText(c)));
  } catch (error) {
    throw acceptable === undefined ? notAcceptableProblem(choices) : error;
  }
  const namedChoice = findNamed(query);
  const choice = namedChoice ? selectVariant(accept, namedChoice) : acceptable;
  if (choice === undefined) throw notAcceptableProblem(choices);
  return { choice, query };
}

/** @returns the handler of a GET that needs nothing but a choice and a query */
export function get<T extends Choice<T>, Q>(
  choices: Choices<T>,
  readQuery: (search: string) => Q,
  respond: (c: Exchange, choice: T, query: Q) => Response | Promise<Response>,
): Handler {
  return (c) => {
    const { choice, query } = negotiate(c, choices, readQuery);
    return respond(c, choice, query);
  };
}
