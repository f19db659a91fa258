import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Asked, type Document, type Documents, documentsOf, resolved } from './documents.ts';
import { oncePer } from './once.ts';

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

/** An operation of one language's document. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly matches: (path: string) => boolean;
  readonly responses: Document;
}

interface Tree {
  readonly tag: string;
  readonly document: Document;
  readonly operations: readonly Operation[];
  /** Whether a path is the tree's own, even where it leads nowhere. */
  readonly owns: (path: string) => boolean;
  readonly validate: (pointer: string) => ValidateFunction;
}

/** Everything that was answered in this process. */
export const produced = new Set<string>();

/** An answer without content says no code. */
export const WITHOUT_CONTENT = '*';
/** The language of an operation that belongs to none. */
const NEUTRAL = '-';

/** @returns how an answer stands in `produced`: language, operation, status, and code where it is a problem */
export const entryOf = (tag: string | undefined, operation: string, status: number | string, code = ''): string =>
  `${tag ?? NEUTRAL} ${operation} ${status} ${code}`.trimEnd();

/** HTTP's own, about the connection or the message; documents do not describe them. */
const TRANSPORT = ['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'];

/** Rows of a list that are looked at, from each end. */
const SAMPLE = 100;

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const segmentsOf = (path: string): readonly string[] => path.replace(/(.)\/$/, '$1').split('/');

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

/** Whether a path is one that a template stands for. */
const matcherOf = (template: string): Operation['matches'] => {
  const patterns = segmentsOf(template).map(
    (segment) => new RegExp(`^${escaped(decoded(segment)).replace(/\{[^}]*\}/g, '[^]+')}$`),
  );
  return (path) => {
    const segments = segmentsOf(path);
    return segments.length === patterns.length && patterns.every((each, at) => each.test(decoded(segments[at] ?? '')));
  };
};

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];

const treeOf = (tag: string, document: Document): Tree => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false }).addSchema(document, 'document');
  const [top = ''] = Object.keys(document.paths);
  const [, , root = ''] = segmentsOf(top);
  return {
    tag,
    document,
    operations: Object.entries<Document>(document.paths).flatMap(([template, item]) =>
      METHODS.flatMap((method) =>
        item[method]
          ? [
              {
                id: item[method].operationId,
                method: method.toUpperCase(),
                matches: matcherOf(template),
                responses: item[method].responses,
              },
            ]
          : [],
      ),
    ),
    owns: (path) => decoded(segmentsOf(path)[2] ?? '') === decoded(root) && path.startsWith('/api/'),
    validate: oncePer((pointer) => ajv.compile({ $ref: `document#${pointer}` })),
  };
};

const pointerTo = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

const headerFaults = ({ document, validate }: Tree, response: Document, headers: Headers): readonly string[] => {
  const described = Object.entries<Document>(response.headers ?? {});
  const names = described.map(([name]) => name.toLowerCase());
  const faults = described.flatMap(([name, header]) => {
    const component = header.$ref.split('/').at(-1);
    const value = headers.get(name);
    if (value === null) return resolved(document, header).required ? [`the header ${name} is missing`] : [];
    const isValid = validate(pointerTo('components', 'headers', component, 'schema'));
    const { type } = resolved(document, header).schema;
    return isValid(type === 'integer' ? Number(value) : value)
      ? []
      : [`the header ${name} is “${value}”: ${JSON.stringify(isValid.errors)}`];
  });
  const others = [...headers.keys()].filter((name) => !names.includes(name) && !TRANSPORT.includes(name));
  return [...faults, ...others.map((name) => `the header ${name} is not described`)];
};

const sample = (body: unknown): unknown =>
  Array.isArray(body) && body.length > 2 * SAMPLE ? [...body.slice(0, SAMPLE), ...body.slice(-SAMPLE)] : body;

