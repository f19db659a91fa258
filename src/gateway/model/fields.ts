import type { Field, FieldSpec } from './field.ts';
import { checkUnits } from './units.ts';

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

type Rule<Own extends keyof Field, Example> = Partial<Pick<Field, Own | 'renamedFrom'>> & {
  readonly examples?: readonly Example[];
};

/**
 * The key of an item within its collection: 1–128 characters, none of them a control character, not `.` or `..` (clients and
 * proxies normalise those away in paths). A search finds it unless `searchable` is false. It is required unless it is assigned.
 *
 * @param rule.compact whether blanks, hyphens, dots and case make no difference, as in plates: `1824-BBB` and `1824 bbb` are one key,
 *   which is shown as it was first written; by default case and everything else in a key counts
 */
export const key = (rule: Rule<'assigned' | 'compact' | 'indexed' | 'searchable', string> = {}): FieldSpec => ({
  ...base,
  searchable: true,
  ...rule,
  kind: 'key',
  isKey: true,
  required: !rule.assigned,
  min: 1,
  max: 128,
});

/**
 * Free text, stored and returned as sent; not blank if required. A search finds what is unique by default.
 *
 * @param rule.compact whether filters and `unique` compare it without blanks, hyphens and dots
 */
export const text = (
  rule: Rule<'required' | 'unique' | 'compact' | 'indexed' | 'searchable' | 'default', string> & Pick<Field, 'max'>,
): FieldSpec => ({
  ...base,
  searchable: rule.unique === true,
  ...rule,
  kind: 'text',
  min: rule.required || rule.unique ? 1 : 0,
});

/**
 * A whole number. If its `unit` is kW, CV, HP, km or mi, clients may ask for it in the others of its dimension.
 *
 * @throws TypeError if some number from `min` to `max` would not come back from one of them
 */
export function integer(
  rule: Rule<'unique' | 'unit' | 'usualMax' | 'isYear' | 'indexed' | 'default', number> & Pick<Field, 'min' | 'max'>,
): FieldSpec {
  checkUnits(rule);
  return { ...base, ...rule, kind: 'integer' };
}

/** A number with decimals, stored exactly: `decimal({ scale: 2, min: 0, max: 1_000_000, unit: 'EUR' })` is a price. */
export function decimal(
  rule: Rule<'unit' | 'indexed', number> & Required<Pick<Field, 'scale' | 'min' | 'max'>>,
): FieldSpec {
  const greatest = Math.max(Math.abs(rule.min), Math.abs(rule.max)) * 10 ** rule.scale;
  if (!Number.isSafeInteger(Math.round(greatest))) throw new TypeError(`${rule.max} has too many digits to be exact`);
  checkUnits(rule);
  return { ...base, ...rule, kind: 'decimal' };
}

/** A least and a greatest value, as ISO 8601 writes them; by default the years with four digits. */
type Span = { readonly min?: string; readonly max?: string };

/** A day of the calendar: `2008-11-30`. */
export const date = ({ min, max, ...rule }: Rule<'required' | 'indexed', string> & Span = {}): FieldSpec => ({
  ...base,
  ...rule,
  kind: 'date',
  min: Date.parse(min ?? '0000-01-01') / 86_400_000,
  max: Date.parse(max ?? '9999-12-31') / 86_400_000,
});

/** A moment: `2008-11-30T17:45:00Z`. */
export const timestamp = ({ min, max, ...rule }: Rule<'required' | 'indexed', string> & Span = {}): FieldSpec => ({
  ...base,
  ...rule,
  kind: 'timestamp',
  min: Date.parse(min ?? '0000-01-01T00:00:00Z'),
  max: Date.parse(max ?? '9999-12-31T23:59:59.999Z'),
});

const CHOICE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

function checkChoices(choices: readonly string[]): readonly string[] {
  const invalidChoice = choices.find((choice, at) => !CHOICE.test(choice) || choices.indexOf(choice) < at);
  if (invalidChoice === undefined && choices.length > 0) return choices;
  throw new TypeError(`"${invalidChoice}" cannot be a value: it occurs twice, or is not written like "plug-in-hybrid"`);
}

/** One of a few values, each of which has a word in each language: `choice(['petrol', 'diesel'])`. */
export const choice = (
  choices: readonly string[],
  rule: Rule<'required' | 'indexed' | 'default', string> = {},
): FieldSpec => ({ ...base, ...rule, kind: 'choice', choices: checkChoices(choices) });

/** Free text, some of whose values have a word in each language: `vocabulary(['red', 'blue'], { max: 40 })`. */
export const vocabulary = (
  choices: readonly string[],
  rule: Rule<'required' | 'indexed' | 'default', string> & Pick<Field, 'max'>,
): FieldSpec => ({ ...base, ...rule, kind: 'vocabulary', min: rule.required ? 1 : 0, choices: checkChoices(choices) });

/** The address of a page or a file (`http` or `https`), up to `max` characters, by default 2,000. */
export const url = ({ max = 2_000, ...rule }: Rule<'required' | 'max', string> = {}): FieldSpec => ({
  ...base,
  ...rule,
  max,
  kind: 'url',
  min: 1,
});

/**
 * The key of an item of another collection at the top, which exists: `reference('branches')`.
 *
 * @param rule.onDelete what the deletion of that item does, by default `refuse`; `clear` takes the value away, `delete` this item
 * @throws TypeError for a required one that would be cleared
 */
export function reference(to: string, rule: Rule<'required' | 'unique' | 'onDelete', string> = {}): FieldSpec {
  if (rule.required && rule.onDelete === 'clear')
    throw new TypeError(`a required reference to ${to} cannot be cleared`);
  return { ...base, indexed: true, ...rule, kind: 'reference', min: 1, max: 128, refersTo: to };
}

/** Texts, in the order in which they are sent: `list({ max: 60 })`, by default 100. A filter finds items that have one of them. */
export const list = (rule: Rule<'searchable' | 'most', readonly string[]> & Pick<Field, 'max'>): FieldSpec => ({
  ...base,
  most: 100,
  ...rule,
  kind: 'list',
  min: 1,
});

export const flag = ({
  default: usual,
  ...rule
}: Rule<never, boolean> & { readonly default?: boolean } = {}): FieldSpec => ({
  ...base,
  ...rule,
  ...(usual === undefined ? {} : { default: Number(usual) }),
  kind: 'flag',
});
