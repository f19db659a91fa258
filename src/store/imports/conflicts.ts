/** What only all rows of a file together show, or what is stored in the end: values that repeat, and keys of no item. */
import { type Collection, collectionOf } from '../../gateway/model/catalogue.ts';
import type { Field, Value } from '../../gateway/model/field.ts';
import type { RowConflict } from '../../gateway/model/import.ts';
import { chunksOf } from '../../util/chunks-of.ts';
import { freeAll } from '../sql/items.ts';
import { comparedColumn, idIn, marks, PARENT, quote, type Statement, statement } from '../sql/statement.ts';
import { addressesOf } from './addresses.ts';
import { PLAN_NUMBER, PLAN_ROW } from './stage-tables.ts';
import { type ImportTransaction, type PlannedImport, type Steps, step } from './steps.ts';

/** Items that are checked together, or give up their values. */
const STEP = 1_000;

type Work = Pick<PlannedImport, 'catalogue' | 'collection' | 'request' | 'plan' | 'tables'>;
/** An item as it is stored: its parent, its key and the value as it is compared. */
type Holder = readonly [parent: string | null, key: string, compared: Value];

/** The value of a planned item, as it is and as it is compared, and the row of the file that has the same before. */
type Planned = readonly [number: number, key: string, value: Value, compared: Value, row: number | null];

/** @returns reads the next planned items that have a value, after a number */
const plannedValues = ({ collection, tables: { names, exec, rows } }: Work, field: Field) => {
  const column = comparedColumn(field);
  exec(`CREATE INDEX IF NOT EXISTS ${names.schema}.${quote(`plan_${field.name}`)} ON "plan" (${column})`);
  const same = `SELECT ${PLAN_ROW} FROM ${names.plan} AS "q" WHERE "q".${column} = "p".${column} AND "q".${PLAN_NUMBER} < "p".${PLAN_NUMBER} LIMIT 1`;
  const sql = `SELECT ${PLAN_NUMBER}, ${idIn(collection)}, ${quote(field.name)}, ${column}, (${same}) FROM ${names.plan} AS "p" WHERE ${column} IS NOT NULL AND ${PLAN_NUMBER} > ? ORDER BY ${PLAN_NUMBER} LIMIT ${STEP}`;
  return (after: number): readonly Planned[] => rows(statement(sql, [after]));
};

const selectHolders = ({ collection }: Work, field: Field, values: readonly Value[]): Statement => {
  const column = comparedColumn(field);
  return statement(
    `SELECT ${collection.parent ? PARENT : 'NULL'}, ${idIn(collection)}, ${column} FROM ${quote(collection.name)} WHERE ${column} IN (${marks(values.length)})`,
    values,
  );
};

/** Rejects rows of one field. @param isFreed is given the keys of items whose values others get. @returns whether any item stays as it was */
function* refuseRepeated(
  work: Work,
  { rows }: ImportTransaction,
  field: Field,
  isFreed: (key: string) => void,
): Steps<boolean> {
  const { collection, request, plan, tables } = work;
  const { keysOf } = addressesOf(collection, request.parents);
  const shown = (id: string): string => keysOf(id).at(-1) ?? '';
  const [parent = null] = request.parents;
  const conflictOf = ([, own, value, compared, row]: Planned, holders: ReadonlyMap<Value, Holder>) => {
    const conflict = { code: 'already-exists', field: field.name, value } as const;
    if (row !== null) return { ...conflict, key: shown(own), row };
    const [other, key] = holders.get(compared) ?? [];
    if (key === undefined || (other === parent && key === own)) return undefined;
    if (other !== parent || !(tables.find(key) || tables.isObsolete(key))) return { ...conflict, key: shown(key) };
    if (!tables.isObsolete(key)) isFreed(key);
    return undefined;
  };
  const next = plannedValues(work, field);
  let stays = false;
  for (let values = next(0); values.length > 0; ) {
    const stored = yield* step(
      rows<Holder>(
        selectHolders(
          work,
          field,
          values.map(([, , , compared]) => compared),
        ),
      ),
    );
    const holders = new Map(stored.map((each) => [each[2], each]));
    for (const each of values) {
      const conflict: RowConflict | undefined = conflictOf(each, holders);
      const item = conflict && tables.find(each[1]);
      if (!item) continue;
      plan.refuse(item, [conflict]);
      stays ||= item.before !== undefined;
    }
    values = next(values.at(-1)?.[0] ?? 0);
  }
  return stays;
}

/** Rejects rows whose field is the key of no item. @returns whether any item stays as it was */
function* refuseDangling(work: Work, { rows }: ImportTransaction, field: Field, of: Collection): Steps<boolean> {
  const { plan, tables } = work;
  const next = plannedValues(work, field);
  let stays = false;
  for (let values = next(0); values.length > 0; values = next(values.at(-1)?.[0] ?? 0)) {
    const wanted = [...new Set(values.map(([, , value]) => value))];
    const key = quote(of.key.name);
    const sql = `SELECT ${key} FROM ${quote(of.name)} WHERE ${key} IN (${marks(wanted.length)})`;
    const found = new Set((yield* step(rows<[string]>(statement(sql, wanted)))).flat());
    for (const [, own, value] of values) {
      const item = found.has(String(value)) ? undefined : tables.find(own);
      if (!item) continue;
      plan.refuse(item, [{ code: 'invalid-value', field: field.name, value }]);
      stays ||= item.before !== undefined;
    }
  }
  return stays;
}

/**
 * Rejects rows whose values other items have, or that refer to no item. Rows may exchange their values, and have those of items that are deleted.
 *
 * @returns takes away what items will give to others, so that no two have it while they are written
 */
export function* refuseConflicts(work: Work, transaction: ImportTransaction): Steps<() => Steps<void>> {
  const { collection, request } = work;
  const freed = new Set<string>();
  // An item whose row is rejected keeps its value, which another row may have been given.
  for (let isOpen = collection.constrained.length > 0; isOpen; ) {
    isOpen = false;
    freed.clear();
    for (const field of collection.fields) {
      const { unique, refersTo } = field;
      const [lost, stays] = [
        refersTo && (yield* refuseDangling(work, transaction, field, collectionOf(work.catalogue, refersTo))),
        unique && (yield* refuseRepeated(work, transaction, field, (key) => void freed.add(key))),
      ];
      isOpen ||= Boolean(lost || stays);
    }
  }
  return function* () {
    for (const keys of chunksOf(freed, STEP)) {
      yield* step(transaction.rows(freeAll(collection, request.parents, keys)));
    }
  };
}
