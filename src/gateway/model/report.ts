/** `deleted` counts items that the file lacks; a row is `skipped` if another one has its key. */
const dones = ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected'] as const;
export type Done = (typeof dones)[number];

/** The numbers of a report: of rows, and of values that were there and are not any more. */
export const reportCounts = [...dones, 'cleared'] as const;

/** The numbers of a nested list that rows feed. */
export const nestedCounts = ['created', 'updated', 'unchanged', 'deleted'] as const satisfies readonly Done[];
export type NestedCounts = Readonly<Record<(typeof nestedCounts)[number], number>>;

/** The members of an import's report, in order; the last ones belong to its `repeated`, `warnings`, `reasons`, `errors` and `changes`. */
export const reportMembers = [
  'dryRun',
  ...reportCounts,
  'nested',
  'repeated',
  'warnings',
  'detail',
  'reasons',
  'errors',
  'count',
  'row',
  'column',
  'code',
  'suggestion',
  'key',
  'usedRow',
  'rows',
  'value',
  'changes',
  'action',
  'before',
  'after',
] as const;
export type ReportMember = (typeof reportMembers)[number];

export const actions = ['created', 'updated', 'deleted'] as const satisfies readonly Done[];
