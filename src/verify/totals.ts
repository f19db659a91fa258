/** Stored totals: all of a field are counted anew where one is wrong. */
import type { Collection } from '../model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { fillTotals, fillWritings } from '../store/sql/system/totals.ts';
import { totals } from '../store/sql/system-tables.ts';
import { ALL, hasTotals, isCounted, valueCounter } from '../store/totals.ts';
import { inChange, type RowCheck } from './finding.ts';

const TOTALS = quote(totals.name);

/** @returns the field that a total counts, empty for all rows (see `../store/totals.ts`) */
const fieldOf = (total: string): string => /^[+=]?([^=\0]*)/.exec(total)?.[1] ?? '';

const totalName = (field: string, value: string): string => `${field}\0${value}`;

const readTotals = async (database: RawDatabase, { name }: Collection): Promise<Map<string, number>> => {
  const found = new Map<string, number>();
  const all = statement(`SELECT "field", "value", "count" FROM ${TOTALS} WHERE "collection" = ?`, [name]);
  for await (const rows of database.stream(all)) {
    for (const [field, value, count] of rows) found.set(totalName(String(field), String(value)), Number(count));
  }
  return found;
};

/** In a transaction for each field, because a field of a million rows takes a second. */
const recount = async (database: RawDatabase, collection: Collection, fields: Iterable<string>): Promise<void> => {
  for (const field of fields) {
    const own = field === ALL[0] ? [field, field] : [field, `+${field}`];
    const statements = [
      statement(`DELETE FROM ${TOTALS} WHERE "collection" = ? AND "field" IN (?, ?)`, [collection.name, ...own]),
      ...fillTotals(collection, (total) => !own.includes(total)),
      ...fillWritings(collection, (each) => each === field),
    ];
    await inChange(database, async () => {
      for (const each of statements) await database.rows(each);
    });
  }
};

/** @returns the check of a collection that has totals */
export const totalsCheck = async (database: RawDatabase, collection: Collection): Promise<RowCheck> => {
  const stored = hasTotals(collection) ? await readTotals(database, collection) : new Map<string, number>();
  const counter = valueCounter(collection);
  const kept = new Set([ALL[0], ...collection.fields.filter(isCounted).map(({ name }) => name)]);
  return {
    row: ({ cells }) => counter.count(cells, 1),
    findings: () => {
      const counted = new Map<string, number>();
      for (const [field, value, count] of hasTotals(collection) ? counter.totals() : []) {
        const name = totalName(field, value);
        counted.set(name, (counted.get(name) ?? 0) + count);
      }
      const wrong = [...new Set([...counted.keys(), ...stored.keys()])].filter(
        (name) => (counted.get(name) ?? 0) !== (stored.get(name) ?? 0) && kept.has(fieldOf(name)),
      );
      const [first] = wrong;
      if (first === undefined) return [];
      const values = {
        table: collection.name,
        totals: wrong.length,
        key: JSON.stringify(first.split('\0')),
        found: stored.get(first) ?? 0,
        expected: counted.get(first) ?? 0,
      };
      const fields = new Set(wrong.map(fieldOf));
      return [{ text: 'verify-totals', values, repair: (target) => recount(target, collection, fields) }];
    },
  };
};
