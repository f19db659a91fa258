import type { TestResponse } from './app.ts';

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

/** @returns the page that a list links to; empty where it links to none */
export const linkedFrom = (answer: TestResponse, relation: string): string =>
  readLinks(answer).find(({ rel }) => rel === relation)?.address ?? '';
