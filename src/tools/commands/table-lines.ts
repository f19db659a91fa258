/** @returns the lines of a table, its columns as wide as their widest cell */
export const tableLines = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widthOf = (at: number): number => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widthOf(at)))
      .join('  ')
      .trimEnd(),
  );
};
