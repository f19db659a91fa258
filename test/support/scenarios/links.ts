import type { TestResponse } from '../app/app.ts';

export interface Link {
  readonly address: string;
  readonly rel: string;
  readonly hreflang: string | undefined;
}

const MEMBER = /<([^>]*)>((?:\s*;\s*[a-z]+="[^"]*")*)(?:\s*,\s*|$)/gy;
const attribute = (text: string, name: string): string | undefined =>
  new RegExp(`;\\s*${name}="([^"]*)"`).exec(text)?.[1];

/** @returns the members of a `Link` header (RFC 8288), all of it accounted for */
export const readLinks = ({ headers }: TestResponse): readonly Link[] => {
  const header = headers.get('link') ?? '';
  const members = [...header.matchAll(MEMBER)];
  if (members.map(([text]) => text).join('') !== header) throw new TypeError(`not a Link header: ${header}`);
  return members.map(([, address = '', attributes = '']) => ({
    address,
    rel: attribute(attributes, 'rel') ?? '',
    hreflang: attribute(attributes, 'hreflang'),
  }));
};

export const alternateTo = (answer: TestResponse, tag: string): string | undefined =>
  readLinks(answer).find(({ rel, hreflang }) => rel === 'alternate' && hreflang === tag)?.address;

/** A page beyond every safe integer is beyond every end, whatever its number. */
const settled = (value: string): string =>
  /^\d+$/.test(value) && Number(value) >= Number.MAX_SAFE_INTEGER ? 'beyond every end' : value;

/** An address as it counts: its path, and its query in any order. */
export const addressed = (path: string, pairs: Iterable<readonly [string, string]>): string =>
  [path, ...[...pairs].map(([name, value]) => `${name}=${settled(value)}`).sort()].join('\n');

export const parsed = (address: string): string => {
  const [path = '', query = ''] = address.split('?');
  return addressed(path, new URLSearchParams(query));
};

/** @returns the page that a list links to; empty where it links to none */
export const linkedFrom = (answer: TestResponse, relation: string): string =>
  readLinks(answer).find(({ rel }) => rel === relation)?.address ?? '';
