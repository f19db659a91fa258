/** How the rows of a file say which item they are about: by its key and, in a list across parents, by that of its parent. */
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { FileRow } from '../../gateway/model/import.ts';
import type { Keys } from '../../gateway/port/port.ts';
import { BETWEEN_KEYS } from '../sql/statement.ts';

/** @param parents keys of the list's parent; none of a list across parents */
export const addressesOf = ({ nested, fields }: Collection, parents: Keys) => {
  const parentAt = nested ? fields.length - 1 : undefined;
  /** @returns what tells an item of the list from the others; `undefined` where the row does not say it */
  const idOf = ({ cells }: Pick<FileRow, 'cells'>): string | undefined => {
    const [key] = cells;
    const parent = parentAt === undefined ? undefined : cells[parentAt];
    if (typeof key !== 'string') return undefined;
    if (parentAt === undefined) return key;
    return typeof parent === 'string' ? parent + BETWEEN_KEYS + key : undefined;
  };
  return {
    idOf,
    idsIn: (rows: readonly FileRow[]): readonly string[] => rows.flatMap((row) => idOf(row) ?? []),
    /** Of an item, by what tells it from the others. */
    keysOf: (id: string): Keys => (parentAt === undefined ? [...parents, id] : id.split(BETWEEN_KEYS)),
  };
};
