/** What examples of problems are made of. */
import { JSON_TYPE } from '../../http/headers.ts';
import type { Tree } from '../../http/urls.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { membersReader } from '../../read/body/members.ts';
import type { Sentence } from '../../texts/phrase.ts';
import { Problem, type ProblemCode } from '../../texts/problem.ts';
import { indented, type ShownRequest } from './curl.ts';
import { exampleItemIn, foreignWord } from './example-item.ts';
import type { Site } from './service.ts';
import { queryProblem } from './shown-problem.ts';

/** A problem, and the request that causes it where a single request can. */
export interface Example {
  readonly sent?: ShownRequest;
  readonly problem: Problem;
}

/** What an example is made of: a collection with an example item, in one tree and in the others. */
export interface Given {
  readonly catalogue: Catalogue;
  readonly tree: Tree;
  readonly others: readonly Tree[];
  readonly collection: Collection;
  readonly list: string;
  readonly key: string;
  readonly item: (key: string) => string;
  /** The example item, in the tree's words. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly word: (field: Field) => string;
  /** A field of whole numbers, which an example gets a text for. */
  readonly number: Field | undefined;
  /** A word of another language. */
  readonly foreign: { readonly word: string; readonly value: unknown };
}

export const givenIn = ({ catalogue, trees }: Site, tree: Tree, collection: Collection): Given => {
  const others = trees.filter((each) => each !== tree);
  const paths = tree.paths(collection);
  return {
    catalogue,
    tree,
    others,
    collection,
    list: paths.list([]),
    key: String(collection.key.examples[0]),
    item: (key) => paths.item([key]),
    body: exampleItemIn(tree, collection),
    word: ({ name }) => tree.language.fields(collection).word(name),
    number: collection.fields.find(({ kind }) => kind === 'integer'),
    foreign: foreignWord(tree, others, collection) ?? { word: 'x', value: 'x' },
  };
};

/** @returns `undefined` where the catalogue lacks what the example needs, for example a field with whole numbers */
export type MakeExample = (given: Given) => Example | undefined;

export const JSON_HEADERS = { 'Content-Type': JSON_TYPE };

export const post = ({ list }: Given, body: unknown, headers = JSON_HEADERS): ShownRequest => ({
  method: 'POST',
  target: list,
  headers,
  body: typeof body === 'string' ? body : indented(body),
});

/** The example of a problem that no single request causes. */
export const stated =
  (code: ProblemCode, detail: Sentence): MakeExample =>
  () => ({ problem: new Problem(code, detail) });

export const ofQuery =
  (searchIn: (given: Given) => string): MakeExample =>
  (given) => {
    const { tree, others, collection, list } = given;
    const search = searchIn(given);
    return { sent: { target: `${list}?${search}` }, problem: queryProblem(tree, others, collection, search) };
  };

export const ofBody =
  (changed: (given: Given) => Readonly<Record<string, unknown>>): MakeExample =>
  (given) => {
    const { tree, collection } = given;
    const body = changed(given);
    const { problem } = membersReader(tree.language, collection)(body, 'create');
    return problem && { sent: post(given, body), problem };
  };
