/** Finds the route of a path without the app, which cached and refused requests never reach. */

import type { RouteMatch } from '../../model/log.ts';
import { MALFORMED_PATH, originForm, pathOf, routePath, TARGET_LIMIT, TOO_LONG } from '../target.ts';

/** A node of the tree of path segments. */
interface Branch {
  readonly segments: Map<string, Branch>;
  /** The branch of a parameter. */
  parameter?: Branch;
  /** The match of a path that ends here. */
  match: RouteMatch;
  /** The match of a path that continues here without matching a route. */
  readonly beyond: RouteMatch;
}

/** Origin or absolute form; the target of CONNECT has no path. */
const WITH_PATH = /^(?:\/|https?:\/\/)/i;

const [SLASH, PERCENT, QUERY] = [47, 37, 63];

/** @returns whether the rest of a target is one segment, not empty and without anything that is encoded, and perhaps a query */
const isPlainKey = (target: string, start: number): boolean => {
  for (let at = start; at < target.length; at++) {
    const code = target.charCodeAt(at);
    if (code === QUERY) return at > start;
    if (code === SLASH || code === PERCENT) return false;
  }
  return target.length > start;
};

/**
 * @param patterns of all routes, such as `/api/cars/:cars`
 * @param languageOf the language of a pattern's tree
 * @returns where the path of a request target leads
 */
export const routeFinder = (
  patterns: Iterable<string>,
  languageOf: (pattern: string) => string | undefined,
): ((target: string) => RouteMatch) => {
  const branchAt = (path: string): Branch => {
    const nowhere = { route: undefined, language: languageOf(path) };
    return { segments: new Map(), match: nowhere, beyond: nowhere };
  };
  const root = branchAt('');
  const literal = new Map<string, RouteMatch>();
  /** By what stands before the one parameter of a pattern, which is its last segment, if no literal pattern begins like that. */
  const byPrefix = new Map<string, RouteMatch>();
  for (const pattern of patterns) {
    let at = root;
    let path = '';
    for (const segment of pattern.split('/').slice(1)) {
      path += `/${segment}`;
      const next: Branch = (segment.startsWith(':') ? at.parameter : at.segments.get(segment)) ?? branchAt(path);
      if (segment.startsWith(':')) at.parameter = next;
      else at.segments.set(segment, next);
      at = next;
    }
    if (at.match.route === undefined) at.match = { route: pattern, language: languageOf(pattern) };
    const [front = '', last] = pattern.split('/:');
    if (last === undefined) literal.set(pattern, at.match);
    else if (pattern === `${front}/:${last}` && !last.includes('/')) byPrefix.set(`${front}/`, at.match);
  }
  for (const pattern of literal.keys()) byPrefix.delete(pattern.slice(0, pattern.lastIndexOf('/') + 1));
  const items = [...byPrefix].map(([prefix, match]) => ({ prefix, match }));

  const find = (segments: readonly string[]): RouteMatch => {
    let at = root;
    for (const segment of segments) {
      const next = at.segments.get(segment) ?? at.parameter;
      if (!next) return at.beyond;
      at = next;
    }
    return at.match;
  };
  /** Finds the match of an ordinary item: comparing a few prefixes costs less than making one of the target and looking it up. */
  const findItem = (target: string): RouteMatch | undefined => {
    for (const { prefix, match } of items) {
      if (target.startsWith(prefix) && isPlainKey(target, prefix.length)) return match;
    }
    return undefined;
  };
  /** Finds the match of an ordinary path without normalising it. @returns `undefined` where the encoding matters */
  const findSimple = (target: string): RouteMatch | undefined => {
    if (target.length > TARGET_LIMIT) return undefined;
    const item = findItem(target);
    if (item || target.includes('%')) return item;
    const query = target.indexOf('?');
    return literal.get(query === -1 ? target : target.slice(0, query));
  };
  return (target) => {
    const simple = findSimple(target);
    if (simple) return simple;
    if (!WITH_PATH.test(target)) return root.beyond;
    const sent = pathOf(originForm(target));
    const path = routePath(sent);
    if (path === MALFORMED_PATH || path === TOO_LONG) return { route: undefined, language: languageOf(sent) };
    return find(path.split('/').slice(1));
  };
};
