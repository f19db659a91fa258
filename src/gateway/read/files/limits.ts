/** What files may have at most. docs/imports.md has the same table, with the sizes of whole files. */
export const limits = {
  /** UTF-16 units of a row: without a limit, one quotation mark too many would take the rest of a file into memory. */
  row: 1_048_576,
  /** Cells of a row, and so columns (https://support.microsoft.com/office/excel-specifications-and-limits). */
  cells: 16_384,
  /** The number of the last row of a sheet (the same page). */
  rows: 1_048_576,
  /** Bytes of a workbook as it is sent. */
  workbook: 67_108_864,
  /** Bytes of its unpacked parts together. */
  unpacked: 1_073_741_824,
  /** Unpacked bytes for each byte of it, which no genuine one comes near; a small workbook may have more. */
  ratio: 100,
  small: 16_777_216,
  /** Unpacked bytes of a part other than the sheet, whose texts stay in memory. */
  part: 134_217_728,
  /** Parts, shared texts, and styles of cells. */
  parts: 10_000,
  texts: 2_000_000,
  styles: 65_536,
  /** Characters of a number format, of which spreadsheet programs write 255. */
  format: 1_024,
  /** Open elements, and UTF-16 units without a tag. */
  depth: 64,
  text: 4_194_304,
} as const;
