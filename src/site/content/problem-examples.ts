import { pathProblem } from '../../http/dispatch/no-such-path.ts';
import { CSV_TYPE, HEADERS_LIMIT, IDEMPOTENCY_HEADER, JSON_TYPE } from '../../http/headers.ts';
import { allowOf } from '../../http/methods.ts';
import { choose } from '../../http/read/accept.ts';
import { checkContentType } from '../../http/read/content-type.ts';
import { idempotencyKeyIn, idempotencyMismatch } from '../../http/read/idempotency.ts';
import { membersReader } from '../../http/read/members.ts';
import { queryReader } from '../../http/read/query/list-query.ts';
import { TARGET_LIMIT } from '../../http/target.ts';
import type { Tree } from '../../http/tree.ts';
import { listRepresentations } from '../../http/write/formats.ts';
import type { Catalogue, Collection } from '../../model/catalogue.ts';
import { kindOf } from '../../model/kinds/kinds.ts';
import { DEFAULT_BODY_LIMIT } from '../../settings/defaults.ts';
import { itemSentence, type Sentence, sentence } from '../../texts/phrase.ts';
import { LISTED, Problem, type ProblemCode } from '../../texts/problem.ts';
import { sizeOf } from '../../texts/size.ts';
import type { Sent } from './curl.ts';
import { indented } from './curl.ts';
import { foreignWord, itemIn } from './example-item.ts';
import { thrownBy } from './shown-problem.ts';

/** What brings a problem about, if one request can, and the problem itself. */
interface Example {
  readonly sent?: Sent;
  readonly problem: Problem;
}

interface Scene {
  readonly catalogue: Catalogue;
  readonly tree: Tree;
  readonly others: readonly Tree[];
  readonly collection: Collection;
}

/** `undefined` if the catalogue has nothing of the kind, for example no whole number. */
type Make = (scene: Scene) => Example | undefined;

/** A file with a fault in its only row. */
const rejectedFile: Make = (scene) => {
  const { tree, collection } = scene;
  const { word } = tree.language.fields(collection);
  const field = collection.fields.find(({ kind }) => kind === 'integer');
  if (!field) return undefined;
  const columns = collection.fields.filter((each) => each.isKey || each.required || each === field);
  const values = columns.map((each) => (each === field ? '?' : String(each.examples[0])));
  const body = [columns.map(({ name }) => word(name)), values].map((cells) => cells.join(',')).join('\n');
  const column = word(field.name);
  const detail = { phrase: kindOf(field).expected, values: { word: column, min: field.min, max: field.max } };
  return {
    sent: { method: 'POST', target: listOf(scene), headers: { 'Content-Type': CSV_TYPE }, body },
    problem: new Problem('rejected-rows', sentence('rows-rejected', { count: 1, limit: LISTED }), {
      errors: [{ place: { row: 2, column }, code: 'invalid-value', detail }],
    }),
  };
};

const JSON_HEADERS = { 'Content-Type': JSON_TYPE };

const listOf = ({ tree, collection }: Scene): string => tree.paths(collection).list([]);
const keyOf = ({ collection }: Scene): string => String(collection.key.examples[0]);
const itemOf = (scene: Scene, key = keyOf(scene)): string => scene.tree.paths(scene.collection).item([key]);
const keyWord = ({ tree, collection }: Scene): string => tree.language.fields(collection).word(collection.key.name);

/** What no single request brings about. */
const stated =
  (code: ProblemCode, detail: Sentence): Make =>
  () => ({ problem: new Problem(code, detail) });

const ofQuery =
  (searchIn: (scene: Scene) => string): Make =>
  (scene) => {
    const { tree, others, collection } = scene;
    const search = searchIn(scene);
    const read = queryReader(
      tree.language,
      others.map(({ language }) => language),
      collection,
    );
    return { sent: { target: `${listOf(scene)}?${search}` }, problem: thrownBy(() => read(search)) };
  };

const ofBody =
  (change: (item: Readonly<Record<string, unknown>>, scene: Scene) => object): Make =>
  (scene) => {
    const { tree, collection } = scene;
    const content = change(itemIn(tree, collection), scene);
    const { problem } = membersReader(tree.language, collection)(content, 'create');
    if (!problem) return undefined;
    const body = indented(content);
    return { sent: { method: 'POST', target: listOf(scene), headers: JSON_HEADERS, body }, problem };
  };

const foreignOf = ({ tree, others, collection }: Scene) =>
  foreignWord(tree, others, collection) ?? { word: 'x', value: 'x' };

const wordOf = ({ tree, collection }: Scene, isField: (field: Collection['fields'][number]) => boolean): string => {
  const field = collection.fields.find(isField) ?? collection.key;
  return tree.language.fields(collection).word(field.name);
};

const parameter = ({ tree }: Scene, name: 'page' | 'number_of_elements'): string =>
  encodeURIComponent(tree.language.parameters.word(name));

