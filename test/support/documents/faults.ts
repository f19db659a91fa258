import { oncePer } from '../language/once.ts';
import type { Seen } from './check.ts';
import { type Document, resolved } from './documents.ts';
import { type DocumentedTree, pointerTo } from './tree.ts';

/** A response, and whether it was asked for some of its members only. */
interface Described extends Seen {
  readonly isPart: boolean;
}

/** HTTP's own, about the connection or the message; documents do not describe them. */
const TRANSPORT = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** On every response where requests are limited, as documents say in words. */
const LIMITS = ['ratelimit', 'ratelimit-policy'];

/** On responses to requests with former words, as documents say in words. */
const FORMER = ['deprecation', 'sunset'];

/** Rows of a list that are looked at, from each end. */
const SAMPLE = 100;

/** @returns what a header must be, by what a response refers to */
const headersIn = oncePer(({ document, validate }: DocumentedTree) =>
  oncePer(($ref: string) => {
    const { required, schema } = resolved(document, { $ref });
    return { required, isInteger: schema.type === 'integer', isValid: validate(`${$ref.slice(1)}/schema`) };
  }),
);

const headerFault = (tree: DocumentedTree, name: string, { $ref }: Document, value: string | undefined): string => {
  const { required, isInteger, isValid } = headersIn(tree)($ref);
  if (value === undefined) return required ? `the header ${name} is missing` : '';
  return isValid(isInteger ? Number(value) : value)
    ? ''
    : `the header ${name} is “${value}”: ${JSON.stringify(isValid.errors)}`;
};

/** On every response, as documents say in words. */
const COMMON: Readonly<Record<string, RegExp>> = {
  'cache-control': /^no-(?:cache|store(?:, no-transform)?)$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'content-security-policy': /^default-src 'none'; .*frame-ancestors 'none'$/,
  'access-control-allow-origin': /^\*$/,
  'access-control-expose-headers': /^\*$/,
  'x-request-id': /^[A-Za-z0-9._-]{1,64}$/,
};

/** Of a response to a preflight, which documents leave to browsers. */
const PREFLIGHT = ['access-control-allow-methods', 'access-control-allow-headers', 'access-control-max-age'];

/** Read once: `Headers` converts the name again each time that it is asked for one. */
type Fields = ReadonlyMap<string, string>;

const commonFaults = ({ tag, owns }: DocumentedTree, { target, text }: Seen, headers: Fields): readonly string[] => {
  const odd = Object.entries(COMMON).filter(([name, pattern]) => !pattern.test(headers.get(name) ?? ''));
  const language = headers.get('content-language');
  const isLost = Boolean(text) && language === undefined;
  const isForeign = language !== undefined && owns(target) && language.split(', ')[0] !== tag;
  return [
    ...odd.map(([name]) => `the header ${name} is “${headers.get(name)}”`),
    ...(isLost || isForeign ? [`the header content-language is “${language}”`] : []),
  ];
};

const headerFaults = (tree: DocumentedTree, response: Document, seen: Seen): readonly string[] => {
  const headers: Fields = new Map(seen.headers);
  const described = Object.entries<Document>(response.headers ?? {});
  const own = [...described.map(([name]) => name.toLowerCase()), ...(seen.method === 'OPTIONS' ? PREFLIGHT : [])];
  const names = [...own, ...Object.keys(COMMON), ...LIMITS, ...FORMER, 'content-language', 'vary'];
  const others = [...headers.keys()].filter(
    (name) => !names.includes(name) && !TRANSPORT.includes(name) && !(name === 'link' && headers.has('sunset')),
  );
  return [
    ...commonFaults(tree, seen, headers),
    ...described.map(([name, header]) => headerFault(tree, name, header, headers.get(name.toLowerCase()))),
    ...others.map((name) => `the header ${name} is not described`),
  ].filter((fault) => fault !== '');
};

const sample = (body: unknown): unknown =>
  Array.isArray(body) && body.length > 2 * SAMPLE ? [...body.slice(0, SAMPLE), ...body.slice(-SAMPLE)] : body;

const contentFaults = (
  tree: DocumentedTree,
  pointer: string,
  response: Document,
  seen: Described,
  isListed: boolean,
): readonly string[] => {
  const { text, headers, method } = seen;
  if (text === undefined) return [];
  if (method === 'HEAD' || !response.content) return text === '' ? [] : ['there is content where none is described'];
  const type = headers.get('content-type')?.replace(/;.*/, '') ?? 'none';
  if (!response.content[type]) return [`the content type ${type} is not described`];
  const body = /^application\/(?:[a-z]+\+)?json$/.test(type) ? JSON.parse(text) : text;
  const { 'x-codes': codes } = response;
  if (codes && isListed && !codes.includes(body.code)) return [`the code ${body.code} is not described`];
  const { schema } = response.content[type];
  const isValid = tree.validate(schema.$ref?.slice(1) ?? pointer + pointerTo('content', type, 'schema'));
  if (isValid(sample(body))) return [];
  // The document says in words that a part lacks members, required ones too.
  const errors = isValid.errors?.filter(({ keyword }) => !(seen.isPart && keyword === 'required')) ?? [];
  return errors.length === 0 ? [] : [JSON.stringify(errors)];
};

/**
 * @param pointer where in the document the response is described
 * @param isListed whether the codes that are described there are all that may come
 * @returns what of a response is not as described
 */
export const documentFaults = (
  tree: DocumentedTree,
  pointer: string,
  response: Document,
  seen: Described,
  isListed: boolean,
): readonly string[] => [
  ...headerFaults(tree, response, seen),
  ...contentFaults(tree, pointer, response, seen, isListed),
];
