import type { Language } from '../../locale/language.ts';
import type { ImportReport, ImportWarning, ReportMember, RowError } from '../../model/import.ts';
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

/** What a column has that is probably not meant, in words. */
export interface ListedWarning {
  readonly column: string;
  readonly detail: Sentence;
  readonly cells: ImportWarning['cells'];
}

/** What is told of an import beside its numbers. */
interface Told {
  readonly warnings?: readonly ListedWarning[];
  readonly rejection?: RejectionSummary | undefined;
  /** Whether nothing was stored, as preferred. */
  readonly isDry?: boolean;
}

/** @returns a function that writes the report of an import in a language's words */
export const reportWriter = ({ say, report: { word } }: Language) => {
  const inWords = (members: Readonly<Partial<Record<ReportMember, unknown>>>) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [word(name), value]));
  const errorIn = ({ row, column, code, detail, suggestion }: ListedError) =>
    inWords({ row, column, code, detail: say(detail), suggestion });
  const warningIn = ({ column, detail, cells }: ListedWarning) =>
    inWords({ column, detail: say(detail), rows: cells.map((each) => inWords({ ...each })) });
  return (
    { repeated, warnings: _, ...counts }: ImportReport,
    { warnings = [], rejection, isDry = false }: Told = {},
  ): Readonly<Record<string, unknown>> =>
    inWords({
      ...(isDry ? { dryRun: true } : {}),
      ...counts,
      ...(repeated ? { repeated: repeated.map((each) => inWords({ ...each })) } : {}),
      ...(warnings.length > 0 ? { warnings: warnings.map(warningIn) } : {}),
      detail: rejection && say(rejection.detail),
      errors: rejection?.errors.map(errorIn),
    });
};