const contentFaults = (tree: Tree, place: string, response: Document, seen: Seen): readonly string[] => {
  const { text, headers, method } = seen;
  if (text === undefined) return [];
  if (method === 'HEAD' || !response.content) return text === '' ? [] : ['there is content where none is described'];
  const type = headers.get('content-type')?.replace(/;.*/, '') ?? 'none';
  if (!response.content[type]) return [`the content type ${type} is not described`];
  const isValid = tree.validate(`${place}${pointerTo('content', type, 'schema')}`);
  return isValid(sample(JSON.parse(text))) ? [] : [JSON.stringify(isValid.errors)];
};

/** The tree whose path it is; outside all of them the one that the answer speaks the language of. */
const treeFor = (trees: readonly Tree[], path: string, headers: Headers): Tree | undefined => {
  const language = headers.get('content-language');
  return trees.find(({ owns }) => owns(path)) ?? trees.find(({ tag }) => tag === language) ?? trees[0];
};

const pathOf = (target: string): string => target.replace(/^[a-z]+:\/\/[^/?#]*/, '').replace(/[?#].*/, '') || '/';

/** What stands in a document for an answer, and where. */
const descriptionOf = ({ document, operations, owns }: Tree, { method, target, status }: Seen) => {
  const path = pathOf(target);
  const operation = operations.find((each) => each.method === method && each.matches(path));
  // What has no operation is a problem of no operation.
  if (!operation)
    return { operation, place: pointerTo('components', 'responses', owns(path) ? 'problem' : 'problem.neutral') };
  const response = operation.responses[status];
  if (!response) return { operation, place: undefined };
  if (response.$ref) return { operation, place: response.$ref.slice(1) };
  const [template] = Object.entries<Document>(document.paths).find(([, item]) =>
    METHODS.some((each) => item[each]?.operationId === operation.id),
  ) ?? [''];
  return { operation, place: pointerTo('paths', template, method.toLowerCase(), 'responses', String(status)) };
};

const at = (document: Document, pointer: string): Document =>
  pointer
    .slice(1)
    .split('/')
    .reduce((part, name) => part[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')], document);

const codeOf = ({ status, text }: Seen): string => {
  if (status < 400) return '';
  return text ? JSON.parse(text).code : WITHOUT_CONTENT;
};

/**
 * @param documents of every language that the service speaks
 * @returns a check that throws where an answer is not as its tree's document says
 */
const describedBy = (documents: Documents): ((seen: Seen) => void) => {
  const trees = [...documents].map(([tag, document]) => treeOf(tag, document));
  return (seen) => {
    const { method, target, status, headers } = seen;
    const tree = treeFor(trees, pathOf(target), headers);
    if (!tree) throw new Error('no documents');
    const { operation, place } = descriptionOf(tree, seen);
    const response = place && at(tree.document, place);
    const faults = response
      ? [...headerFaults(tree, response, headers), ...contentFaults(tree, place, response, seen)]
      : ['the status is not described'];
    const tag = tree.owns(pathOf(target)) ? tree.tag : undefined;
    if (operation) produced.add(entryOf(tag, operation.id, status, codeOf(seen)));
    if (faults.length === 0) return;
    const about = operation ? `${operation.id} in ${tree.tag}` : `no operation, in ${tree.tag}`;
    throw new Error(
      `${method} ${target.slice(0, 200)} → ${status} (${about}): ${faults.join('; ')}\n${seen.text?.slice(0, 500)}`,
    );
  };
};

/** Throws where an answer is not as its tree's document says. */
export type Check = (seen: Seen) => Promise<void>;

const checks = new WeakMap<object, Map<string, Promise<(seen: Seen) => void>>>();

/**
 * @param app whose answers are checked; asked for its documents when the first one is
 * @param catalogue what it serves: with one and the same, apps have the same documents
 * @param locales the folder of its tables
 */
export const checkFor = (app: Asked, catalogue: object, locales: string): Check => {
  const made = checks.get(catalogue) ?? new Map<string, Promise<(seen: Seen) => void>>();
  checks.set(catalogue, made);
  return async (seen) => {
    const check = made.get(locales) ?? documentsOf(app).then(describedBy);
    made.set(locales, check);
    (await check)(seen);
  };
};
