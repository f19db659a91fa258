/** Checks the stored totals. */
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { sortColumn } from '../store/sql/columns.ts';
import { quote, type Statement, statement } from '../store/sql/statement.ts';
import { totals } from '../store/sql/system-tables.ts';
import { ALL, hasTotals, isCounted, presentKey, type TotalKey, totalKeys } from '../store/totals.ts';
import { inChange } from './change.ts';
import type { Finding } from './finding.ts';
import type { RowCheck } from './folded.ts';

const TOTALS = quote(totals.name);

/** Totals that are recounted in one transaction. */
const STEP = 50;

const writing = /^=([^=]*)=(.*)$/s;

/** @returns counts the rows of a total; `undefined` where the catalogue keeps no such total */
const countOf = ({ name, fields }: Collection, [field, value]: TotalKey): Statement | undefined => {
  const count = `SELECT count(*) FROM ${quote(name)}`;
  if (field === ALL[0]) return statement(count);
  const counted = (of: string): Field | undefined => fields.find((each) => each.name === of && isCounted(each));
  const [, written = '', folded = ''] = writing.exec(field) ?? [];
  const own = counted(written);
  if (own) return statement(`${count} WHERE ${sortColumn(own)} = ? AND ${quote(own.name)} = ?`, [folded, value]);
  const present = fields.find((each) => isCounted(each) && presentKey(each)[0] === field);
  if (present) return statement(`${count} WHERE ${sortColumn(present)} IS NOT NULL`);
  const found = counted(field);
  if (!found) return undefined;
  return statement(`${count} WHERE ${sortColumn(found)} = ?`, [
    kindOf(found).column === 'TEXT' ? value : Number(value),
  ]);
};

const recount = async (database: RawDatabase, collection: Collection, key: TotalKey): Promise<void> => {
  const counting = countOf(collection, key);
  if (!counting) return;
  const [[count = 0] = []] = await database.rows<[number]>(counting);
  const place = [collection.name, ...key];
  await database.rows(statement(`DELETE FROM ${TOTALS} WHERE "collection" = ? AND "field" = ? AND "value" = ?`, place));
  await database.rows(
    statement(`INSERT INTO ${TOTALS} ("collection", "field", "value", "count") VALUES (?, ?, ?, ?)`, [...place, count]),
  );
};

const totalName = (field: string, value: string): string => `${field}\0${value}`;

/** @param stored all totals of the collection, by field and value */
export const totalsCheck = (collection: Collection, stored: ReadonlyMap<string, number>): RowCheck => {
  const counted = new Map<string, number>(hasTotals(collection) ? [[totalName(...ALL), 0]] : []);
  const keyOf = (name: string): TotalKey => {
    const [field = '', value = ''] = name.split('\0');
    return [field, value];
  };
  return {
    row: ({ cells }) => {
      for (const key of totalKeys(collection, cells)) {
        const name = totalName(...key);
        counted.set(name, (counted.get(name) ?? 0) + 1);
      }
    },
    findings: (): readonly Finding[] => {
      const all = new Set([...counted.keys(), ...stored.keys()]);
      const wrong = [...all].filter(
        (name) => (counted.get(name) ?? 0) !== (stored.get(name) ?? 0) && countOf(collection, keyOf(name)),
      );
      const [first] = wrong;
      if (first === undefined) return [];
      const repair = async (database: RawDatabase): Promise<void> => {
        for (let at = 0; at < wrong.length; at += STEP) {
          await inChange(database, async () => {
            for (const name of wrong.slice(at, at + STEP)) await recount(database, collection, keyOf(name));
          });
        }
      };
      const values = {
        table: collection.name,
        totals: wrong.length,
        key: JSON.stringify(keyOf(first)),
        found: stored.get(first) ?? 0,
        expected: counted.get(first) ?? 0,
      };
      return [{ text: 'verify-totals', values, repair }];
    },
  };
};

/** @returns all totals, by collection, and then by field and value */
export const readStoredTotals = async (
  database: RawDatabase,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> => {
  const found = new Map<string, Map<string, number>>();
  const all = statement(`SELECT "collection", "field", "value", "count" FROM ${TOTALS}`);
  for await (const rows of database.stream(all)) {
    for (const [collection, field, value, count] of rows) {
      const own = found.get(String(collection)) ?? new Map<string, number>();
      found.set(String(collection), own.set(totalName(String(field), String(value)), Number(count)));
    }
  }
  return found;
};
