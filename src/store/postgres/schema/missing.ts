import type { Catalogue, Collection } from '../../../gateway/model/catalogue.ts';
import {
  addColumns,
  createIndex,
  createTable,
  type Index,
  indexesOf,
  obsoleteIndexes,
  renamingOf,
} from '../../sql/schema.ts';
import { postgres, type Statement, statement } from '../../sql/statement.ts';
import { migrations } from '../../sql/system-tables.ts';
import { dropKeptTerms, obsoleteTermIndexes, termIndexes } from '../search/indexes.ts';
import type { ExistingSchema } from './inspect.ts';

/** What a database lacks, in the order in which it is added. */
export interface Missing {
  /** Statements that rename what an earlier catalogue called otherwise. What else is missing shows once they are done. */
  readonly renames: readonly Statement[];
  /** Statements that add columns, and tables with their indexes, by the table that they lock. */
  readonly tables: readonly (readonly [table: string, statements: readonly Statement[]])[];
  readonly indexes: readonly Index[];
  /** Names of indexes that are not used any more. */
  readonly obsolete: readonly string[];
}

const indexesIn = (collection: Collection): readonly Index[] => [...indexesOf(collection), ...termIndexes(collection)];

const renames = ({ columns }: ExistingSchema, collection: Collection): readonly Statement[] => {
  const rename = (before: string, now: string): string => `ALTER INDEX IF EXISTS ${before} RENAME TO ${now}`;
  const renaming = renamingOf(collection, (table) => columns.get(table), indexesIn, rename);
  return renaming?.statements.map((sql) => statement(sql)) ?? [];
};

/**
 * Lists only what is missing: even a statement with nothing to do would wait for open lists, and block every later statement.
 */
export const missingIn = (found: ExistingSchema, catalogue: Catalogue): Missing => ({
  renames: found.version === undefined ? [] : catalogue.flatMap((collection) => renames(found, collection)),
  tables: [
    ['', migrations.slice(found.version ?? 0).flatMap((step) => step(postgres).map((sql) => statement(sql)))] as const,
    ...catalogue.map((collection) => {
      const existing = found.columns.get(collection.name);
      const made = () => [createTable(collection, postgres), ...indexesIn(collection).map((each) => createIndex(each))];
      const texts = existing ? addColumns(collection, existing, postgres) : made();
      const dropped = found.columns.has(`${collection.name}_words`) ? dropKeptTerms(collection) : [];
      return [collection.name, [...texts, ...dropped].map((sql) => statement(sql))] as const;
    }),
  ].filter(([, statements]) => statements.length > 0),
  indexes: catalogue
    .flatMap((collection) => (found.columns.has(collection.name) ? indexesIn(collection) : []))
    .filter(({ name }) => !found.indexes.has(name)),
  obsolete: catalogue.flatMap((collection) => [
    ...obsoleteIndexes(collection).filter((name) => found.indexes.has(name)),
    ...obsoleteTermIndexes(collection, found.indexes),
  ]),
});

export const isNothing = ({ renames, tables, indexes, obsolete }: Missing): boolean =>
  renames.length + tables.length + indexes.length + obsolete.length === 0;
