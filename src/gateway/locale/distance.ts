/** @returns how many letters were added, lost, changed or swapped with a neighbour (optimal string alignment) */
export const distance = (from: readonly string[], to: readonly string[]): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = [0, ...to.map((_, at) => at + 1)];
  const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
  from.forEach((letter, row) => {
    const next = [row + 1];
    to.forEach((other, column) => {
      const isSwapped = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other;
      next.push(
        Math.min(
          at(last, column) + (letter === other ? 0 : 1),
          at(last, column + 1) + 1,
          at(next, column) + 1,
          isSwapped ? at(before, column - 1) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    });
    [before, last] = [last, next];
  });
  return at(last, to.length);
};
