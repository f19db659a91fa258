/** Requests that produce the examples of problems. */
import { csv } from '../../formats/csv.ts';
import { JSON_TYPE } from '../../http/headers.ts';
import type { Tree } from '../../http/tree.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { membersReader } from '../../read/body/members.ts';
import { type Sentence, sentence } from '../../texts/phrase.ts';
import { LISTED, Problem, type ProblemCode } from '../../texts/problem.ts';
import { reportWriter } from '../../write/report.ts';
import { indented, type ShownRequest } from './curl.ts';
import { exampleItemIn, foreignWord } from './example-item.ts';
import { queryProblem } from './shown-problem.ts';

/** A problem, and the request that causes it where a single request can. */
export interface Example {
  readonly sent?: ShownRequest;
  readonly problem: Problem;
}

/** What an example is made of: a collection, in one tree and in the others. */
export interface ExampleContext {
  readonly catalogue: Catalogue;
  readonly tree: Tree;
  readonly others: readonly Tree[];
  readonly collection: Collection;
}

/** @returns `undefined` where the catalogue lacks what the example needs, for example a field with whole numbers */
export type MakeExample = (context: ExampleContext) => Example | undefined;

/** The example of a file with an error in its only row. */
export const rejectedFile: MakeExample = (context) => {
  const { tree, collection } = context;
  const { word } = tree.language.fields(collection);
  const field = collection.fields.find(({ kind }) => kind === 'integer');
  if (!field) return undefined;
  const columns = collection.fields.filter((each) => each.isKey || each.required || each === field);
  const values = columns.map((each) => (each === field ? '?' : String(each.examples[0])));
  const body = [columns.map(({ name }) => word(name)), values].map((cells) => cells.join(',')).join('\n');
  const column = word(field.name);
  const detail = { phrase: kindOf(field).expected, values: { word: column, min: field.min, max: field.max } };
  const rejected = sentence('rows-rejected', { count: 1, limit: LISTED });
  return {
    sent: { method: 'POST', target: listUrl(context), headers: { 'Content-Type': csv.type }, body },
    problem: new Problem('rejected-rows', rejected, {
      report: reportWriter(tree.language, collection)(
        { created: 0, updated: 0, unchanged: 0, skipped: 0, deleted: 0, rejected: 1, cleared: 0 },
        { detail: rejected, errors: [{ row: 2, column, code: 'invalid-value', detail }] },
      ),
    }),
  };
};

export const JSON_HEADERS = { 'Content-Type': JSON_TYPE };

export const listUrl = ({ tree, collection }: ExampleContext): string => tree.paths(collection).list([]);
export const exampleKey = ({ collection }: ExampleContext): string => String(collection.key.examples[0]);
export const itemUrl = (context: ExampleContext, key = exampleKey(context)): string =>
  context.tree.paths(context.collection).item([key]);
export const keyWord = ({ tree, collection }: ExampleContext): string =>
  tree.language.fields(collection).word(collection.key.name);

/** The example of a problem that no single request causes. */
export const stated =
  (code: ProblemCode, detail: Sentence): MakeExample =>
  () => ({ problem: new Problem(code, detail) });

export const ofQuery =
  (searchIn: (context: ExampleContext) => string): MakeExample =>
  (context) => {
    const { tree, others, collection } = context;
    const search = searchIn(context);
    return {
      sent: { target: `${listUrl(context)}?${search}` },
      problem: queryProblem(tree, others, collection, search),
    };
  };

export const ofBody =
  (change: (item: Readonly<Record<string, unknown>>, context: ExampleContext) => object): MakeExample =>
  (context) => {
    const { tree, collection } = context;
    const content = change(exampleItemIn(tree, collection), context);
    const { problem } = membersReader(tree.language, collection)(content, 'create');
    if (!problem) return undefined;
    const body = indented(content);
    return { sent: { method: 'POST', target: listUrl(context), headers: JSON_HEADERS, body }, problem };
  };

export const foreignOf = ({ tree, others, collection }: ExampleContext) =>
  foreignWord(tree, others, collection) ?? { word: 'x', value: 'x' };

export const wordOf = (
  { tree, collection }: ExampleContext,
  isField: (field: Collection['fields'][number]) => boolean,
): string => {
  const field = collection.fields.find(isField) ?? collection.key;
  return tree.language.fields(collection).word(field.name);
};

export const parameter = ({ tree }: ExampleContext, name: 'page' | 'number_of_elements'): string =>
  encodeURIComponent(tree.language.parameters.word(name));
