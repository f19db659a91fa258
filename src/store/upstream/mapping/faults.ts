import { sentence } from '../../../gateway/texts/phrase.ts';
import { Problem } from '../../../gateway/texts/problem.ts';

/** The problem of an answer that cannot be used. @param why for the log */
export const badGateway = (why: string): Problem =>
  new Problem('bad-gateway', sentence('upstream-unusable', {}), { cause: new Error(`upstream: ${why}`) });

/** The problem of a write that may have been done, or not. @param cause for the log */
export const unknownOutcome = (cause: unknown): Problem =>
  new Problem('outcome-unknown', sentence('write-unknown', {}), { cause });
