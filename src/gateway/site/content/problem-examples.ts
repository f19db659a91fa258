import { pathProblem } from '../../dispatch/no-such-path.ts';
import { listRepresentations } from '../../formats/formats.ts';
import { DEFAULT_BODY_LIMIT } from '../../http/defaults.ts';
import { HEADERS_LIMIT, IDEMPOTENCY_HEADER } from '../../http/headers.ts';
import { allowOf } from '../../http/methods.ts';
import { TARGET_LIMIT } from '../../http/target.ts';
import type { Tree } from '../../http/tree.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import { choose } from '../../read/accept.ts';
import { checkContentType } from '../../read/content-type.ts';
import { idempotencyKeyIn, idempotencyMismatch } from '../../read/idempotency.ts';
import { preconditionFailed } from '../../read/preconditions.ts';
import { itemSentence, sentence } from '../../texts/phrase.ts';
import { Problem, type ProblemCode } from '../../texts/problem.ts';
import { byteSize } from '../../texts/size.ts';
import { indented } from './curl.ts';
import { exampleItemIn } from './example-item.ts';
import {
  type Example,
  exampleKey,
  foreignOf,
  itemUrl,
  JSON_HEADERS,
  keyWord,
  listUrl,
  type MakeExample,
  ofBody,
  ofQuery,
  parameter,
  rejectedFile,
  stated,
  wordOf,
} from './example-requests.ts';
import { problemThrownBy } from './shown-problem.ts';

const examples: Readonly<Record<ProblemCode, MakeExample>> = {
  'bad-request': stated('bad-request', sentence('request-unreadable', {})),
  'malformed-json': (context) => ({
    sent: { method: 'POST', target: listUrl(context), headers: JSON_HEADERS, body: `{ "${keyWord(context)}": ` },
    problem: new Problem('malformed-json', sentence('json-syntax', {})),
  }),
  'malformed-file': stated('malformed-file', sentence('file-empty', {})),
  'malformed-path': (context) => ({
    sent: { target: `${listUrl(context)}/100%` },
    problem: new Problem('malformed-path', sentence('path-malformed', {})),
  }),
  'unknown-parameter': ofQuery((context) => {
    const { word, value } = foreignOf(context);
    return `${encodeURIComponent(word)}=${encodeURIComponent(String(value))}`;
  }),
  'invalid-parameter': ofQuery((context) => `${parameter(context, 'page')}=0`),
  'invalid-query': ofQuery((context) => `${parameter(context, 'number_of_elements')}=&${parameter(context, 'page')}=0`),
  'invalid-header': (context) => {
    const headers = { ...JSON_HEADERS, [IDEMPOTENCY_HEADER]: '""' };
    const body = indented(exampleItemIn(context.tree, context.collection));
    return {
      sent: { method: 'POST', target: listUrl(context), headers, body },
      problem: problemThrownBy(() => idempotencyKeyIn(new Headers(headers))),
    };
  },
  'unknown-field': ofBody((item, context) => ({ ...item, [foreignOf(context).word]: foreignOf(context).value })),
  'missing-field': ofBody((item, context) => {
    const missing = wordOf(context, ({ required, isKey }) => required && !isKey);
    return Object.fromEntries(Object.entries(item).filter(([word]) => word !== missing));
  }),
  'invalid-value': ofBody((item, context) => ({
    ...item,
    [wordOf(context, ({ kind }) => kind === 'integer')]: '2008',
  })),
  'invalid-body': ofBody((item, context) => ({
    ...item,
    [foreignOf(context).word]: foreignOf(context).value,
    [wordOf(context, ({ kind }) => kind === 'integer')]: '2008',
  })),
  unauthorized: stated('unauthorized', sentence('key-missing', {})),
  forbidden: stated('forbidden', sentence('origin-foreign', { origin: 'https://example.com' })),
  'not-found': (context) => {
    const { the } = context.tree.language.nouns(context.collection);
    return {
      sent: { target: itemUrl(context, '404') },
      problem: new Problem('not-found', itemSentence('missing', { the, key: '404' }, undefined)),
    };
  },
  'no-such-path': (context) => {
    const target = listUrl(context).slice(0, -1);
    const languages = [context.tree, ...context.others].map(({ language }) => language);
    return { sent: { target }, problem: pathProblem(context.catalogue)(target, languages).problem };
  },
  'method-not-allowed': (context) => ({
    sent: { method: 'DELETE', target: listUrl(context) },
    problem: new Problem(
      'method-not-allowed',
      sentence('method-not-allowed', { method: 'DELETE', allow: allowOf(['GET', 'POST']) }),
    ),
  }),
  'not-acceptable': (context) => ({
    sent: { target: listUrl(context), headers: { Accept: 'image/png' } },
    problem: problemThrownBy(() =>
      choose(new Headers({ Accept: 'image/png' }), listRepresentations(context.tree.language, context.collection)),
    ),
  }),
  'request-timeout': stated('request-timeout', sentence('request-timeout', {})),
  'already-exists': (context) => {
    const { the } = context.tree.language.nouns(context.collection);
    const body = indented(exampleItemIn(context.tree, context.collection));
    return {
      sent: { method: 'POST', target: listUrl(context), headers: JSON_HEADERS, body },
      problem: new Problem('already-exists', itemSentence('exists', { the, key: exampleKey(context) }, undefined)),
    };
  },
  'key-mismatch': (context) => {
    const [word, sent, key] = [keyWord(context), '404', exampleKey(context)];
    return {
      sent: { method: 'PUT', target: itemUrl(context), headers: JSON_HEADERS, body: indented({ [word]: sent }) },
      problem: new Problem('key-mismatch', sentence('key-mismatch', { word, sent, key })),
    };
  },
  'precondition-failed': (context) => ({
    sent: { method: 'DELETE', target: itemUrl(context), headers: { 'If-Match': '"0"' } },
    problem: preconditionFailed('match'),
  }),
  'body-too-large': stated('body-too-large', sentence('body-too-large', { limit: byteSize(DEFAULT_BODY_LIMIT) })),
  'uri-too-long': stated('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) })),
  'unsupported-media-type': (context) => {
    const headers = { 'Content-Type': 'text/plain' };
    return {
      sent: { method: 'POST', target: listUrl(context), headers, body: `${keyWord(context)}\n${exampleKey(context)}` },
      problem: problemThrownBy(() => checkContentType({ method: 'POST', headers: new Headers(headers) })),
    };
  },
  'expectation-failed': stated('expectation-failed', sentence('expectation-failed', {})),
  'idempotency-mismatch': () => ({ problem: idempotencyMismatch() }),
  'rejected-rows': rejectedFile,
  'rate-limited': stated('rate-limited', sentence('rate-limited', { seconds: 60 })),
  'headers-too-large': stated('headers-too-large', sentence('headers-too-large', { limit: byteSize(HEADERS_LIMIT) })),
  internal: stated('internal', sentence('internal', {})),
  'not-implemented': stated('not-implemented', sentence('method-unknown', {})),
  unavailable: stated('unavailable', sentence('store-unavailable', {})),
  'version-not-supported': stated('version-not-supported', sentence('version-unknown', {})),
};

/** @returns an example of a problem, in a language's words; `undefined` where the catalogue has no example of an item */
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
