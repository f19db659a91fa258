import { csv } from '../../formats/csv.ts';
import { examplesIn } from '../../locale/value-words.ts';
import { kindOf, limitsOf } from '../../model/kinds/kinds.ts';
import { sentence } from '../../texts/phrase.ts';
import { LISTED, Problem } from '../../texts/problem.ts';
import { reportWriter } from '../../write/report.ts';
import { type Example, type Given, numberIn, post } from './given.ts';

/** The example of a file with an error in its only row. */
export const rejectedFile = (given: Given): Example | undefined => {
  const { tree, collection, word } = given;
  const number = numberIn(given);
  if (!number) return undefined;
  const columns = collection.fields.filter((each) => each.isKey || each.required || each === number);
  const values = columns.map((each) =>
    each === number ? '?' : String(examplesIn(tree.language, collection, each)[0]),
  );
  const body = [columns.map(word), values].map((cells) => cells.join(',')).join('\n');
  const column = word(number);
  const limits = limitsOf(number, tree.language.valueWords(collection, number));
  const detail = { phrase: kindOf(number).expected, values: { word: column, ...limits } };
  const rejected = sentence('rows-rejected', { count: 1, limit: LISTED });
  const error = { row: 2, column, value: '?', code: 'invalid-value', detail } as const;
  const report = reportWriter(tree.language, collection)(
    { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 1, cleared: 0 },
    { detail: rejected, reasons: [{ count: 1, ...error }], errors: [error] },
  );
  return {
    sent: post(given, body, { 'Content-Type': csv.type }),
    problem: new Problem('rejected-rows', rejected, { report }),
  };
};
