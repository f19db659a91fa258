import { inUseSentence } from '../../gateway/collections/conflicts.ts';
import { reasonIn } from '../../gateway/collections/rejected-rows.ts';
import type { Language } from '../../gateway/locale/language.ts';
import { numberWriter } from '../../gateway/locale/translators.ts';
import type { Collection } from '../../gateway/model/catalogue.ts';
import type { ImportOutcome, ImportReport } from '../../gateway/model/import.ts';
import { reportCounts } from '../../gateway/model/report.ts';
import { itemSentence } from '../../gateway/texts/phrase.ts';
import { warningIn } from '../../gateway/write/report.ts';
import type { TargetList } from '../commands/list-path.ts';
import type { CommandContext } from '../commands/run.ts';

/** For a person: words of several parts are joined for programs only. */
const countsIn = ({ tag, report: { word } }: Language, report: ImportReport): string =>
  reportCounts.map((name) => `${word(name).replaceAll('_', ' ')} ${numberWriter(tag)(report[name])}`).join(', ');

/** Rows that are shown of those that do not count or have a warning; the report of HTTP has more. */
const SHOWN = 10;

/** @returns the lines of a report */
const reportLines = (
  { spoken, language, say }: CommandContext,
  collection: Collection,
  { repeated = [], warnings = [], reasons = [], ...counts }: ImportReport,
): readonly string[] => [
  countsIn(spoken, counts),
  ...repeated.slice(0, SHOWN).map((each) => say('row-repeated', { ...each })),
  ...warnings.flatMap((each) => [
    warningIn(language, collection)(each).detail,
    ...each.cells.slice(0, SHOWN).map(({ row, value }) => say('row-error', { row, detail: value })),
  ]),
  ...reasons.map(reasonIn(language, collection)).map(({ count, row, value, detail }) => {
    const said = { count, row, detail: language.say(detail) };
    return value === undefined ? say('reason-row', said) : say('reason-value', { ...said, value });
  }),
];

/** A file whose rows have been read. */
interface ReadFile {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
}

/** @returns the outcome of a file, in lines for a person */
export const outcomeLines = (
  outcome: ImportOutcome,
  { file, rows, seconds }: ReadFile,
  { collection, parents }: TargetList,
  context: CommandContext,
): readonly string[] => {
  const { config, language, say } = context;
  const ofFile = (text: string): string => `${file}: ${text}`;
  switch (outcome.kind) {
    case 'missing': {
      const { the } = language.nouns(collection.parent ?? collection);
      return [language.say(itemSentence('missing', { the, key: parents.join('/') }, undefined))];
    }
    case 'too-many-deletions': {
      const { report, total } = outcome;
      return [ofFile(say('deletions-excess', { deleted: report.deleted, total, share: config.DELETION_SHARE }))];
    }
    case 'in-use':
      return [ofFile(language.say(inUseSentence(language, collection, outcome)))];
    case 'idempotency-mismatch':
      return [];
    case 'imported': {
      const said = say('rows-imported', { seconds: Math.round(seconds * 10) / 10, rate: Math.round(rows / seconds) });
      return [ofFile(said), ...reportLines(context, collection, outcome.report)];
    }
    default:
      return [
        ofFile(say(outcome.kind === 'checked' ? 'rows-checked-only' : 'rows-refused')),
        ...reportLines(context, collection, outcome.report),
      ];
  }
};
