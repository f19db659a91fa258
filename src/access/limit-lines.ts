import { flatText } from '../http/server/response.ts';
import type { RateLimit } from './rate-limiter.ts';

/** The texts of numbers below a thousand that follow other digits. */
const DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * Of one response to the next only the last digits change, for most of a second: all other text is made once.
 *
 * @returns a function that writes the header lines of the limit and of what remains of it until the window ends in some seconds
 * (draft-ietf-httpapi-ratelimit-headers-11 §3 and §4)
 */
export const limitLines = ({ quota, window }: RateLimit): ((remaining: number, seconds: number) => string) => {
  const policy = `RateLimit-Policy: "default";q=${quota};w=${window}\r\nRateLimit: "default";r=`;
  let thousands = 0;
  let begin = policy;
  let known = -1;
  let end = '';
  return (remaining, seconds) => {
    if (seconds !== known) {
      known = seconds;
      end = `;t=${seconds}\r\n`;
    }
    const last = remaining % DIGITS.length;
    if (remaining === last) return `${policy}${last}${end}`;
    if (remaining - last !== thousands) {
      thousands = remaining - last;
      begin = flatText(`${policy}${thousands / DIGITS.length}`);
    }
    return `${begin}${DIGITS[last]}${end}`;
  };
};
