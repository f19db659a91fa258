/** Examples of problems, and the requests that cause them. */
import { inUseSentence } from '../../collections/conflicts.ts';
import { pathProblem } from '../../dispatch/no-such-path.ts';
import { listRepresentations } from '../../formats/formats.ts';
import { DEFAULT_BODY_LIMIT } from '../../http/defaults.ts';
import { EVENT_STREAM, IDEMPOTENCY_HEADER } from '../../http/headers.ts';
import { allowOf, TARGET_LIMIT } from '../../http/request.ts';
import { type Language, viewWords } from '../../locale/language.ts';
import { choose } from '../../read/accept.ts';
import { membersReader } from '../../read/body/members.ts';
import { checkContentType } from '../../read/content-type.ts';
import { idempotencyKeyIn, idempotencyMismatch } from '../../read/idempotency.ts';
import { preconditionFailed } from '../../read/preconditions.ts';
import { itemSentence, type Sentence, sentence } from '../../texts/phrase.ts';
import { Problem, type ProblemCode } from '../../texts/problem.ts';
import { byteSize } from '../../texts/size.ts';
import { type Example, filterBy, type Given, givenIn, indented, JSON_HEADERS, numberIn, post } from './given.ts';
import { rejectedFile } from './rejected-file.ts';
import { type Site, treeIn } from './service.ts';
import { problemThrownBy, queryProblem } from './shown-problem.ts';

/** @returns `undefined` where the catalogue lacks what the example needs, for example a field with whole numbers */
type MakeExample = (given: Given) => Example | undefined;

/** The example of a problem that no single request causes. */
const stated =
  (code: ProblemCode, detail: Sentence): MakeExample =>
  () => ({ problem: new Problem(code, detail) });

const ofQuery =
  (searchIn: (given: Given) => string): MakeExample =>
  (given) => {
    const { tree, others, collection, list } = given;
    const search = searchIn(given);
    return { sent: { target: `${list}?${search}` }, problem: queryProblem(tree, others, collection, search) };
  };

const ofBody =
  (changed: (given: Given) => Readonly<Record<string, unknown>>): MakeExample =>
  (given) => {
    const { tree, collection } = given;
    const body = changed(given);
    const { problem } = membersReader(tree.language, collection)(body, 'create');
    return problem && { sent: post(given, body), problem };
  };

/** A word of another language, or of none. */
const foreignIn = ({ foreign = { word: 'x', value: 'x' } }: Given) => foreign;

const withForeign = (given: Given) => ({ ...given.body, [foreignIn(given).word]: foreignIn(given).value });

/** The year of a car as a text, for example. */
const withText = (given: Given) => ({ [given.word(numberIn(given) ?? given.collection.key)]: '2008' });

const withoutRequired = ({ body, word, collection: { fields, key } }: Given) => {
  const missing = word(fields.find(({ required, isKey }) => required && !isKey) ?? key);
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== missing));
};

const parameter = ({ tree }: Given, name: 'page' | 'number_of_elements' | 'changed_since'): string =>
  encodeURIComponent(tree.language.parameters.word(name));

