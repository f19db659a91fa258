/** An index has the terms of items at the top; nested items are few, and compared one by one. */
import { hash } from 'node:crypto';
import type { Collection } from '../../../gateway/model/catalogue.ts';
import { findSearchedFields, isCut, LONGEST, type Searched, separatorClass } from '../../../gateway/model/search.ts';
import type { Index } from '../../sql/schema.ts';
import { buildSearch, concatenate, type QueryLanguage, type SearchIn } from '../../sql/selections.ts';
import { quote, statement } from '../../sql/statement.ts';

/** The prefix of each term names the kind of text that contains it. */
const [MAIN, REST] = ['+', '-'] as const;

const SEPARATOR = separatorClass(1);
const LONG_TERM = `'([^${SEPARATOR}]{${LONGEST}})[^${SEPARATOR}]+', '\\1', 'g'`;

/** @returns SQL of the terms of some texts, each behind a space and its mark, truncated to the maximum length */
function marked(fields: Searched['main'], mark: string): string {
  const text = concatenate(fields);
  const short = `CASE WHEN length(${text}) > ${LONGEST} THEN regexp_replace(${text}, ${LONG_TERM}) ELSE ${text} END`;
  return `regexp_replace(' ' || ${short}, '[${SEPARATOR}]+', ' ${mark}', 'g')`;
}

function selectVector({ main, rest }: Searched): string {
  return `array_to_tsvector(string_to_array(btrim(${marked(main, MAIN)} || ${marked(rest, REST)}), ' '))`;
}

export function listTermIndexes(collection: Collection): readonly Index[] {
  const { name: table, parent } = collection;
  const searchFields = parent ? undefined : findSearchedFields(collection);
  if (!searchFields) return [];
  const vector = selectVector(searchFields);
  const name = `${table}_search_${hash('md5', vector).slice(0, 8)}`;
  return [{ name, table, columns: [`(${vector})`], method: 'gin' }];
}

export function listObsoleteTermIndexes(collection: Collection, indexes: ReadonlySet<string>): readonly string[] {
  const [current] = listTermIndexes(collection);
  return [...indexes].filter((name) => name.startsWith(`${collection.name}_search_`) && name !== current?.name);
}

/** @returns statements that remove the index that triggers of an earlier version kept */
export function dropFormerTerms({ name }: Collection): readonly string[] {
  const functions = ['insert', 'update', 'delete', 'truncate'].map((event) => quote(`${name}_words_${event}`));
  const tables = [`${name}_words`, `${name}_numbers`, '_search'].map(quote);
  return [`DROP FUNCTION IF EXISTS ${functions.join(', ')} CASCADE`, `DROP TABLE IF EXISTS ${tables.join(', ')}`];
}

/** https://www.postgresql.org/docs/current/datatype-textsearch.html#DATATYPE-TSQUERY */
const tsquery: QueryLanguage = {
  operand: (term, { isWhole, isMain }) => {
    const end = isWhole && !isCut(term) ? '' : ':*';
    return `(${(isMain ? [MAIN] : [MAIN, REST]).map((mark) => `'${mark}${term}'${end}`).join(' | ')})`;
  },
  and: ' & ',
  or: ' | ',
  butNot: (text, other) => `(${text}) & !(${other})`,
};

export const postgresSearch: SearchIn = (collection, search) => {
  const searchFields = findSearchedFields(collection);
  if (!searchFields) return undefined;
  const match = (text: string) => ({
    condition: statement(`${selectVector(searchFields)} @@ CAST(? AS tsquery)`, [text]),
  });
  return { ...buildSearch(tsquery, searchFields, search, match), isFoundFirst: true };
};
