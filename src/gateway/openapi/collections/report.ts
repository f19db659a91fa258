import type { Collection } from '../../model/catalogue.ts';
import { actions, type ReportMember, reportCounts } from '../../model/report.ts';
import type { SharedSchema } from '../../texts/collection-text.ts';
import { LISTED } from '../../texts/problem.ts';
import { reportWriter } from '../../write/report.ts';
import { type Context, type Json, object, ref } from '../shared/context.ts';
import { type Content, jsonContent } from '../shared/operation.ts';
import { schemaName } from './schemas.ts';

const OPTIONAL = [
  'dryRun',
  'repeated',
  'warnings',
  'detail',
  'reasons',
  'errors',
  'column',
  'value',
  'suggestion',
  'changes',
  'before',
  'after',
] as const satisfies readonly ReportMember[];

/** Schemas of an import's report and its errors, with the tree's words as members. */
export const reportSchemas = (context: Context) => {
  const { say, tree, catalogue } = context;
  const { report, actions: ofActions } = tree.language;
  const { word } = report;
  const inWords = (
    members: Readonly<Partial<Record<ReportMember, Json>>>,
    optional: readonly string[] = OPTIONAL.map(word),
  ): Json => ({
    'x-collection': 'report',
    ...object(
      Object.fromEntries(
        Object.entries(members).map(([name, schema]) => [
          word(name),
          { description: say(`report-${name as ReportMember}`), ...schema },
        ]),
      ),
      optional,
    ),
  });
  const list = (name: SharedSchema, bounds: Json): Json => ({ type: 'array', ...bounds, items: ref('schemas', name) });
  const listed = { minItems: 1, maxItems: LISTED };
  const text: Json = { type: 'string' };
  const code = ref('schemas', 'ProblemCode');
  const items = catalogue.map((collection) => schemaName(context, collection, 'item'));
  const column: Json = { ...text, 'x-names': items };
  // An update has only the members that differ.
  const item: Json = { type: 'object', anyOf: [...items.map((name) => ref('schemas', name)), { type: 'object' }] };
  const count: Json = { type: 'integer', format: 'int32', minimum: 0 };
  const number: Json = { ...count, minimum: 1 };
  return {
    ImportReport: inWords({
      dryRun: { type: 'boolean', const: true },
      ...Object.fromEntries(reportCounts.map((name) => [name, count])),
      repeated: list('ImportRepetition', listed),
      warnings: list('ImportWarning', { minItems: 1 }),
      detail: text,
      reasons: list('ImportReason', { minItems: 1 }),
      errors: list('ImportError', listed),
      changes: list('ImportChange', {}),
    }),
    ImportRepetition: inWords({ row: number, key: text, usedRow: number }),
    ImportWarning: inWords({ column, detail: text, rows: list('ImportWarningCell', listed) }),
    ImportWarningCell: inWords({ row: number, value: text }, []),
    ImportReason: inWords({ count: number, column, code, detail: text, row: number, value: text }),
    ImportError: inWords({
      row: number,
      column,
      value: text,
      code,
      suggestion: { ...text, 'x-names': 'request' },
      detail: text,
    }),
    ImportChange: inWords(
      {
        row: number,
        key: text,
        action: { type: 'string', enum: actions.map(ofActions.word) },
        before: item,
        after: item,
      },
      [...OPTIONAL, 'row' as const].map(word),
    ),
  } satisfies Partial<Record<SharedSchema, Json>>;
};

/** The content of responses with a report. */
export const reportContent = ({ tree: { language } }: Context, collection: Collection): Content => {
  const report = { created: 812, updated: 3, unchanged: 40, skipped: 0, deleted: 0, rejected: 0, cleared: 0 };
  return jsonContent(ref('schemas', 'ImportReport'), { report: { value: reportWriter(language, collection)(report) } });
};
