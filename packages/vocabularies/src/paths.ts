/** Finds the path template of an address, and writes an address in the words of another vocabulary. */
import { type Document, type Fault, type Path, placeWithin } from './document.ts';
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

/** A route with the segments of an address as they were sent. */
export interface Match {
  readonly route: Route;
  readonly segments: readonly string[];
  readonly hasSlash: boolean;
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
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return normalize(segment);
  try {
    return normalize(decodeURIComponent(segment));
  } catch {
    return segment;
  }
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

  match(path: string): Match | undefined {
    const segments = path.split('/');
    segments.shift();
    const hasSlash = segments.length > 1 && segments[segments.length - 1] === '';
    if (hasSlash) segments.pop();
    return findRoute(this.#root, segments, 0, 0, hasSlash);
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

function findRoute(
  branch: Branch,
  segments: readonly string[],
  at: number,
  literals: number,
  hasSlash: boolean,
): Match | undefined {
  if (at === segments.length) {
    return branch.route && { route: branch.route, segments, hasSlash, literals };
  }
  const text = decodeSegment(segments[at] ?? '');
  const literal = branch.literals.get(text);
  const ofLiteral = literal && findRoute(literal, segments, at + 1, literals + 1, hasSlash);
  if (ofLiteral) return ofLiteral;
  for (const { pattern, branch: next } of branch.mixed) {
    const found = pattern.test(text) ? findRoute(next, segments, at + 1, literals, hasSlash) : undefined;
    if (found) return found;
  }
  return branch.parameter && text !== ''
    ? findRoute(branch.parameter, segments, at + 1, literals, hasSlash)
    : undefined;
}

/** @returns an address's path in the words of a vocabulary, with its parameters' values as `exchangeValue` gives them */
export function writePath(
  { route, segments, hasSlash }: Match,
  words: Words | undefined,
  exchangeValue: (name: string, raw: string) => string,
): string {
  const written = route.segments.map((segment, at) => {
    const raw = segments[at] ?? '';
    if (segment.text === '{}') return exchangeValue(segment.parameters[0] ?? '', raw);
    const word = segmentWord(segment, words);
    return segment.parameters.length > 0 || decodeSegment(raw) === word ? raw : encodeURIComponent(word);
  });
  return `/${written.join('/')}${hasSlash ? '/' : ''}`;
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
