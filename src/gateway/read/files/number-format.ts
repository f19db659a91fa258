/** How the cells of a workbook show numbers (ECMA-376, part 1, §18.8.31). */

export interface NumberFormat {
  readonly isDate: boolean;
  /** How the digits of a whole number are shown; absent where that is how they are written. */
  readonly shown?: ((digits: string) => string) | undefined;
}

/** @returns a format that a file does not list (§18.8.30) */
export const builtInFormat = (id: number): NumberFormat => ({
  isDate: (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58),
});

/** Text that is quoted, escaped or in brackets, such as a colour. */
const LITERAL = /"[^"]*"?|[\\_].?|\[[^\]]*\]?/g;

/** @returns whether a format shows numbers as dates or times; elapsed hours, minutes and seconds are in brackets, too */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(code.replaceAll(LITERAL, (part) => (/^\[(?:h+|m+|s+)\]$/i.test(part) ? part : '')));

/** A piece of a format: zeros, or a text that is quoted, escaped, in brackets or a sign. A blank as wide as a sign is no text. */
const PIECE = /(0+)|"([^"]*)"|\\(.)|\[(?:\$([^\]<>=-]*)(?:-[^\]]*)?|[^\]$<>=]*)\]|_.|([-+():!^&'~{}$ ])/y;

/** @returns how a format shows whole numbers whose first section has several zeros, and nothing else but texts */
const shownBy = (code: string): NumberFormat['shown'] => {
  const pieces: { readonly zeros: number; readonly text: string }[] = [];
  for (let at = 0; at < code.length && code[at] !== ';'; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(code);
    if (!piece) return undefined;
    const [, zeros = '', ...texts] = piece;
    pieces.push({ zeros: zeros.length, text: texts.join('') });
  }
  const places = pieces.reduce((sum, { zeros }) => sum + zeros, 0);
  if (places < 2) return undefined;
  return (digits) => {
    const all = digits.padStart(places, '0');
    // Digits for which there is no zero stand before the first one.
    let from = 0;
    let to = all.length - places;
    return pieces
      .map(({ zeros, text }) => {
        if (zeros === 0) return text;
        to += zeros;
        const some = all.slice(from, to);
        from = to;
        return some;
      })
      .join('');
  };
};

export const numberFormat = (code: string): NumberFormat => ({ isDate: isDateFormat(code), shown: shownBy(code) });
