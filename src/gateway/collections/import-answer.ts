/** What an import answers: its report, or why it is refused. */
import type { Exchange, HeaderRecord } from '../http/context.ts';
import { CHANGE_HEADER, encodeChange, JSON_TYPE, REPLAYED, respond, VARY_TYPE } from '../http/respond.ts';
import type { ImportOutcome, ImportReport } from '../model/import.ts';
import { reasonCounter } from '../model/reasons.ts';
import type { Keys } from '../port/port.ts';
import { idempotencyMismatch } from '../read/idempotency.ts';
import { ALLOW_DELETIONS, type ImportPreferences, LIST_CHANGES } from '../read/import-preferences.ts';
import { headerOfText } from '../read/prefer.ts';
import { type PhraseName, type Sentence, sentence } from '../texts/phrase.ts';
import { LISTED, Problem } from '../texts/problem.ts';
import { changeWriter, type RejectionSummary, reportWriter } from '../write/report.ts';
import { ChangeList } from './change-list.ts';
import { explainRow, inUseSentence } from './conflicts.ts';
import { missingProblem, type Resource, reportImport } from './resource.ts';

interface Asked {
  readonly parents: Keys;
  readonly preferences: ImportPreferences;
}

type Done = Extract<ImportOutcome, { readonly report: ImportReport }>;
type Stored = Extract<Done, { readonly kind: 'imported' | 'checked' }>;

/** What follows from rejected rows, by the outcome. */
const rejectionPhrases = {
  imported: 'rows-left-out',
  checked: 'rows-checked',
  'rejected-rows': 'rows-rejected',
  'too-many-deletions': 'rows-checked',
} as const satisfies Readonly<Record<Done['kind'], PhraseName>>;

const refusal = (phrase: (typeof rejectionPhrases)[Done['kind']], count: number) =>
  sentence(phrase, { count, limit: LISTED });

/** @returns what the answer to one import is made of, and the answer */
export function newImportAnswer(c: Exchange, resource: Resource, { parents, preferences }: Asked) {
  const { collection, language, options } = resource;
  const { applied, listsChanges } = preferences;
  const writeReport = reportWriter(language, collection);
  const rejected = reasonCounter();
  const list = listsChanges ? new ChangeList(changeWriter(language, collection)) : undefined;

  /** @returns the detail and errors of a report; `undefined` where no row was rejected */
  const rejectionOf = (outcome: Done): RejectionSummary | undefined => {
    const count = outcome.report.rejected;
    if (count === 0) return undefined;
    const { reasons = [] } = outcome.report;
    const rows = (outcome.kind === 'imported' && outcome.earlier) || rejected.listed();
    return {
      detail: refusal(rejectionPhrases[outcome.kind], count),
      reasons: reasons.map(({ count, row, error }) => ({ ...explainRow(language, collection, error), count, row })),
      errors: rows.map(({ row, error }) => ({ row, ...explainRow(language, collection, error) })),
    };
  };
  const reportOf = (outcome: Done) => writeReport(outcome.report, rejectionOf(outcome), outcome.kind === 'checked');
  const refusing = (detail: Sentence, outcome: Done): Problem =>
    new Problem('rejected-rows', detail, { report: reportOf(outcome) });
  const positionAfter = (outcome: Done): HeaderRecord =>
    outcome.kind === 'imported' && outcome.change !== undefined
      ? { [CHANGE_HEADER]: encodeChange(outcome.change) }
      : {};
  const reportWith = (outcome: Stored): Response => {
    const report = JSON.stringify(reportOf(outcome));
    const word = JSON.stringify(language.report.word('changes'));
    const { changes } = outcome;
    const listed = changes && list?.within(changes, `${report.slice(0, -1)},${word}:[`, '\n]}\n');
    const followed = [applied, ...(listed ? [LIST_CHANGES] : [])].filter((each) => each !== '');
    return respond(
      c,
      200,
      listed ?? report,
      {
        'Content-Type': JSON_TYPE,
        'Content-Language': language.tag,
        ...VARY_TYPE,
        ...(followed.length === 0 ? {} : { 'Preference-Applied': headerOfText(followed.join(', ')) }),
        ...(outcome.kind === 'imported' && outcome.earlier ? REPLAYED : {}),
        ...positionAfter(outcome),
      },
      reportImport(c, resource, parents, outcome),
    );
  };
  const respondTo = (outcome: ImportOutcome): Response => {
    switch (outcome.kind) {
      case 'imported':
      case 'checked':
        return reportWith(outcome);
      case 'rejected-rows':
        throw refusing(refusal('rows-rejected', outcome.report.rejected), outcome);
      case 'too-many-deletions': {
        const { deleted } = outcome.report;
        const preference = `resolution=replace-all; ${ALLOW_DELETIONS}`;
        const values = { deleted, total: outcome.total, share: options.deletionShare, preference };
        throw refusing(sentence('deletions-refused', values), outcome);
      }
      case 'in-use':
        throw new Problem('in-use', inUseSentence(language, collection, outcome));
      case 'missing':
        throw missingProblem(resource, collection.parent ?? collection, parents);
      default:
        throw idempotencyMismatch();
    }
  };
  return {
    onRejected: rejected.add,
    respondTo,
    /** Called if nobody reads it. */
    close: (): void => list?.close(),
  };
}
