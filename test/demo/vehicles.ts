import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** One row as a body: members in the words of the file's header, whole numbers as numbers where `numbers` says so. */
export type Vehicle = Readonly<Record<string, string | number>>;

/**
 * Reads a file of vehicles, with or without a byte-order mark.
 *
 * @param file its path
 * @param delimiter between cells
 * @param numbers the header's words for columns of whole numbers
 * @returns its rows in order; an empty cell is left out
 */
export const readVehicles = (file: URL | string, delimiter: string, numbers: readonly string[]): readonly Vehicle[] => {
  const rows: readonly Record<string, string>[] = parse(readFileSync(file), { bom: true, columns: true, delimiter });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([, cell]) => cell !== '')
        .map(([word, cell]) => [word, numbers.includes(word) ? Number(cell) : cell]),
    ),
  );
};
