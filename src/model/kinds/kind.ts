import type { z } from 'zod';
import type { PhraseName } from '../../texts/phrase.ts';
import type { Field, Value } from '../field.ts';

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of a filter, as a query holds it. */
interface FilterText {
  /** @returns `undefined` where the text does not stand for a value of this kind */
  readonly parse: (text: string) => Value | undefined;
  /** Writes a value so that `parse` reads the same value again. */
  readonly format: (value: Value) => string;
  /** Says what is wrong with a text that stands for no value. */
  readonly fault: PhraseName;
  /** What a value must be, whatever the field's limits are. */
  readonly jsonSchema: JsonSchema;
}

/** Everything that a field's kind decides. Nothing else tells one kind from another. */
export interface Kind {
  readonly column: 'TEXT' | 'INTEGER';
  /** Whether a folded key stands beside the column, so that filters and sorts ignore case and accents. */
  readonly folded: boolean;
  /** What a body value must be, as a phrase with `{min}` and `{max}`. */
  readonly expected: PhraseName;
  /**
   * Checks a body value that is not null and makes the cell of it; made once per field.
   *
   * @param zod handed in, so that the threads of a store, which check no bodies, load none
   */
  readonly schema: (zod: typeof z, field: Field) => z.ZodType<Value>;
  /** The same for documents. */
  readonly jsonSchema: (field: Field) => JsonSchema;
  readonly filter: FilterText;
  /** The JSON text of a cell. */
  readonly toJson: (value: Value) => string;
}

/** For zod's checks: where the kind's `expected` does not say why a value was refused, the parameters do. */
export const fault = (phrase: PhraseName) => ({ params: { fault: phrase }, abort: true });
