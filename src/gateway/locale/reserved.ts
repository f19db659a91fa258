/** First segments below the root that belong to no language: no table may use one as the path of a collection. */
export const RESERVED = {
  problems: 'problems',
  dictionaries: 'locales',
  documentation: 'docs',
  /** Every segment that begins with this. */
  openapi: 'openapi',
} as const;

export const isReserved = (segment: string): boolean =>
  segment.startsWith(RESERVED.openapi) || Object.values<string>(RESERVED).includes(segment);

/** The first segments of URLs that belong to no language. */
export const neutral = ['documentation', 'openapi', 'dictionaries', 'problems', 'live', 'ready'] as const;
