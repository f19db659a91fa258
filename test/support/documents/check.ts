import { oncePer } from '../language/once.ts';
import { type Document, type Documents, documentsOf, type RequestableApp, resolved } from './documents.ts';
import { documentFaults } from './faults.ts';
import { type DocumentedTree, pointerTo, treeOf } from './tree.ts';

/** An answer as its client has it, and what it answers. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` where it was not read whole. */
  readonly text: string | undefined;
}

/** Throws where an answer is not as its tree's document says. */
export type Check = (seen: Seen) => Promise<void>;

/** Everything that was answered in this process. */
export const produced = new Set<string>();

/** The language of an operation that belongs to none. */
const NEUTRAL = '-';

/** @returns how an answer stands in `produced`: language, operation, status, and code where it is a problem */
export const entryOf = (tag: string | undefined, operation: string, status: number | string, code = ''): string =>
  `${tag ?? NEUTRAL} ${operation} ${status} ${code}`.trimEnd();

const codeOf = ({ status, text }: Seen): string => {
  if (status < 400) return '';
  return text ? JSON.parse(text).code : '';
};

const pathOf = (target: string): string => target.replace(/^[a-z]+:\/\/[^/?#]*/, '').replace(/[?#].*/, '') || '/';

/** Pages, and what they load, are for people; documents describe what programs get. */
const isPage = ({ target, status, headers }: Seen): boolean =>
  (status < 400 && /^\/(?:docs(?:\/.*)?)?\/?$/.test(pathOf(target))) ||
  (headers.get('content-type') ?? '').startsWith('text/html');

/** The tree whose path it is; outside all of them the one that the answer speaks the language of. */
const treeFor = (trees: readonly DocumentedTree[], path: string, headers: Headers): DocumentedTree => {
  const [language] = headers.get('content-language')?.split(', ') ?? [];
  const found = trees.find(({ owns }) => owns(path)) ?? trees.find(({ tag }) => tag === language) ?? trees[0];
  if (!found) throw new Error('there are no documents');
  return found;
};

/** What documents say in words only. */
const OPTIONS = { headers: { Allow: { $ref: '#/components/headers/Allow_problem' } } };
const PATCHABLE = { headers: { ...OPTIONS.headers, 'Accept-Patch': { $ref: '#/components/headers/Accept-Patch' } } };
const POSTABLE = { headers: { ...OPTIONS.headers, 'Accept-Post': { $ref: '#/components/headers/Accept-Post' } } };

/** What no operation lists is a problem of the protocol, or of a path or a method that there is not. */
const unlisted = ({ operationsAt }: DocumentedTree, path: string, { method, status }: Seen): Document => {
  if (method !== 'OPTIONS' || status !== 204) return { $ref: '#/components/responses/Problem' };
  if (operationsAt('PATCH', path).length > 0) return PATCHABLE;
  return operationsAt('POST', path).length > 0 ? POSTABLE : OPTIONS;
};

/** @returns the words of a parameter, whichever collection it is of */
const wordsOf = oncePer((document: Document) =>
  oncePer((parameter: string): readonly string[] =>
    Object.entries<Document>(document.components.parameters).flatMap(([name, { name: word }]) =>
      name.endsWith(`_${parameter}`) ? [word] : [],
    ),
  ),
);

/** @returns whether a query has a parameter, by what its component is called */
const asksFor = (document: Document, target: string, parameter: string): boolean => {
  const [, query] = target.split('?');
  if (query === undefined) return false;
  const words = wordsOf(document)(parameter);
  return [...new URLSearchParams(query).keys()].some((word) => words.includes(word));
};

/** @returns whether a request asks for some members only */
const isPart = (document: Document, target: string): boolean => asksFor(document, target, 'selections');

const JSON_TYPES = /^application\/(?:[a-z]+\+)?json(?![\w-])/;
const isFile = ({ status, headers }: Seen): boolean =>
  status === 200 && !JSON_TYPES.test(headers.get('content-type') ?? '');

/** A list does the same as what is beside it, where documents describe it: all of an operation's answers are of one kind. */
const verbOf = (document: Document, seen: Seen): string => {
  if (seen.headers.get('content-type') === 'text/event-stream') return 'Stream';
  if (isFile(seen)) return 'Export';
  if (asksFor(document, seen.target, 'groups')) return 'Group';
  if (asksFor(document, seen.target, 'changes')) return 'Follow';
  return isPart(document, seen.target) ? 'Select' : 'List';
};

/** @returns the operations that may describe an answer */
const operationsFor = ({ document, operationsAt, operationCalled }: DocumentedTree, path: string, seen: Seen) =>
  operationsAt(seen.method, path).flatMap((operation) => {
    const own = operation.id;
    if (own.endsWith('List')) return operationCalled(own.replace(/List$/, verbOf(document, seen))) ?? operation;
    return own.endsWith('Create')
      ? [operation, operationCalled(own.replace(/Create$/, 'Import')) ?? operation]
      : operation;
  });

/** Whether an operation's response is one of these codes, or of none. */
const isOf = (response: Document | undefined, code: string): boolean =>
  response !== undefined && (code === '' || response['x-codes']?.includes(code) === true);

const inUnits = ({ headers }: Seen): boolean => headers.get('preference-applied')?.startsWith('units') === true;

const describedBy = (documents: Documents): ((seen: Seen) => void) => {
  const trees = [...documents].map(([tag, document]) => treeOf(tag, document));
  return (seen) => {
    // Words that others have replaced are in no document, but in its introduction.
    if (isPage(seen) || seen.headers.has('deprecation')) return;
    const { method, target, status, text } = seen;
    const path = pathOf(target);
    const tree = treeFor(trees, path, seen.headers);
    const operations = operationsFor(tree, path, seen);
    const code = codeOf(seen);
    const operation = operations.find(({ responses }) => isOf(responses[status], code)) ?? operations[0];
    const own = operation?.responses[status];
    const response = own ?? unlisted(tree, path, seen);
    if (own && method !== 'HEAD')
      produced.add(entryOf(tree.owns(path) ? tree.tag : undefined, operation.id, status, code));
    const pointer = response.$ref?.slice(1) ?? `${operation?.pointer}${pointerTo(String(status))}`;
    const isListed = operation !== undefined;
    const faults = documentFaults(
      tree,
      pointer,
      resolved(tree.document, response),
      // Schemas are in the units of their language.
      { ...seen, ...(inUnits(seen) && { text: undefined }), target: path, isPart: isPart(tree.document, target) },
      isListed,
    );
    if (faults.length === 0) return;
    const about = `${operation?.id ?? 'no operation'} in ${tree.tag}`;
    throw new Error(
      `${method} ${target.slice(0, 200)} → ${status} (${about}): ${faults.join('; ')}\n${text?.slice(0, 500)}`,
    );
  };
};

const checks = new WeakMap<object, Map<string, Promise<(seen: Seen) => void>>>();

/**
 * @param app whose answers are checked; asked for its documents when the first one is
 * @param catalogue what it serves: with one and the same, apps have the same documents
 * @param locales what tells its tables from others'
 */
export const checkFor = (app: RequestableApp, catalogue: object, locales: string): Check => {
  const made = checks.get(catalogue) ?? new Map<string, Promise<(seen: Seen) => void>>();
  checks.set(catalogue, made);
  return async (seen) => {
    const check = made.get(locales) ?? documentsOf(app).then(describedBy);
    made.set(locales, check);
    (await check)(seen);
  };
};
