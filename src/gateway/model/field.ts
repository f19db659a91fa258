/** A stored value: text, an integer (flags are 0 and 1, and dates days since 1970), or `null` if it is absent. */
export type Cell = string | number | null;

export type Value = string | number;

/** Kinds whose values are stored as texts, and as integers. */
type TextKind = 'text' | 'key' | 'choice' | 'vocabulary' | 'url' | 'reference' | 'list';
export type KindName = TextKind | 'integer' | 'flag' | 'decimal' | 'date' | 'timestamp';

/** A field of the schema, as plain data that can be sent to a thread. `kinds/` defines what its kind does. */
export interface Field {
  readonly name: string;
  /** The name in an earlier catalogue. Databases have that one until a start of the service renames it. */
  readonly renamedFrom?: string;
  readonly kind: KindName;
  readonly isKey: boolean;
  readonly required: boolean;
  readonly assigned: boolean;
  /** Whether filters and sorts by it are fast at any size; every index makes each write slower. */
  readonly indexed: boolean;
  /** Whether the words of a text are found by the parameter `search`; those of required texts come first. */
  readonly searchable: boolean;
  /** Limits of a number, of a date in its cell's unit, or of a text's length in Unicode code points. */
  readonly min: number;
  readonly max: number;
  readonly most?: number;
  readonly scale?: number;
  /** The values of a choice, or those of a vocabulary that have words, by the names that all languages share. */
  readonly choices?: readonly string[];
  /** The choices in the order of their words in a language, by which lists are sorted. */
  readonly sortedChoices?: readonly string[];
  /** Whether no two items of the collection have the same value, as filters compare it: of texts, case and accents do not matter. */
  readonly unique?: boolean;
  /** Whether values are compared without blanks, hyphens and dots, too: as people write plates. References to such a key are. */
  readonly compact?: boolean;
  /** In a list across parents, set on the field that holds the parent's key: the name of that key. The field has the parent's name. */
  readonly owner?: string;
  readonly refersTo?: string;
  /** What happens if the referenced item is deleted: the deletion is refused, or this value is cleared, or this item is deleted, too. */
  readonly onDelete?: 'refuse' | 'clear' | 'delete';
  readonly default?: Value;
  readonly unit?: string;
  /** Few items have a greater value: a file most of whose values are greater is probably in another unit. */
  readonly usualMax?: number;
  /** Whether an integer is a year, for which files may have a date. */
  readonly isYear?: boolean;
  /** Values of real items, for documents: the first examples of all fields make up one item, the second another, and so on. */
  readonly examples: readonly (string | number | boolean | readonly string[])[];
}

export type FieldSpec = Omit<Field, 'name'>;
