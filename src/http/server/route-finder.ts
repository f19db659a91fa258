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
  /** By what stands before the one parameter of a pattern, which is its last segment, if no other pattern goes on like that. */
  const beforeKey = new Map<string, RouteMatch>();
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
    else if (pattern === `${front}/:${last}` && !last.includes('/')) beforeKey.set(front, at.match);
  }
  for (const pattern of literal.keys()) beforeKey.delete(pattern.slice(0, pattern.lastIndexOf('/')));

  const find = (segments: readonly string[]): RouteMatch => {
    let at = root;
    for (const segment of segments) {
      const next = at.segments.get(segment) ?? at.parameter;
      if (!next) return at.beyond;
      at = next;
    }
    return at.match;
  };
  /** Finds the match of an ordinary item without looking at its whole path. */
  const findItem = (target: string): RouteMatch | undefined => {
    const slash = target.lastIndexOf('/');
    const match = beforeKey.get(target.slice(0, slash));
    const first = target[slash + 1];
    if (first === undefined || first === '?' || target.includes('%', slash)) return undefined;
    return match;
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
