import type { IncomingHttpHeaders } from 'node:http';
import { sentence } from '../../../gateway/texts/phrase.ts';
import { Problem } from '../../../gateway/texts/problem.ts';

/** The problem of an answer that cannot be used. @param why for the log */
export const badGateway = (why: string): Problem =>
  new Problem('bad-gateway', sentence('upstream-unusable', {}), { cause: new Error(`upstream: ${why}`) });

/** The problem of a write that may have been done, or not. @param cause for the log */
export const unknownOutcome = (cause: unknown): Problem =>
  new Problem('outcome-unknown', sentence('write-unknown', {}), { cause });

/** @param most items that may be read to do here what the API cannot do */
export const tooLong = (most: number): Problem => new Problem('not-supported', sentence('upstream-limit', { most }));

/** @returns what a refusal there becomes here: whoever asks may not, or what it says cannot be used */
export const refused = (
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
  method: string,
): Problem => {
  const cause = new Error(`upstream: status ${status} to ${method}`);
  if (status === 401) {
    const challenge = headers['www-authenticate'];
    const more = challenge === undefined ? {} : { headers: { 'WWW-Authenticate': challenge } };
    return new Problem('unauthorized', sentence('key-invalid', {}), { cause, ...more });
  }
  if (status === 403) return new Problem('forbidden', sentence('upstream-forbids', {}), { cause });
  return badGateway(`status ${status} to ${method}`);
};
