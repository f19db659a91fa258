const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** @returns a size as people read it, exact and the same in every language: `8 KiB`, `1 MiB`, `1500 B` (IEC 80000-13) */
export const byteSize = (bytes: number): string => {
  let unit = 0;
  let size = bytes;
  while (size >= 1024 && size % 1024 === 0 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size} ${UNITS[unit]}`;
};
