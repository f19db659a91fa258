/**
 * @param {string} text of a filter @param {number | undefined} scale of its field @param {string} tag of the language
 * @returns {string} a number with the API's point before decimals, if it is written as the table shows it; what else it may mean stays
 */
export const numberText = (text, scale, tag) => {
  const [, whole, decimals = ''] = /^(-?\d+),(\d+)$/.exec(text.trim()) ?? [];
  const isShown = scale !== undefined && (0.5).toLocaleString(tag).includes(',');
  return whole !== undefined && isShown && (decimals.length !== 3 || scale === 3) ? `${whole}.${decimals}` : text;
};
