/** Finds the path template of an address, and writes it in other words. */
import {
  type Content,
  type Document,
  decodeUri,
  listParameters,
  type Operation,
  type Path,
  type Placed,
} from './document.ts';
import { type Direction, Node, type Vocabulary } from './nodes.ts';
import type { Words } from './table.ts';
import { compose } from './words.ts';

/** A segment of a template. */
interface Segment {
  /** Its text, in which each parameter is `{}`. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** The texts around the parameters of a segment such as `report.{format}`. */
  readonly literals: readonly string[] | undefined;
  /** Whether it is a word: no parameter, and not of a server's address. */
  readonly isWord: boolean;
}

/** A path, and others that differ from it in the names of their parameters only. */
export interface Route {
  readonly path: Path;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly segments: readonly Segment[];
}

/** The path of an address, taken apart. */
export interface PathSegments {
  /** Its segments as they were sent, and in the form in which words are compared. */
  readonly raw: readonly string[];
  readonly texts: readonly string[];
}

/** A route with what its literal segments become. */
export interface Match {
  readonly route: Route;
  readonly path: PathSegments;
  readonly words: readonly (string | undefined)[];
  /** The right words in place of those of other vocabularies. */
  readonly foreign: readonly (string | undefined)[];
  /** How many of its segments are literal. */
  readonly literals: number;
}

/** @returns every path of a document, below its own root and below the paths of its servers */
export function readRoutes({ paths, bases }: Document): readonly Route[] {
  const all = bases.flatMap((base) => paths.map((path) => createRoute(path, base)));
  const groups = Map.groupBy(all, ({ segments }) => segments.map(({ text }) => text).join('/'));
  return [...groups.values()].flatMap((group) => {
    const operations = group
      .map((each) => each.operations)
      .reduce((all, each) => mergeMaps(all, each, mergeOperations));
    return group.slice(0, 1).map((route) => ({ ...route, operations }));
  });
}

/** @returns one operation in place of two that a path tells apart by its query, which may send and answer what either does */
function mergeOperations(one: Operation, other: Operation): Operation {
  const parameters = [...other.parameters, ...one.parameters].map((each) => [`${each.in} ${each.name}`, each] as const);
  return {
    ...one,
    parameters: [...new Map(parameters).values()],
    body: mergeMaps(one.body, other.body, mergeContents),
    answers: mergeMaps(one.answers, other.answers, (each, another) => mergeMaps(each, another, mergeContents)),
  };
}

function mergeContents(one: Content, other: Content): Content {
  return { body: mergeSchemas(one.body, other.body), item: mergeSchemas(one.item, other.item) };
}

function mergeSchemas(one: Placed | undefined, other: Placed | undefined): Placed | undefined {
  return one && other ? { schema: { anyOf: [one.schema, other.schema] }, place: one.place } : (one ?? other);
}

function mergeMaps<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  merge: (each: T, another: T) => T,
): ReadonlyMap<string, T> {
  const merged = [...other].map(([name, each]) => {
    const same = one.get(name);
    return [name, same === undefined ? each : merge(same, each)] as const;
  });
  return new Map([...one, ...merged]);
}

