/** Finds the path template of an address, and writes an address in the words of another vocabulary. */
import { type Document, decodeUri, type Fault, type Path, placeWithin } from './document.ts';
import { normalize, type Words } from './table.ts';

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

/** The path of an address, taken apart once for all that look for its route. */
export interface PathSegments {
  /** Its segments as they were sent, and in the form in which words are compared. */
  readonly raw: readonly string[];
  readonly texts: readonly string[];
  readonly hasSlash: boolean;
}

/** A route with the path that leads to it. */
export interface Match {
  readonly route: Route;
  readonly path: PathSegments;
  /** How many of its segments are literal. */
  readonly literals: number;
}

/** @returns every path of a document, below its own root and below the paths of its servers */
export function readRoutes({ paths, bases }: Document): readonly Route[] {
  return bases.flatMap((base) =>
    paths.map((path) => {
      const read = (text: string, isBase: boolean) =>
        text
          .split('/')
          .slice(1)
          .map((each) => readSegment(each, isBase));
      return { path, segments: [...read(base, true), ...read(path.template, false)] };
    }),
  );
}

function readSegment(text: string, isBase: boolean): Segment {
  const parameters = [...text.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  const isWord = parameters.length === 0 && !isBase;
  return { text: decodeSegment(text.replace(/\{[^}]*\}/g, '{}')), parameters, isWord };
}

/** @returns a segment of an address in the form in which words are compared */
function decodeSegment(segment: string): string {
  return normalize(decodeUri(segment));
}

export function readSegments(path: string): PathSegments {
  const raw = path.split('/');
  raw.shift();
  const hasSlash = raw.length > 1 && raw[raw.length - 1] === '';
  if (hasSlash) raw.pop();
  return { raw, texts: raw.map(decodeSegment), hasSlash };
}

/** @returns a segment in a vocabulary; without one, as the document has it */
function segmentWord({ text, isWord }: Segment, words: Words | undefined): string {
  return isWord ? (words?.path(text)?.word ?? text) : text;
}

interface Branch {
  readonly literals: Map<string, Branch>;
  readonly mixed: { readonly pattern: RegExp; readonly branch: Branch }[];
  parameter?: Branch;
  route?: Route;
}

function createBranch(): Branch {
  return { literals: new Map(), mixed: [] };
}

/** The routes of one vocabulary, by segments; a literal one goes before a parameter. */
export class PathTree {
  readonly #root = createBranch();

  /** @param all the vocabularies of whose words any may stand in a segment; `undefined` is the document's own */
  constructor(routes: readonly Route[], all: readonly (Words | undefined)[]) {
    for (const route of routes) {
      let branch = this.#root;
      for (const segment of route.segments) branch = addBranches(branch, segment, all);
      branch.route ??= route;
    }
  }

  match(path: PathSegments): Match | undefined {
    return findRoute(this.#root, path, 0, 0);
  }
}

function addBranches(branch: Branch, segment: Segment, all: readonly (Words | undefined)[]): Branch {
  if (segment.text === '{}') {
    branch.parameter ??= createBranch();
    return branch.parameter;
  }
  const spellings = all.map((words) => segmentWord(segment, words));
  const known = spellings.map((each) => branch.literals.get(each)).find((each) => each !== undefined);
  const next = known ?? createBranch();
  for (const spelling of spellings) {
    if (!branch.literals.has(spelling)) branch.literals.set(spelling, next);
  }
  if (!known && segment.parameters.length > 0) {
    const literals = segment.text.split('{}').map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
    branch.mixed.push({ pattern: new RegExp(`^${literals.join('.+')}$`, 'su'), branch: next });
  }
  return next;
}

function findRoute(branch: Branch, path: PathSegments, at: number, literals: number): Match | undefined {
  const text = path.texts[at];
  if (text === undefined) return branch.route && { route: branch.route, path, literals };
  const literal = branch.literals.get(text);
  const ofLiteral = literal && findRoute(literal, path, at + 1, literals + 1);
  if (ofLiteral) return ofLiteral;
  for (const { pattern, branch: next } of branch.mixed) {
    const found = pattern.test(text) ? findRoute(next, path, at + 1, literals) : undefined;
    if (found) return found;
  }
  return branch.parameter && text !== '' ? findRoute(branch.parameter, path, at + 1, literals) : undefined;
}

/** @returns an address's path in the words of a vocabulary, with its parameters' values as `exchangeValue` gives them */
export function writePath(
  { route, path }: Match,
  words: Words | undefined,
  exchangeValue: (name: string, raw: string) => string,
): string {
  const written = route.segments.map((segment, at) => {
    const raw = path.raw[at] ?? '';
    if (segment.text === '{}') return exchangeValue(segment.parameters[0] ?? '', raw);
    const word = segmentWord(segment, words);
    return segment.parameters.length > 0 || path.texts[at] === word ? raw : encodeURIComponent(word);
  });
  return `/${written.join('/')}${path.hasSlash ? '/' : ''}`;
}

/** @returns a template in the words of a vocabulary, with `{}` for each parameter, by which two of them are compared */
export function pathPattern({ segments }: Route, words: Words | undefined): string {
  return segments.map((segment) => `/${segmentWord(segment, words)}`).join('');
}

/** @returns a fault for each two segments that stand side by side and have one word */
export function checkPaths(routes: readonly Route[], words: Words): readonly Fault[] {
  const faults = new Map<string, Fault>();
  const scopes = new Map<string, Map<string, Segment>>();
  for (const { segments } of routes) {
    let scope = '';
    for (const segment of segments) {
      const siblings = scopes.get(scope) ?? new Map<string, Segment>();
      scopes.set(scope, siblings.set(segment.text, segment));
      scope += `/${segment.text}`;
    }
  }
  for (const [scope, siblings] of scopes) {
    const byWord = new Map<string, string>();
    for (const [name, segment] of siblings) {
      const word = segmentWord(segment, words);
      const other = byWord.get(word) ?? (siblings.has(word) && word !== name ? word : undefined);
      byWord.set(word, name);
      if (other === undefined) continue;
      const pointer = placeWithin('/paths', name);
      const message = `"${word}" is the word of "${name}", and also ${word === other ? 'the name' : 'the word'} of "${other}" (${placeWithin('/paths', other)}) below "${scope || '/'}"; choose another one`;
      faults.set(`${pointer} ${other}`, { file: words.tag, pointer, message });
    }
  }
  return [...faults.values()];
}
