import type { Given } from '../commands/run.ts';
import type { Language } from '../locale/language.ts';
import type { ImportOutcome } from '../model/import.ts';
import { type ImportReport, rowCounts } from '../model/import.ts';
import { itemSentence } from '../texts/phrase.ts';
import type { Place } from './options.ts';

/** For a person: words of several parts are joined for programs only. */
const countsIn = ({ tag, report: { word } }: Language, report: ImportReport): string =>
  rowCounts.map((name) => `${word(name).replaceAll('_', ' ')} ${report[name].toLocaleString(tag)}`).join(', ');

/**
 * @param rows of the file
 * @param spent milliseconds
 * @returns what became of a file
 */
export const outcomeLines = (
  outcome: ImportOutcome,
  file: string,
  { collection, parents }: Place,
  { config, spoken, language, say }: Given,
  rows: number,
  spent: number,
): readonly string[] => {
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
    case 'idempotency-mismatch':
      return [];
    case 'imported': {
      const rate = Math.round((1_000 * rows) / spent);
      const said = say('rows-imported', { seconds: Math.round(spent / 100) / 10, rate });
      return [ofFile(said), countsIn(spoken, outcome.report)];
    }
    default:
      return [
        ofFile(say(outcome.kind === 'checked' ? 'rows-checked-only' : 'rows-refused')),
        countsIn(spoken, outcome.report),
      ];
  }
};
