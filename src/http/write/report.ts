import type { Language } from '../../locale/language.ts';
import type { ImportReport, ReportMember } from '../../model/import.ts';
import type { Sentence } from '../../texts/phrase.ts';
import type { RequestError } from '../../texts/problem.ts';

/** The detail and the errors of rejected rows. */
export interface RejectionSummary {
  readonly detail: Sentence;
  /** The first of them. */
  readonly errors: readonly RequestError[];
}

/** @returns a function that writes the report of an import in a language's words */
export const reportWriter = ({ say, report: { word } }: Language) => {
  const inWords = (members: Readonly<Partial<Record<ReportMember, unknown>>>) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [word(name), value]));
  const errorIn = ({ place, code, detail, suggestion }: RequestError) =>
    inWords({ ...('row' in place ? place : {}), code, detail: say(detail), suggestion });
  return (report: ImportReport, rejection: RejectionSummary | undefined): string =>
    JSON.stringify(
      inWords({ ...report, detail: rejection && say(rejection.detail), errors: rejection?.errors.map(errorIn) }),
    );
};
