import type { Seen } from './check.ts';
import { type Document, resolved } from './documents.ts';
import { pointerTo, type Tree } from './tree.ts';

/** HTTP's own, about the connection or the message; documents do not describe them. */
const TRANSPORT = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Rows of a list that are looked at, from each end. */
const SAMPLE = 100;

const headerFault = ({ document, validate }: Tree, name: string, { $ref }: Document, value: string | null): string => {
  const { required, schema } = resolved(document, { $ref });
  if (value === null) return required ? `the header ${name} is missing` : '';
  const isValid = validate(`${$ref.slice(1)}/schema`);
  return isValid(schema.type === 'integer' ? Number(value) : value)
    ? ''
    : `the header ${name} is “${value}”: ${JSON.stringify(isValid.errors)}`;
};

const headerFaults = (tree: Tree, response: Document, headers: Headers): readonly string[] => {
  const described = Object.entries<Document>(response.headers ?? {});
  const names = described.map(([name]) => name.toLowerCase());
  const others = [...headers.keys()].filter((name) => !names.includes(name) && !TRANSPORT.includes(name));
  return [
    ...described.map(([name, header]) => headerFault(tree, name, header, headers.get(name))),
    ...others.map((name) => `the header ${name} is not described`),
  ].filter((fault) => fault !== '');
};

/**
 * Of schemas that only a constant `code` tells apart the one that a body claims to be, or the last, which is for all other
 * codes: compiling every one of them for each answer of each operation would take longer than the tests.
 *
 * @returns where it is
 */
const claimed = ({ document }: Tree, pointer: string, schema: Document, body: Document): string => {
  const at = schema.$ref ? schema.$ref.slice(1) : pointer;
  const { oneOf } = resolved(document, schema);
  if (!oneOf) return at;
  const own = oneOf.find((each: Document) => resolved(document, each).properties.code.const === body.code);
  return (own ?? oneOf.at(-1)).$ref.slice(1);
};

const sample = (body: unknown): unknown =>
  Array.isArray(body) && body.length > 2 * SAMPLE ? [...body.slice(0, SAMPLE), ...body.slice(-SAMPLE)] : body;

const contentFaults = (tree: Tree, pointer: string, response: Document, seen: Seen): readonly string[] => {
  const { text, headers, method } = seen;
  if (text === undefined) return [];
  if (method === 'HEAD' || !response.content) return text === '' ? [] : ['there is content where none is described'];
  const type = headers.get('content-type')?.replace(/;.*/, '') ?? 'none';
  if (!response.content[type]) return [`the content type ${type} is not described`];
  const body = JSON.parse(text);
  const { schema } = response.content[type];
  const isValid = tree.validate(claimed(tree, pointer + pointerTo('content', type, 'schema'), schema, body));
  return isValid(sample(body)) ? [] : [JSON.stringify(isValid.errors)];
};

/** @returns what of an answer is not as its description, at that place of the document, says */
export const faultsOf = (tree: Tree, pointer: string, response: Document, seen: Seen): readonly string[] => [
  ...headerFaults(tree, response, seen.headers),
  ...contentFaults(tree, pointer, response, seen),
];
