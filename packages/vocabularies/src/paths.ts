/** Finds the path template of an address, and writes it in other words. */
import { type Contents, type Document, decodeUri, type Operation, type Path, uniteParameters } from './document.ts';
import { type Direction, Node, type Term, type Vocabulary } from './nodes.ts';
import type { Words } from './table.ts';
import { compose, type Json } from './words.ts';

/** A segment of a template. */
interface Segment {
  /** Its text as the document has it, and without the names of its parameters, which are `{}`. */
  readonly source: string;
  readonly text: string;
  /** The texts around the parameters of a segment such as `report.{format}`. */
  readonly literals: readonly string[] | undefined;
  /** Whether it is a word: no parameter, and not of a server's address. */
  readonly isWord: boolean;
}

/** A path, and others that differ from it in the names of their parameters only. */
export interface Route extends Path {
  readonly segments: readonly Segment[];
}

/** The path of an address, taken apart. */
export interface PathSegments {
  /** Its segments as they stand there, and in the form in which words are compared. */
  readonly raw: readonly string[];
  readonly texts: readonly string[];
}

/** A route with the meaning of each of its literal segments. */
export interface Match {
  readonly route: Route;
  readonly path: PathSegments;
  readonly terms: readonly (Term | undefined)[];
}

/** @returns every path of a document, below its own root and below the paths of its servers */
export function readRoutes(document: Document): readonly Route[] {
  const all = document.bases.flatMap((base) => document.paths.map((path) => createRoute(path, base)));
  const groups = Map.groupBy(all, ({ segments }) => segments.map(({ text }) => text).join('/'));
  const merge = (one: Operation, other: Operation) => mergeOperations(document, one, other);
  return [...groups.values()].flatMap((routes) => {
    const operations = routes.map((route) => route.operations).reduce((one, other) => mergeMaps(one, other, merge));
    return routes.slice(0, 1).map((route) => ({ ...route, operations }));
  });
}

/** @returns one operation in place of two that a path tells apart by its query, which may send and answer what either does */
function mergeOperations(document: Document, one: Operation, other: Operation): Operation {
  const mergeSchemas = (schema: Json | undefined, another: Json | undefined): Json | undefined =>
    schema && another ? document.derive(schema, { anyOf: [schema, another] }) : (schema ?? another);
  const mergeContents = (contents: Contents, others: Contents): Contents =>
    mergeMaps(contents, others, (content, another) => ({
      body: mergeSchemas(content.body, another.body),
      item: mergeSchemas(content.item, another.item),
    }));
  return {
    ...one,
    parameters: uniteParameters([...other.parameters, ...one.parameters]),
    body: mergeContents(one.body, other.body),
    answers: mergeMaps(one.answers, other.answers, mergeContents),
    signatures: [...one.signatures, ...other.signatures],
  };
}

function mergeMaps<T>(
  one: ReadonlyMap<string, T>,
  other: ReadonlyMap<string, T>,
  merge: (value: T, another: T) => T,
): ReadonlyMap<string, T> {
  const merged = Array.from(other, ([name, another]): [string, T] => {
    const value = one.get(name);
    return [name, value === undefined ? another : merge(value, another)];
  });
  return new Map([...one, ...merged]);
}

