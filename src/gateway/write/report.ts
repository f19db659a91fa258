import { createItemWriter } from '../formats/json.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Cell } from '../model/field.ts';
import type { ImportReport, ImportWarning, ItemChange, RowError } from '../model/import.ts';
import type { ReportMember } from '../model/report.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';

type ListedError = RowError & { readonly row: number };

interface ListedRejection {
  readonly detail: Sentence;
  readonly reasons: readonly (ListedError & { readonly count: number })[];
  readonly errors: readonly ListedError[];
}

export function describeWarning(language: Language, collection: Collection, warning: ImportWarning) {
  const { phrase, field, odd, total, most, zone = '' } = warning;
  const [column, label] = [language.fields(collection).word(field), language.label(collection, field)];
  const values = { word: column, label, odd, total, most, count: odd, zone };
  return { column, detail: language.format(sentence(phrase, values)) };
}

export function writeReport(
  language: Language,
  collection: Collection,
  { nested, repeated, warnings, reasons: _, ...counts }: ImportReport,
  rejection: ListedRejection | undefined,
  isDry: boolean,
): Readonly<Record<string, unknown>> {
  const { format, report } = language;
  const inWords = (members: Readonly<Partial<Record<ReportMember, unknown>>>) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [report.word(name), value]));
  const nestedCounts = Object.entries(nested ?? {}).map(([list, own]) => {
    return [language.paths(collection).word(list), inWords(own)];
  });
  return inWords({
    ...(isDry ? { dryRun: true } : {}),
    ...counts,
    ...(nested && { nested: Object.fromEntries(nestedCounts) }),
    ...(repeated && { repeated: repeated.map((row) => inWords({ ...row })) }),
    ...(warnings && {
      warnings: warnings.map((warning) =>
        inWords({
          ...describeWarning(language, collection, warning),
          rows: warning.cells.map((cell) => inWords({ ...cell })),
        }),
      ),
    }),
    detail: rejection && format(rejection.detail),
    reasons: rejection?.reasons.map(({ count, row, column, value, code, detail }) =>
      inWords({ count, column, code, detail: format(detail), row, value }),
    ),
    errors: rejection?.errors.map(({ row, column, value, code, detail, suggestion, before, after }) =>
      inWords({ row, column, value, code, detail: format(detail), suggestion, before, after }),
    ),
  });
}

export function createChangeWriter(language: Language, collection: Collection): (change: ItemChange) => string {
  const write = createItemWriter({ language, collection, fields: collection.fields, included: [] });
  const member = (name: ReportMember, json: string): string => `${JSON.stringify(language.report.word(name))}:${json}`;
  const item = (cells: readonly Cell[], other: readonly Cell[] | undefined): string =>
    write([0, ...cells.map((cell, at) => (other && cell === other[at] ? null : cell))]);
  return ({ row, before, after }) => {
    const action = after ? (before ? 'updated' : 'created') : 'deleted';
    const members = [
      ...(row === null ? [] : [member('row', String(row))]),
      member('key', JSON.stringify((after ?? before)?.[0])),
      member('action', JSON.stringify(language.actions.word(action))),
      ...(before ? [member('before', item(before, after))] : []),
      ...(after ? [member('after', item(after, before))] : []),
    ];
    return `{${members.join(',')}}`;
  };
}
