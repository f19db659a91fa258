/** A stored value: text, an integer (flags are 0 and 1), or `null` where it is absent. */
export type Cell = string | number | null;

/** A cell that is not absent. */
export type Value = string | number;

export type KindName = 'text' | 'key' | 'integer' | 'flag';

/** One line of the schema, as plain data that can be sent to a thread. What its kind does is defined in `kinds/`. */
export interface Field {
  /** Canonical name, lower camel case. */
  readonly name: string;
  readonly kind: KindName;
  /** Whether it identifies an item within its collection. */
  readonly isKey: boolean;
  readonly required: boolean;
  /** Whether the service assigns a key where the client sends none. */
  readonly assigned: boolean;
  /** Whether filters and sorts by it are fast at any size; every index makes each write slower. */
  readonly indexed: boolean;
  /** Whether the words of a text are found by the parameter `search`; those of required texts come first. */
  readonly searchable: boolean;
  /** Least and greatest value of an integer; least and greatest length of a text, in Unicode code points. */
  readonly min: number;
  readonly max: number;
  /** What an integer counts, as a symbol that needs no translation. */
  readonly unit?: string;
  /** Few items have a greater value: a file most of whose values are greater is probably in another unit. */
  readonly usualMax?: number;
  /** Whether an integer is a year, for which files may have a date. */
  readonly isYear?: boolean;
  /** Values of real items, for documents: the first examples of all fields make up one item, the second another, and so on. */
  readonly examples: readonly (string | number | boolean)[];
}

/** A field without its name, which stands before it in the catalogue. */
export type FieldSpec = Omit<Field, 'name'>;

const base = {
  isKey: false,
  required: false,
  assigned: false,
  indexed: false,
  searchable: false,
  min: 0,
  max: 0,
  examples: [],
};

/** What the line of a field says, beside its kind. */
type Rule<Own extends keyof Field, Example> = Partial<Pick<Field, Own>> & { readonly examples?: readonly Example[] };

/**
 * The key of an item within its collection: 1–128 characters, none of them a control character, not `.` or `..` (clients and
 * proxies normalise those away in paths).
 *
 * @param rule.assigned whether the service assigns a key where none is sent; otherwise it is required
 */
export const key = (rule: Rule<'assigned' | 'indexed' | 'searchable', string> = {}): FieldSpec => ({
  ...base,
  ...rule,
  kind: 'key',
  isKey: true,
  required: !rule.assigned,
  min: 1,
  max: 128,
});

/**
 * Free text, stored and returned exactly as sent. A required one must not be blank.
 *
 * @param rule.max greatest length in code points
 */
export const text = (rule: Rule<'required' | 'indexed' | 'searchable', string> & Pick<Field, 'max'>): FieldSpec => ({
  ...base,
  ...rule,
  kind: 'text',
  min: rule.required ? 1 : 0,
});

/** A whole number from `min` to `max`. */
export const integer = (
  rule: Rule<'unit' | 'usualMax' | 'isYear' | 'indexed', number> & Pick<Field, 'min' | 'max'>,
): FieldSpec => ({ ...base, ...rule, kind: 'integer' });

/** `true` or `false`. */
export const flag = (rule: Rule<never, boolean> = {}): FieldSpec => ({ ...base, ...rule, kind: 'flag' });