const examples: Readonly<Record<ProblemCode, MakeExample>> = {
  'bad-request': stated('bad-request', sentence('request-unreadable', {})),
  'malformed-json': (given) => ({
    sent: post(given, `{ "${given.word(given.collection.key)}": `),
    problem: new Problem('malformed-json', sentence('json-syntax', {})),
  }),
  'malformed-file': stated('malformed-file', sentence('file-empty', {})),
  'malformed-path': ({ list }) => ({
    sent: { target: `${list}/100%` },
    problem: new Problem('malformed-path', sentence('path-malformed', {})),
  }),
  'unknown-parameter': ofQuery((given) => filterBy(foreignIn(given))),
  'invalid-parameter': ofQuery((given) => `${parameter(given, 'page')}=0`),
  'invalid-query': ofQuery((given) => `${parameter(given, 'number_of_elements')}=&${parameter(given, 'page')}=0`),
  'invalid-header': (given) => {
    const headers = { ...JSON_HEADERS, [IDEMPOTENCY_HEADER]: '""' };
    return {
      sent: post(given, given.body, headers),
      problem: problemThrownBy(() => idempotencyKeyIn(new Headers(headers))),
    };
  },
  'unknown-field': ofBody(withForeign),
  'missing-field': ofBody(withoutRequired),
  'invalid-value': ofBody((given) => ({ ...given.body, ...withText(given) })),
  'invalid-body': ofBody((given) => ({ ...withForeign(given), ...withText(given) })),
  unauthorized: stated('unauthorized', sentence('key-missing', {})),
  forbidden: stated('forbidden', sentence('origin-foreign', { origin: 'https://example.com' })),
  'not-found': ({ tree, collection, item }) => {
    const { the } = tree.language.nouns(collection);
    return {
      sent: { target: item('404') },
      problem: new Problem('not-found', itemSentence('missing', { the, key: '404' }, undefined)),
    };
  },
  'no-such-path': ({ catalogue, tree, others, list }) => {
    const target = list.slice(0, -1);
    const languages = [tree, ...others].map(({ language }) => language);
    return {
      sent: { target },
      problem: pathProblem(catalogue, viewWords(languages))(target, languages, false).problem,
    };
  },
  'method-not-allowed': ({ list }) => ({
    sent: { method: 'DELETE', target: list },
    problem: new Problem(
      'method-not-allowed',
      sentence('method-not-allowed', { method: 'DELETE', allow: allowOf(['GET', 'POST']) }),
    ),
  }),
  'not-acceptable': ({ tree, collection, list }) => {
    const headers = { Accept: 'image/png' };
    const [first, ...rest] = listRepresentations(tree.language, collection);
    const events = [{ ...first, type: EVENT_STREAM }];
    return {
      sent: { target: list, headers },
      problem: problemThrownBy(() => choose(new Headers(headers), [first, ...rest, ...events])),
    };
  },
  'already-exists': (given) => {
    const { the } = given.tree.language.nouns(given.collection);
    return {
      sent: post(given, given.body),
      problem: new Problem('already-exists', itemSentence('exists', { the, key: given.key }, undefined)),
    };
  },
  'in-use': ({ tree: { language }, collection, key }) => {
    const inUse = { kind: 'in-use', key, collection: collection.name, count: 2 } as const;
    return { problem: new Problem('in-use', inUseSentence(language, collection, inUse)) };
  },
  'key-mismatch': ({ word: wordOf, collection, key, item }) => {
    const [word, sent] = [wordOf(collection.key), '404'];
    return {
      sent: { method: 'PUT', target: item(key), headers: JSON_HEADERS, body: indented({ [word]: sent }) },
      problem: new Problem('key-mismatch', sentence('key-mismatch', { word, sent, key })),
    };
  },
  gone: (given) => ({
    sent: { target: `${given.list}?${parameter(given, 'changed_since')}=zzzzzzzzzz` },
    problem: new Problem('gone', sentence('position-gone', { word: parameter(given, 'changed_since') })),
  }),
  'precondition-failed': ({ item, key }) => ({
    sent: { method: 'DELETE', target: item(key), headers: { 'If-Match': '"0"' } },
    problem: preconditionFailed('match'),
  }),
  'body-too-large': stated('body-too-large', sentence('body-too-large', { limit: byteSize(DEFAULT_BODY_LIMIT) })),
  'uri-too-long': stated('uri-too-long', sentence('uri-too-long', { limit: byteSize(TARGET_LIMIT) })),
  'unsupported-media-type': (given) => {
    const headers = { 'Content-Type': 'text/plain' };
    return {
      sent: post(given, `${given.word(given.collection.key)}\n${given.key}`, headers),
      problem: problemThrownBy(() => checkContentType({ method: 'POST', headers: new Headers(headers) })),
    };
  },
  'expectation-failed': stated('expectation-failed', sentence('expectation-failed', {})),
  'idempotency-mismatch': () => ({ problem: idempotencyMismatch() }),
  'rejected-rows': rejectedFile,
  'rate-limited': stated('rate-limited', sentence('rate-limited', { seconds: 60 })),
  internal: stated('internal', sentence('internal', {})),
  unavailable: stated('unavailable', sentence('store-unavailable', {})),
  'outcome-unknown': stated('outcome-unknown', sentence('write-unknown', {})),
};

/** @returns an example of a problem, in a language's words; `undefined` where the catalogue has no example of an item */
export const exampleOf = (code: ProblemCode, site: Site, language: Language): Example | undefined => {
  const given = givenIn(site, treeIn(site, language));
  return given && examples[code](given);
};
