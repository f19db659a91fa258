/** What an API says of data that it refuses, in the shapes that are usual. */
import type { Outcome } from '../../gateway/port/port.ts';
import type { Answer } from './exchange/exchange.ts';
import type { MappedCollection } from './mapping/mapping.ts';

/** Members that name a field: of RFC 9457 with pointers, of JSON:API, and of validators. */
const NAMING = ['pointer', 'field', 'path', 'param', 'property', 'name'];
const SAYING = ['detail', 'message', 'error', 'title'];
/** Characters of a message. */
const LONGEST = 200;

const namesIn = (errors: unknown): readonly unknown[] => {
  if (Array.isArray(errors)) return errors.flatMap((each) => NAMING.flatMap((name) => Object(each)[name]));
  return typeof errors === 'object' && errors !== null ? Object.keys(errors) : [];
};

/** @returns the fields that it names, and its message */
export const refusalIn = ({ fields }: MappedCollection, { content }: Answer): Outcome => {
  const said = Object(content);
  const named = namesIn(said.errors).map((name) => String(name).replace(/^\//, ''));
  const message = SAYING.map((name) => said[name]).find((text) => typeof text === 'string');
  return {
    kind: 'refused',
    fields: fields.filter(({ name }) => named.includes(name)).map(({ field }) => field.name),
    message: message?.slice(0, LONGEST),
  };
};