const examples: Readonly<Record<ProblemCode, Make>> = {
  'bad-request': stated('bad-request', sentence('request-unreadable', {})),
  'malformed-json': (scene) => ({
    sent: { method: 'POST', target: listOf(scene), headers: JSON_HEADERS, body: `{ "${keyWord(scene)}": ` },
    problem: new Problem('malformed-json', sentence('json-syntax', {})),
  }),
  'malformed-file': stated('malformed-file', sentence('file-empty', {})),
  'malformed-path': (scene) => ({
    sent: { target: `${listOf(scene)}/100%` },
    problem: new Problem('malformed-path', sentence('path-malformed', {})),
  }),
  'unknown-parameter': ofQuery((scene) => {
    const { word, value } = foreignOf(scene);
    return `${encodeURIComponent(word)}=${encodeURIComponent(String(value))}`;
  }),
  'invalid-parameter': ofQuery((scene) => `${parameter(scene, 'page')}=0`),
  'invalid-query': ofQuery((scene) => `${parameter(scene, 'number_of_elements')}=&${parameter(scene, 'page')}=0`),
  'invalid-header': (scene) => {
    const headers = { ...JSON_HEADERS, [IDEMPOTENCY_HEADER]: '""' };
    const body = indented(itemIn(scene.tree, scene.collection));
    return {
      sent: { method: 'POST', target: listOf(scene), headers, body },
      problem: thrownBy(() => idempotencyKeyIn(new Headers(headers))),
    };
  },
  'unknown-field': ofBody((item, scene) => ({ ...item, [foreignOf(scene).word]: foreignOf(scene).value })),
  'missing-field': ofBody((item, scene) => {
    const missing = wordOf(scene, ({ required, isKey }) => required && !isKey);
    return Object.fromEntries(Object.entries(item).filter(([word]) => word !== missing));
  }),
  'invalid-value': ofBody((item, scene) => ({ ...item, [wordOf(scene, ({ kind }) => kind === 'integer')]: '2008' })),
  'invalid-body': ofBody((item, scene) => ({
    ...item,
    [foreignOf(scene).word]: foreignOf(scene).value,
    [wordOf(scene, ({ kind }) => kind === 'integer')]: '2008',
  })),
  unauthorized: stated('unauthorized', sentence('key-missing', {})),
  forbidden: stated('forbidden', sentence('origin-foreign', { origin: 'https://example.com' })),
  'not-found': (scene) => {
    const { the } = scene.tree.language.nouns(scene.collection);
    return {
      sent: { target: itemOf(scene, '404') },
      problem: new Problem('not-found', itemSentence('missing', { the, key: '404' }, undefined)),
    };
  },
  'no-such-path': (scene) => {
    const target = listOf(scene).slice(0, -1);
    const languages = [scene.tree, ...scene.others].map(({ language }) => language);
    return { sent: { target }, problem: pathProblem(scene.catalogue)(target, languages).problem };
  },
  'method-not-allowed': (scene) => ({
    sent: { method: 'DELETE', target: listOf(scene) },
    problem: new Problem(
      'method-not-allowed',
      sentence('method-not-allowed', { method: 'DELETE', allow: allowOf(['GET', 'POST']) }),
    ),
  }),
  'not-acceptable': (scene) => ({
    sent: { target: listOf(scene), headers: { Accept: 'image/png' } },
    problem: thrownBy(() =>
      choose(new Headers({ Accept: 'image/png' }), listRepresentations(scene.tree.language, scene.collection)),
    ),
  }),
  'request-timeout': stated('request-timeout', sentence('request-timeout', {})),
  'already-exists': (scene) => {
    const { the } = scene.tree.language.nouns(scene.collection);
    const body = indented(itemIn(scene.tree, scene.collection));
    return {
      sent: { method: 'POST', target: listOf(scene), headers: JSON_HEADERS, body },
      problem: new Problem('already-exists', itemSentence('exists', { the, key: keyOf(scene) }, undefined)),
    };
  },
  'key-mismatch': (scene) => {
    const [word, sent, key] = [keyWord(scene), '404', keyOf(scene)];
    return {
      sent: { method: 'PUT', target: itemOf(scene), headers: JSON_HEADERS, body: indented({ [word]: sent }) },
      problem: new Problem('key-mismatch', sentence('key-mismatch', { word, sent, key })),
    };
  },
  'precondition-failed': (scene) => ({
    sent: { method: 'DELETE', target: itemOf(scene), headers: { 'If-Match': '"0"' } },
    problem: new Problem('precondition-failed', sentence('precondition-failed', {})),
  }),
  'body-too-large': stated('body-too-large', sentence('body-too-large', { limit: sizeOf(DEFAULT_BODY_LIMIT) })),
  'uri-too-long': stated('uri-too-long', sentence('uri-too-long', { limit: sizeOf(TARGET_LIMIT) })),
  'unsupported-media-type': (scene) => {
    const headers = { 'Content-Type': 'text/plain' };
    return {
      sent: { method: 'POST', target: listOf(scene), headers, body: `${keyWord(scene)}\n${keyOf(scene)}` },
      problem: thrownBy(() => checkContentType({ method: 'POST', headers: new Headers(headers) })),
    };
  },
  'expectation-failed': stated('expectation-failed', sentence('expectation-failed', {})),
  'idempotency-mismatch': () => ({ problem: idempotencyMismatch() }),
  'rejected-rows': rejectedFile,
  'rate-limited': stated('rate-limited', sentence('rate-limited', { seconds: 60 })),
  'headers-too-large': stated('headers-too-large', sentence('headers-too-large', { limit: sizeOf(HEADERS_LIMIT) })),
  internal: stated('internal', sentence('internal', {})),
  'not-implemented': stated('not-implemented', sentence('method-unknown', {})),
  unavailable: stated('unavailable', sentence('store-unavailable', {})),
  'version-not-supported': stated('version-not-supported', sentence('version-unknown', {})),
};

/** @returns an example of a problem, in a language's words; `undefined` if the catalogue has no example of an item */
export const exampleOf = (
  code: ProblemCode,
  tree: Tree,
  trees: readonly Tree[],
  catalogue: Catalogue,
): Example | undefined => {
  const collection = catalogue.find(({ parent }) => parent === undefined);
  if (!collection || collection.key.examples.length === 0) return undefined;
  return examples[code]({ catalogue, tree, others: trees.filter((each) => each !== tree), collection });
};
