import type { Language } from '../../locale/language.ts';
import type { ImportReport, ReportMember } from '../../model/import.ts';
import type { Sentence } from '../../texts/phrase.ts';
import type { RequestError } from '../../texts/problem.ts';

/** What is told of the rows that have errors. */
export interface Rejection {
  readonly detail: Sentence;
  /** The first ones. */
  readonly errors: readonly RequestError[];
}

/** @returns writes the report of an import, in the words of one language */
export const reportWriter = ({ say, report: { word } }: Language) => {
  const inWords = (members: Readonly<Partial<Record<ReportMember, unknown>>>) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [word(name), value]));
  const errorIn = ({ place, code, detail, suggestion }: RequestError) =>
    inWords({ ...('row' in place ? place : {}), code, detail: say(detail), suggestion });
  return (report: ImportReport, rejection: Rejection | undefined): string =>
    JSON.stringify(
      inWords({ ...report, detail: rejection && say(rejection.detail), errors: rejection?.errors.map(errorIn) }),
    );
};
