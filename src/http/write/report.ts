import type { Language } from '../../locale/language.ts';
import type { ImportReport, ReportMember, RowError } from '../../model/import.ts';
import type { Sentence } from '../../texts/phrase.ts';

/** An error of one row, in words. */
export interface ListedError extends RowError {
  readonly row: number;
}

/** The detail and the errors of rejected rows. */
export interface RejectionSummary {
  readonly detail: Sentence;
  /** The first of them. */
  readonly errors: readonly ListedError[];
}

/** @returns a function that writes the report of an import in a language's words. Its `isDry` says that nothing was stored, as preferred */
export const reportWriter = ({ say, report: { word } }: Language) => {
  const inWords = (members: Readonly<Partial<Record<ReportMember, unknown>>>) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [word(name), value]));
  const errorIn = ({ row, column, code, detail, suggestion }: ListedError) =>
    inWords({ row, column, code, detail: say(detail), suggestion });
  return (report: ImportReport, rejection?: RejectionSummary, isDry = false): Readonly<Record<string, unknown>> =>
    inWords({
      ...(isDry ? { dryRun: true } : {}),
      ...report,
      ...(report.repeated ? { repeated: report.repeated.map((each) => inWords({ ...each })) } : {}),
      detail: rejection && say(rejection.detail),
      errors: rejection?.errors.map(errorIn),
    });
};
