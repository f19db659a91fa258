import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { oncePer } from '../language/once.ts';
import type { Document } from './documents.ts';

export const DOCUMENTED_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation of one language's document. */
interface Operation {
  readonly id: string;
  readonly method: string;
  /** By status. */
  readonly responses: Document;
  /** Where they are in the document. */
  readonly pointer: string;
}

/** A document, read so that answers can be found in it. */
export interface DocumentedTree {
  readonly tag: string;
  readonly document: Document;
  /** HEAD is described with GET. */
  readonly operationsAt: (method: string, path: string) => readonly Operation[];
  readonly operationCalled: (id: string) => Operation | undefined;
  /** Whether a path is the tree's own, even where it leads nowhere. */
  readonly owns: (path: string) => boolean;
  /** Compiled when it is first asked for. */
  readonly validate: (pointer: string) => ValidateFunction;
}

/** A JSON pointer as a fragment (RFC 6901 §6). */
export const pointerTo = (...names: readonly string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

const decoded = (segment: string): string => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment).normalize();
  } catch {
    return segment;
  }
};

const segmentsOf = (path: string): readonly string[] =>
  path
    .replace(/(.)\/$/, '$1')
    .split('/')
    .map(decoded);

/** @returns whether a segment may be one of a template's */
const matcherOf = (template: string): ((segment: string) => boolean) => {
  if (!template.includes('{')) return (segment) => segment === template;
  const pattern = new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '[\\s\\S]+')}$`);
  return (segment) => pattern.test(segment);
};

const operationsIn = (item: Document, template: string): readonly Operation[] =>
  DOCUMENTED_METHODS.filter((method) => item[method]).map((method) => ({
    id: item[method].operationId,
    method: method.toUpperCase(),
    responses: item[method].responses,
    pointer: pointerTo('paths', template, method, 'responses'),
  }));

/** What is compiled answers some tens of times: half of the time to compile it went into code that is short. */
const OPTIONS: Options = {
  strict: false,
  validateSchema: false,
  validateFormats: false,
  meta: false,
  inlineRefs: false,
  code: { optimize: false },
};

/** @param document the one of the language `tag` */
export const treeOf = (tag: string, document: Document): DocumentedTree => {
  const ajv = new Ajv2020(OPTIONS).addSchema(document, 'document');
  const routes = Object.entries<Document>(document.paths).map(([template, item]) => ({
    matchers: segmentsOf(template).map(matcherOf),
    operations: operationsIn(item, template),
  }));
  const routesOf = Map.groupBy(routes, ({ matchers }) => matchers.length);
  const [top = ''] = Object.keys(document.paths);
  const [, api, root] = segmentsOf(top);
  const all = Object.keys(document.paths).map(segmentsOf);
  /** What stands before a collection's word. */
  const views = all.flatMap(([, , view, word]) => (word === root && view !== undefined ? [view] : []));
  const roots = [root, ...all.flatMap(([, , view = '', word]) => (views.includes(view) ? [word] : []))];
  return {
    tag,
    document,
    operationsAt: (method, path) => {
      const segments = segmentsOf(path);
      const some = routesOf.get(segments.length) ?? [];
      const found = some.filter(({ matchers }) => matchers.every((isLike, at) => isLike(segments[at] ?? '')));
      const described = method === 'HEAD' ? 'GET' : method;
      return found.flatMap(({ operations }) => operations.filter((each) => each.method === described));
    },
    operationCalled: oncePer((id) => routes.flatMap(({ operations }) => operations).find((each) => each.id === id)),
    owns: (path) => {
      const [, first, second = '', third] = segmentsOf(path);
      return first === api && roots.includes(views.includes(second) ? third : second);
    },
    validate: oncePer((pointer) => ajv.compile({ $ref: `document#${pointer}` })),
  };
};
