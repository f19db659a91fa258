import { explainRow, inUseSentence } from '../../gateway/collections/conflicts.ts';
import { createNumberWriter } from '../../gateway/locale/language.ts';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome, ImportReport } from '../../gateway/model/import.ts';
import { reportCounts } from '../../gateway/model/report.ts';
import { itemSentence } from '../../gateway/texts/phrase.ts';
import { warningIn } from '../../gateway/write/report.ts';
import type { TargetList } from '../commands/language-choice.ts';
import type { CommandContext } from '../commands/run.ts';

/** Rows that are shown of those that do not count, have a warning or are rejected. */
export const SHOWN = 10;

/** @returns the lines of a report */
function reportLines(
  { spoken, language, say }: CommandContext,
  collection: Collection,
  { repeated = [], warnings = [], reasons = [], ...counts }: ImportReport,
): readonly string[] {
  const write = createNumberWriter(spoken.tag);
  // Words of several parts are joined for programs only.
  const totals = reportCounts.map((name) => `${spoken.report.word(name).replaceAll('_', ' ')} ${write(counts[name])}`);
  return [
    totals.join(', '),
    ...repeated.slice(0, SHOWN).map((each) => say('row-repeated', { ...each })),
    ...warnings.flatMap((each) => [
      warningIn(language, collection)(each).detail,
      ...each.cells.slice(0, SHOWN).map(({ row, value }) => say('row-error', { row, detail: value })),
    ]),
    ...reasons.map(({ count, row, error }) => {
      const { value, detail } = explainRow(language, collection, error);
      const values = { count, row, detail: language.say(detail) };
      return value === undefined ? say('reason-row', values) : say('reason-value', { ...values, value });
    }),
  ];
}

/** A file whose rows have been read. */
interface ImportedFile {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
}

/** @returns the outcome of a file, in lines for a person */
export function outcomeLines(
  outcome: ImportOutcome,
  { file, rows, seconds }: ImportedFile,
  { collection, parents }: TargetList,
  context: CommandContext,
): readonly string[] {
  const { config, language, say } = context;
  switch (outcome.kind) {
    case 'missing': {
      const { the } = language.nouns(collection.parent ?? collection);
      return [language.say(itemSentence('missing', { the, key: parents.join('/') }, undefined))];
    }
    case 'too-many-deletions': {
      const { report, total } = outcome;
      const values = { deleted: report.deleted, total, share: config.DELETION_SHARE };
      return [`${file}: ${say('deletions-excess', values)}`];
    }
    case 'in-use':
      return [`${file}: ${language.say(inUseSentence(language, collection, outcome))}`];
    case 'idempotency-mismatch':
      return [];
    case 'imported': {
      const values = { seconds: Math.round(seconds * 10) / 10, rate: Math.round(rows / seconds) };
      return [`${file}: ${say('rows-imported', values)}`, ...reportLines(context, collection, outcome.report)];
    }
    default: {
      const text = outcome.kind === 'checked' ? 'rows-checked-only' : 'rows-refused';
      return [`${file}: ${say(text)}`, ...reportLines(context, collection, outcome.report)];
    }
  }
}
