/** What becomes of rows and items: `deleted` are those that the file lacks; a row is `skipped` if another one has its key. */
const rowOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** The numbers of a report: of rows, and of values that were there and are not any more. */
export const reportCounts = [...rowOutcomes, 'cleared'] as const;

/** The numbers of a nested list that rows feed. */
export const nestedCounts = ['created', 'updated', 'unchanged', 'deleted'] as const satisfies readonly RowOutcome[];
export type NestedCounts = Readonly<Record<(typeof nestedCounts)[number], number>>;

/** The members of an import's report, of the parts of its `repeated`, `warnings`, `reasons` and `errors`, and of its changes, in order. */
const ownMembers = ['nested', 'repeated', 'warnings', 'detail', 'reasons', 'errors'] as const;
const partMembers = ['count', 'row', 'column', 'code', 'suggestion', 'key', 'usedRow', 'rows', 'value'] as const;
const changeMembers = ['changes', 'action', 'before', 'after'] as const;
export const reportMembers = ['dryRun', ...reportCounts, ...ownMembers, ...partMembers, ...changeMembers] as const;
export type ReportMember = (typeof reportMembers)[number];

export const actions = ['created', 'updated', 'deleted'] as const satisfies readonly RowOutcome[];
