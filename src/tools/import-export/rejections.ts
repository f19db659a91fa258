import { conflictIn, rejectedRows } from '../../gateway/collections/rejected-rows.ts';
import type { Language } from '../../gateway/locale/language.ts';
import type { CommandTranslator } from '../../gateway/locale/translators.ts';
import type { Collection } from '../../gateway/model/catalogue.ts';
import { openReasons } from '../../store/imports/reasons.ts';

/** Errors that are shown on the screen; the file has all of them. */
const SHOWN = 10;

type RowFault = Parameters<ReturnType<typeof conflictIn>>[0];

/** What is wrong with the rows of a file. */
export type Rejections = ReturnType<typeof rejectionsOf>;

export const rejectionsOf = (language: Language, collection: Collection) => {
  const inWords = conflictIn(language, collection);
  const reasons = openReasons();
  const rejected = rejectedRows(language, collection);
  let count = 0;
  return {
    reasons,
    add: (row: number, error: RowFault): void => {
      reasons.add(row, language.say(inWords(error).detail));
      rejected.add(row, error);
      count++;
    },
    /** How many errors there are. */
    count: (): number => count,
    /** The lines that are printed. */
    lines: (say: CommandTranslator): readonly string[] => [
      ...rejected
        .errors(rejected.listed(SHOWN))
        .map(({ row, detail }) => say('row-error', { row, detail: language.say(detail) })),
      ...(count > SHOWN ? [say('more-errors', { count: count - SHOWN })] : []),
    ],
  };
};
