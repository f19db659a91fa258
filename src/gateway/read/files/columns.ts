/** The letters by which spreadsheet programs call columns: A, …, Z, AA, … */
const A = 65;
const LETTERS = 26;

/** @param at the index of a column */
export const lettersOf = (at: number): string =>
  (at < LETTERS ? '' : lettersOf(Math.floor(at / LETTERS) - 1)) + String.fromCharCode(A + (at % LETTERS));

/** @returns the index of the column of a cell, such as `AB12`; -1 where there are no letters */
export const columnOf = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - A;
    if (letter < 0 || letter >= LETTERS) break;
    column = column * LETTERS + letter + 1;
  }
  return column - 1;
};
