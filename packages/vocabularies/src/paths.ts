/** Finds the path template of an address, and writes it in other words. */
import { type Document, decodeUri, type Path } from './document.ts';
import { type Direction, Node, type Vocabulary } from './nodes.ts';
import type { Words } from './table.ts';
import { compose } from './words.ts';

/** A segment of a template. */
interface Segment {
  /** Its text, in which each parameter is `{}`. */
  readonly text: string;
  readonly parameters: readonly string[];
  /** Whether it is a word: no parameter, and not of a server's address. */
  readonly isWord: boolean;
}

export interface Route {
  readonly path: Path;
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
  return bases.flatMap((base) => {
    const before = base.split('/').slice(1);
    return paths.map((path) => {
      const segments = [...before, ...path.template.split('/').slice(1)];
      return { path, segments: segments.map((text, at) => readSegment(text, at < before.length)) };
    });
  });
}

function readSegment(text: string, isBase: boolean): Segment {
  const parameters = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  const isWord = parameters.length === 0 && !isBase;
  return { text: compose(decodeUri(text.replace(/\{[^}]*\}/g, '{}'))), parameters, isWord };
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
    if (text === '{}') node.rest = child;
    else if (text.includes('{}')) {
      const literals = text.split('{}').map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
      node.patterns.push([new RegExp(`^${literals.join('.+')}$`, 'su'), child]);
    } else if (first) {
      const { isWord } = first.segments[depth] ?? { isWord: false };
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
    for (const [pattern, next] of node.patterns) {
      const match = pattern.test(text) ? walk(next, at + 1, literals) : undefined;
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

/** @returns a path in other words, with its parameters' values as `exchangeValue` gives them */
export function writePath({ route, path, words }: Match, exchangeValue: (name: string, raw: string) => string): string {
  const written = path.raw.map((raw, at) => {
    const { text = '', parameters = [] } = route.segments[at] ?? {};
    if (text === '{}') return exchangeValue(parameters[0] ?? '', raw);
    const word = words[at];
    return word === undefined ? raw : encodeURIComponent(word);
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
