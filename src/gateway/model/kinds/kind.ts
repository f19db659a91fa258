import type { z } from 'zod';
import type { PhraseName } from '../../texts/phrase.ts';
import type { Field, Value } from '../field.ts';

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How the value of a filter is written in a query. */
interface FilterText {
  /** @returns `undefined` where the text is not a value of this kind */
  readonly parse: (text: string) => Value | undefined;
  /** The reverse of `parse`. */
  readonly format: (value: Value) => string;
  /** The phrase for a text that is not a value. */
  readonly fault: PhraseName;
  /** Without the field's limits: a value outside them is allowed. */
  readonly jsonSchema: JsonSchema;
}

/** Everything that depends on a field's kind; no other code distinguishes kinds. */
export interface Kind {
  readonly column: 'TEXT' | 'INTEGER';
  /** Whether the folded value is stored in a second column, so that filters and sorts ignore case and accents. */
  readonly folded: boolean;
  /** The phrase for an invalid value of a body, with `{min}` and `{max}`. */
  readonly expected: PhraseName;
  /** The same for a cell of a table, with the accepted words as `{known}`; `expected` by default. */
  readonly expectedInCell?: PhraseName;
  /**
   * Checks a value of a body that is not null and turns it into a cell.
   *
   * @param zod passed in, so that a store's threads, which check no bodies, do not load it
   */
  readonly schema: (zod: typeof z, field: Field) => z.ZodType<Value>;
  /** The same, for documents. */
  readonly jsonSchema: (field: Field) => JsonSchema;
  /**
   * @param cell of a table, where a workbook may have a boolean
   * @param flags what people write for true and false, folded
   * @returns the value for `schema` to check; a text that is not a value of this kind is returned unchanged
   */
  readonly fromCell: (cell: string | boolean, flags: ReadonlyMap<string, boolean>) => unknown;
  readonly filter: FilterText;
  /** The type of a spreadsheet's cell. */
  readonly sheetType: 'text' | 'number' | 'boolean';
  /** Whether filters can be ranges. */
  readonly hasRanges: boolean;
  /** The JSON text of a cell. */
  readonly toJson: (value: Value) => string;
}

/** Options of a zod check with a phrase of its own; the kind's `expected` is the default. */
export const fault = (phrase: PhraseName) => ({ params: { fault: phrase }, abort: true });
