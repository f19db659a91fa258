import type { parameters } from './query.ts';

/**
 * What there is beside the items of a list, each at a path of its own, where all responses are of one kind; and the parameter
 * that a request for it must have. The list itself does the same, by its method, `Content-Type` and query.
 */
export const views = {
  imports: undefined,
  exports: 'format',
  groups: 'group_by',
  selections: 'fields',
  changes: 'changed_since',
  /** What changes from now on, or from a position on. */
  events: undefined,
} as const satisfies Readonly<Record<string, (typeof parameters)[number] | undefined>>;

export type View = keyof typeof views;
export const viewNames = Object.keys(views) as readonly View[];
