import { HEADERS_LIMIT } from '../../gateway/http/headers.ts';
import { decode, TARGET_LIMIT } from '../../gateway/http/request.ts';
import { TEXT_LIMIT } from '../../gateway/locale/truncate.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { byteSize } from '../../gateway/texts/size.ts';

/** The standard requires closing after these: what follows on the connection cannot be trusted. */
const CLOSE = { Connection: 'close' };

export const unreadable = (): Problem =>
  new Problem('bad-request', sentence('request-unreadable', {}), { headers: CLOSE });
/** @param suggestion the target, percent-encoded */
const notAscii = (suggestion: string | undefined): Problem =>
  new Problem('bad-request', sentence('target-not-ascii', {}), { headers: CLOSE, suggestion });
export const invalidHost = (): Problem => new Problem('bad-request', sentence('host-invalid', {}), { headers: CLOSE });
export const headersTooLarge = (): Problem =>
  new Problem('headers-too-large', sentence('headers-too-large', { limit: byteSize(HEADERS_LIMIT) }), {
    headers: CLOSE,
  });
const uriTooLong = (): Problem =>
  new Problem('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) }), { headers: CLOSE });
export const unknownVersion = (): Problem =>
  new Problem('version-not-supported', sentence('version-unknown', {}), { headers: CLOSE });
export const unknownMethod = (): Problem =>
  new Problem('not-implemented', sentence('method-unknown', {}), { headers: CLOSE });
export const unknownExpectation = (): Problem =>
  new Problem('expectation-failed', sentence('expectation-failed', {}), { headers: CLOSE });
export const unknownCoding = (): Problem =>
  new Problem('not-implemented', sentence('coding-unknown', {}), { headers: CLOSE });
const tooSlow = (): Problem => new Problem('request-timeout', sentence('request-timeout', {}), { headers: CLOSE });

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
      return targetIn(fault).length > TARGET_LIMIT ? uriTooLong() : headersTooLarge();
    case 'HPE_INVALID_METHOD':
      return REQUEST_LINE.test(startOf(fault)) ? unknownMethod() : unreadable();
    case 'HPE_INVALID_VERSION':
      return VERSION.test(startOf(fault)) ? unknownVersion() : unreadable();
    case LATE:
      return tooSlow();
    default:
      return NOT_ASCII.test(startOf(fault)) ? notAscii(encodedTarget(fault)) : unreadable();
  }
};
