/** What becomes here of what an API refuses. */
import type { Outcome } from '../../gateway/port/port.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Answer } from './exchange/exchange.ts';
import { badGateway } from './mapping/faults.ts';
import type { MappedCollection } from './mapping/mapping.ts';

/** @returns the problem of a refusal: whoever asks may not, or what it says cannot be used */
export const refused = ({ status, headers }: Answer, method: string): Problem => {
  const problem = badGateway(`status ${status} to ${method}`);
  const { cause } = problem;
  if (status === 403) return new Problem('forbidden', sentence('upstream-forbids', {}), { cause });
  if (status !== 401) return problem;
  const { 'www-authenticate': challenge } = headers;
  const own = challenge === undefined ? {} : { headers: { 'WWW-Authenticate': challenge } };
  return new Problem('unauthorized', sentence('key-invalid', {}), { cause, ...own });
};

/** Members that name a field: of RFC 9457 with pointers, of JSON:API, and of validators. */
const NAMING = ['pointer', 'field', 'path', 'param', 'property', 'name'];
const SAYING = ['detail', 'message', 'error', 'title'];
/** Characters of a message. */
const LONGEST = 200;

/** @returns the fields that a refusal of data names, in the shapes that are usual, and its message */
export const refusalIn = ({ fields }: MappedCollection, { content }: Answer): Outcome => {
  const { errors, ...said } = Object(content);
  const naming = Array.isArray(errors)
    ? errors.flatMap((each) => NAMING.map((name) => Object(each)[name]))
    : Object.keys(Object(errors));
  const named = naming.flat().map((name) => String(name).replace(/^\//, ''));
  const message = SAYING.map((name) => said[name]).find((text) => typeof text === 'string');
  return {
    kind: 'refused',
    fields: fields.filter(({ name }) => named.includes(name)).map(({ field }) => field.name),
    message: message?.slice(0, LONGEST),
  };
};
