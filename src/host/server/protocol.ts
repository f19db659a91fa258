import { HEADERS_LIMIT } from '../../gateway/http/headers.ts';
import { decode, TARGET_LIMIT } from '../../gateway/http/request.ts';
import { TEXT_LIMIT } from '../../gateway/locale/truncate.ts';
import { type Sentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem, type ProblemCode } from '../../gateway/texts/problem.ts';
import { byteSize } from '../../gateway/texts/size.ts';

/**
 * The standard requires closing after these: what follows on the connection cannot be trusted.
 *
 * @param suggestion the target, percent-encoded
 */
const closing = (code: ProblemCode, detail: Sentence, suggestion?: string): Problem =>
  new Problem(code, detail, { headers: { Connection: 'close' }, suggestion });

export const unreadable = (): Problem => closing('bad-request', sentence('request-unreadable', {}));
export const invalidHost = (): Problem => closing('bad-request', sentence('host-invalid', {}));
export const headersTooLarge = (): Problem =>
  closing('headers-too-large', sentence('headers-too-large', { limit: byteSize(HEADERS_LIMIT) }));
export const unknownVersion = (): Problem => closing('version-not-supported', sentence('version-unknown', {}));
export const unknownMethod = (): Problem => closing('not-implemented', sentence('method-unknown', {}));
export const unknownExpectation = (): Problem => closing('expectation-failed', sentence('expectation-failed', {}));
export const unknownCoding = (): Problem => closing('not-implemented', sentence('coding-unknown', {}));

/** A method's token, and the target. */
const METHOD = /^[\r\n]*([!#$%&'*+.^_`|~\w-]+) /;
const REQUEST_LINE = /^[\r\n]*[!#$%&'*+.^_`|~\w-]+ ([^\t\r\n ]+)/;
/** Bytes beyond ASCII in the first line, as browsers and people type them. */
const NOT_ASCII = /^[^\r\n]*[\x80-\xff]/;
const BEYOND_ASCII = /[\x80-\xff]/g;
const VERSION = / HTTP\/\d+\.\d+\r\n/;

/** The code of the fault that a request did not arrive in time. */
export const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

/** A fault of the parser, as Node reports it. */
export interface ParserFault extends Error {
  readonly code?: string;
  /** What was being read, from the start of the packet. */
  readonly rawPacket?: Buffer;
}

/** The start of the packet, which should contain the first line. */
const startOf = ({ rawPacket }: ParserFault): string => rawPacket?.toString('latin1', 0, 2 * TARGET_LIMIT) ?? '';

/** @returns the request target, as far as it was received */
export const targetIn = (fault: ParserFault): string => REQUEST_LINE.exec(startOf(fault))?.[1] ?? '/';

/** Characters of the longest registered method. */
const LONGEST_METHOD = 20;

/** @returns the method; empty where it was not received */
export const methodIn = (fault: ParserFault): string =>
  METHOD.exec(startOf(fault))?.[1]?.slice(0, LONGEST_METHOD) ?? '';

/** @returns the whole target, percent-encoded; `undefined` where it was not received whole, or is too long to be read */
const encodedTarget = (fault: ParserFault): string | undefined => {
  const target = targetIn(fault);
  const utf8 = target.replace(BEYOND_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  // Other bytes are probably Latin-1.
  const encoded = decode(utf8) === undefined ? target.replace(BEYOND_ASCII, encodeURIComponent) : utf8;
  return VERSION.test(startOf(fault)) && encoded.length <= TEXT_LIMIT ? encoded : undefined;
};

/** @returns the problem that a fault of the parser is */
export const parserProblem = (fault: ParserFault): Problem => {
  switch (fault.code) {
    case 'HPE_HEADER_OVERFLOW':
      if (targetIn(fault).length <= TARGET_LIMIT) return headersTooLarge();
      return closing('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) }));
    case 'HPE_INVALID_METHOD':
      return REQUEST_LINE.test(startOf(fault)) ? unknownMethod() : unreadable();
    case 'HPE_INVALID_VERSION':
      return VERSION.test(startOf(fault)) ? unknownVersion() : unreadable();
    case LATE:
      return closing('request-timeout', sentence('request-timeout', {}));
    default:
      if (!NOT_ASCII.test(startOf(fault))) return unreadable();
      return closing('bad-request', sentence('target-not-ascii', {}), encodedTarget(fault));
  }
};
