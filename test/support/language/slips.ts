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

/** Letters to add, lose, change or swap on the way from one word to another, case aside (optimal string alignment). */
export const distance = (from: string, to: string): number => {
  const [a, b] = [lower(from), lower(to)];
  const rows: number[][] = [b.map((_, at) => at), []];
  rows[0] = [0, ...b.map((_, at) => at + 1)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + change];
      rows[i]?.push(Math.min(...steps, ...(swap ? [cell(i - 2, j - 2) + 1] : [])));
    }
  }
  return cell(a.length, b.length);
};
