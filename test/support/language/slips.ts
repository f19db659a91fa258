/** One letter that no alphabet of a table is likely to have twice in a row, and one beyond ASCII. */
const LETTERS = ['q', 'ŵ'];

const without = (letters: readonly string[], at: number): readonly string[] => letters.toSpliced(at, 1);
const swapped = (letters: readonly string[], at: number): readonly string[] =>
  letters.toSpliced(at, 2, ...letters.slice(at, at + 2).toReversed());

/** Every way to get one letter of a word wrong: lost, added, changed, swapped with its neighbour, in the wrong case. */
export const slipsOf = (word: string): readonly string[] => {
  const letters = [...word];
  const places = [...letters.keys()];
  const slips = [
    ...places.map((at) => without(letters, at)),
    ...places.slice(1).map((at) => swapped(letters, at - 1)),
    ...LETTERS.flatMap((letter) => [
      ...[...places, letters.length].map((at) => letters.toSpliced(at, 0, letter)),
      ...places.map((at) => letters.with(at, letter)),
    ]),
    ...places.map((at) => letters.with(at, letters[at]?.toUpperCase() ?? '')),
    [word.toUpperCase()],
  ].map((each) => each.join(''));
  return [...new Set(slips)].filter((slip) => slip !== word);
};

const lower = (word: string): readonly string[] => [...word.toLowerCase()];

/** @returns whether one letter that is added, lost, changed or swapped with its neighbour makes one word of the other, case aside */
export const isNear = (from: string, to: string): boolean => {
  const [a, b] = [lower(from), lower(to)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left.join('') === right.toReversed().join('');
};
