/** Client text in responses is truncated to this many code points. */
export const TEXT_LIMIT = 200;

/** @returns the text, truncated if it is too long to be repeated in a response */
export const truncate = (text: string): string => {
  if (text.length <= TEXT_LIMIT) return text;
  // A surrogate pair is two units.
  const points = [...text.slice(0, 2 * TEXT_LIMIT + 2)];
  return points.length <= TEXT_LIMIT ? text : `${points.slice(0, TEXT_LIMIT).join('')}…`;
};
