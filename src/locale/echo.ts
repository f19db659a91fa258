/** Client text and lists of words in sentences are truncated to this many code points. */
export const ECHO_LIMIT = 200;

/** @returns the text, truncated if it is too long to be repeated in a response */
export const truncate = (text: string): string => {
  if (text.length <= ECHO_LIMIT) return text;
  const points = [...text];
  return points.length <= ECHO_LIMIT ? text : `${points.slice(0, ECHO_LIMIT).join('')}…`;
};

const MORE = ', …';

/** @returns the words separated by commas, as many as a sentence has room for */
export const listed = (words: readonly string[]): string => {
  const whole = words.join(', ');
  if (whole.length <= ECHO_LIMIT) return whole;
  const cut = whole.lastIndexOf(', ', ECHO_LIMIT - MORE.length);
  return whole.slice(0, Math.max(cut, 0)) + MORE;
};