/** What begins with `?` or `#` tells operations of one path apart, and is no part of it. */
export function createRoute(path: Path, base = ''): Route {
  const before = base.split('/').slice(1);
  const [address = ''] = path.template.split(/[?#]/, 1);
  const segments = [...before, ...address.split('/').slice(1)];
  const { operations } = path;
  return { path, operations, segments: segments.map((text, at) => readSegment(text, at < before.length)) };
}

function readSegment(template: string, isBase: boolean): Segment {
  const parameters = listParameters(template);
  const isWord = parameters.length === 0 && !isBase;
  const text = compose(decodeUri(template.replace(/\{[^}]*\}/g, '{}')));
  const literals = parameters.length === 0 || text === '{}' ? undefined : text.split('{}');
  return { text, parameters, literals, isWord };
}

/**
 * Finds each text as late as it can stand, as `{name}.{format}` is meant, and without trying again: a long segment of a
 * stranger takes no longer than its length.
 *
 * @returns the values of the parameters between texts; nothing if the segment does not have them all
 */
function readBetween(segment: string, [first = '', ...others]: readonly string[]): readonly string[] | undefined {
  const last = others.pop() ?? '';
  const values: string[] = [];
  let end = segment.length - last.length;
  for (const text of others.reverse()) {
    const start = segment.lastIndexOf(text, end - text.length - 1);
    values.unshift(segment.slice(start + text.length, end));
    end = start;
  }
  const isWhole = segment.startsWith(first) && segment.endsWith(last) && first.length < end;
  return isWhole ? [segment.slice(first.length, end), ...values] : undefined;
}

/** @returns the segments that may come at a depth, as members of a node: a literal one goes before a parameter */
export function buildTree(vocabulary: Vocabulary, routes: readonly Route[], depth: number): Node {
  const node = new Node('#/paths');
  node.route = routes.find(({ segments }) => segments.length === depth);
  const groups = Map.groupBy(
    routes.filter(({ segments }) => segments.length > depth),
    ({ segments }) => segments[depth]?.text ?? '',
  );
  const entries = [...groups].flatMap(([text, group]) => {
    const [first] = group;
    const child = buildTree(vocabulary, group, depth + 1);
    const { literals, isWord = false } = first?.segments[depth] ?? {};
    if (text === '{}') node.rest = child;
    else if (literals) node.templates.push([literals, child]);
    else if (first) {
      const find = (words: Words) => (isWord ? [words.path(text)] : []);
      return [{ name: text, place: first.path.place, node: child, find }];
    }
    return [];
  });
  node.members = vocabulary.readTerms(entries);
  return node;
}

export function readSegments(path: string): PathSegments {
  const raw = path.split('/').slice(1);
  return { raw, texts: raw.map((segment) => compose(decodeUri(segment))) };
}

/**
 * @param isLenient whether words of other vocabularies are understood, too
 * @returns the route of a path that is in words (`in`) or in the document's names (`out`), with what its words become
 */
export function findRoute(root: Node, path: PathSegments, direction: Direction, isLenient = false): Match | undefined {
  const words: (string | undefined)[] = [];
  const foreign: (string | undefined)[] = [];
  // A slash at the end is left as it is.
  const { length } = path.texts;
  const last = length > 1 && path.texts[length - 1] === '' ? length - 1 : length;
  const walk = (node: Node, at: number, literals: number): Match | undefined => {
    const text = path.texts[at] ?? '';
    if (at === last) {
      // A template may end with a slash, too; it goes before one without if the path has one.
      const slashed = node.members[direction].get('')?.node?.route;
      const route = last < length ? (slashed ?? node.route) : (node.route ?? slashed);
      return route && { route, path, words, foreign, literals };
    }
    const term = node.members[direction].get(text);
    if (term?.node && (isLenient || term.suggestion === undefined)) {
      const match = walk(term.node, at + 1, literals + 1);
      if (match && term.to !== text) words[at] = term.to;
      if (match) foreign[at] = term.suggestion;
      if (match) return match;
    }
    for (const [around, next] of node.templates) {
      const match = readBetween(text, around) ? walk(next, at + 1, literals) : undefined;
      if (match) return match;
    }
    return node.rest && text !== '' ? walk(node.rest, at + 1, literals) : undefined;
  };
  return walk(root, 0, 0);
}

/** @returns whether a path in other words leads to the same: a parameter's value may be a literal there */
export function leadsBack(root: Node, { route, path, words }: Match, direction: Direction): boolean {
  const texts = path.texts.map((text, at) => words[at] ?? text);
  return findRoute(root, { raw: path.raw, texts }, direction)?.route === route;
}

/**
 * @param names are those of its parameters, which may be others in another operation of the path
 * @returns a path in other words, with its parameters' values as `exchangeValue` gives them
 */
export function writePath(
  { route, path, words }: Match,
  exchangeValue: (name: string, raw: string) => string,
  names = listParameters(route.path.template),
): string {
  const rest = [...names];
  const exchange = (raw: string): string => exchangeValue(rest.shift() ?? '', raw);
  const written = path.raw.map((raw, at) => {
    const { text = '', literals } = route.segments[at] ?? {};
    if (text === '{}') return exchange(raw);
    const word = words[at];
    if (!literals) return word === undefined ? raw : encodeURIComponent(word);
    const raws = (readBetween(path.texts[at] ?? '', literals) ?? []).map(encodeURIComponent);
    const values = raws.map(exchange);
    if (values.every((value, position) => value === raws[position])) return raw;
    return text
      .split('{}')
      .map((literal, position) => encodeURI(literal) + (values[position] ?? ''))
      .join('');
  });
  return `/${written.join('/')}`;
}

/** @returns a template in the words of a vocabulary, with its parameters as `writeParameter` gives them */
export function writeTemplate(
  { segments }: Route,
  words: Words | undefined,
  writeParameter: (name: string) => string = () => '{}',
): string {
  const written = segments.map(({ text, parameters, isWord }) => {
    const names = [...parameters];
    const word = isWord ? (words?.path(text)?.word ?? text) : text;
    return `/${word.replaceAll('{}', () => writeParameter(names.shift() ?? ''))}`;
  });
  return written.join('');
}
