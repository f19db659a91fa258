import type { Allowance, RateLimit } from './rate-limiter.ts';

/** The texts of numbers below a thousand that follow other digits. */
const DIGITS = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** @returns the function, which then makes the text of the same number once for all calls in a row */
const oncePerNumber = (make: (number: number) => string): ((number: number) => string) => {
  let last = -1;
  let text = '';
  return (number) => {
    if (number !== last) {
      last = number;
      text = make(number);
    }
    return text;
  };
};

/**
 * Of one response to the next only the last digits change, for most of a second: all other text is made once.
 *
 * @returns a function that writes the header lines of the limit and of what is left of it
 * (draft-ietf-httpapi-ratelimit-headers-11 §3 and §4)
 */
export const limitLines = ({ quota, window }: RateLimit): ((allowance: Allowance) => string) => {
  const begin = `RateLimit-Policy: "default";q=${quota};w=${window}\r\nRateLimit: "default";r=`;
  const beginOf = oncePerNumber((thousands) => `${begin}${thousands}`);
  const endOf = oncePerNumber((seconds) => `;t=${seconds}\r\n`);
  return ({ remaining, resets }) => {
    if (remaining < DIGITS.length) return `${begin}${remaining}${endOf(resets)}`;
    const last = remaining % DIGITS.length;
    return `${beginOf((remaining - last) / DIGITS.length)}${DIGITS[last]}${endOf(resets)}`;
  };
};