/** What begins with `?` or `#` tells operations of one path apart, and is no part of it. */
export function createRoute(path: Path, base = ''): Route {
  const before = base.split('/').slice(1);
  const [address = ''] = path.template.split(/[?#]/, 1);
  const segments = [...before, ...address.split('/').slice(1)];
  return { ...path, segments: segments.map((text, at) => readSegment(text, at < before.length)) };
}

function readSegment(source: string, isBase: boolean): Segment {
  const text = compose(decodeUri(source.replace(/\{[^}]*\}/g, '{}')));
  const literals = text.split('{}');
  const isPlain = literals.length === 1;
  return { source, text, literals: isPlain || text === '{}' ? undefined : literals, isWord: isPlain && !isBase };
}

/**
 * Finds each text as late as it can stand, as `{name}.{format}` is meant, and without trying again: a long segment of a
 * stranger takes no longer than its length.
 *
 * @returns the values of the parameters between texts; nothing if the segment does not have them all
 */
function readBetween(segment: string, [first = '', ...others]: readonly string[]): readonly string[] | undefined {
  if (others.length === 0) return segment === first ? [] : undefined;
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
  const longer = routes.filter(({ segments }) => segments.length > depth);
  const groups = Map.groupBy(longer, ({ segments }) => `${segments[depth]?.isWord} ${segments[depth]?.text}`);
  const entries = [...groups.values()].flatMap((group) => {
    const child = buildTree(vocabulary, group, depth + 1);
    const { literals, text = '', isWord = false } = group[0]?.segments[depth] ?? {};
    // What a server's address has may be a word in its paths, too.
    const isShared = !isWord && groups.has(`true ${text}`);
    if (literals || isShared) node.templates.push([literals ?? [text], child]);
    else if (text === '{}') node.rest = child;
    else {
      const findWords = (words: Words) => (isWord ? [words.findPath(text)] : []);
      return [{ name: text, place: group[0]?.place ?? '', node: child, findWords }];
    }
    return [];
  });
  node.members = vocabulary.readTerms(entries);
  return node;
}

/** What has no encoding and no letter that can be written in several ways. */
const PLAIN = /^[!-$&-~]*$/;

export function readSegments(path: string): PathSegments {
  const raw = path.split('/').slice(1);
  return { raw, texts: PLAIN.test(path) ? raw : raw.map((segment) => compose(decodeUri(segment))) };
}

/**
 * @param isLenient whether words of other vocabularies are understood, too
 * @returns the route of a path that is in words (`in`) or in the document's names (`out`), with what its words mean
 */
export function findRoute(root: Node, path: PathSegments, direction: Direction, isLenient = false): Match | undefined {
  // A slash at the end is left as it is.
  const { length } = path.texts;
  const last = length > 1 && path.texts[length - 1] === '' ? length - 1 : length;
  const terms: (Term | undefined)[] = [];
  const enter = (node: Node | undefined, at: number, term?: Term): Route | undefined => {
    terms[at] = term;
    return node && walk(node, at + 1);
  };
  const walk = (node: Node, at: number): Route | undefined => {
    if (at === last) {
      // A template may end with a slash, too; it goes before one without if the path has one.
      const slashed = node.members[direction].get('')?.node?.route;
      return last < length ? (slashed ?? node.route) : (node.route ?? slashed);
    }
    const text = path.texts[at] ?? '';
    const term = node.members[direction].get(text);
    const isKnown = term !== undefined && (isLenient || term.suggestion === undefined);
    const route = isKnown && enter(term.node, at, term);
    if (route) return route;
    for (const [literals, next] of node.templates) {
      const between = readBetween(text, literals) && enter(next, at);
      if (between) return between;
    }
    return text === '' ? undefined : enter(node.rest, at);
  };
  const route = walk(root, 0);
  return route && { route, path, terms };
}

/** @returns how many segments of a path are literal */
export function countLiterals(match: Match | undefined): number {
  return match ? match.route.segments.filter(({ text }) => !text.includes('{}')).length : -1;
}

/** @returns whether a path in other words leads to the same: a parameter's value may be a literal there */
export function leadsBack(root: Node, { route, path, terms }: Match, direction: Direction): boolean {
  const texts = path.texts.map((text, at) => terms[at]?.to ?? text);
  return findRoute(root, { raw: path.raw, texts }, direction)?.route === route;
}

/** @returns a path in other words, with its parameters' values as `exchangeValue` gives them, by their order */
export function writePath(
  { route, path, terms }: Match,
  exchangeValue: (index: number, raw: string) => string,
): string {
  let index = 0;
  const exchange = (raw: string): string => exchangeValue(index++, raw);
  const segments = path.raw.map((raw, at) => {
    const { text = '', literals } = route.segments[at] ?? {};
    if (literals) return exchangeBetween(path.texts[at] ?? '', literals, exchange) ?? raw;
    if (text === '{}') return exchange(raw);
    const { to = text, json } = terms[at] ?? {};
    // Routers compare `/users/@me` as it is written.
    return json === undefined ? raw : encodeURI(to).replaceAll(/[/?#]/g, encodeURIComponent);
  });
  return `/${segments.join('/')}`;
}

/** @returns a segment with its parameters' values in other words; nothing if they stay */
function exchangeBetween(
  segment: string,
  [first = '', ...others]: readonly string[],
  exchange: (raw: string) => string,
): string | undefined {
  const raws = (readBetween(segment, [first, ...others]) ?? []).map((value) =>
    encodeURIComponent(value.toWellFormed()),
  );
  const values = raws.map(exchange);
  if (values.every((value, at) => value === raws[at])) return undefined;
  return encodeURI(first) + others.map((literal, at) => (values[at] ?? '') + encodeURI(literal)).join('');
}

/** @returns a template in the words of a vocabulary, with its parameters as `writeParameter` gives them */
export function writeTemplate(
  { segments }: Route,
  words: Words | undefined,
  writeParameter: (name: string) => string = () => '{}',
): string {
  const parts = segments.map(({ source, text, isWord }) => {
    if (isWord) return words?.findPath(text)?.word ?? text;
    return source.replaceAll(/\{([^}]*)\}/g, (_, name: string) => writeParameter(name));
  });
  return `/${parts.join('/')}`;
}
