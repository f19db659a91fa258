/** Where paths lead, told without the app: what is cached or refused never comes there. */
import { originForm, pathOf, routePath } from '../target.ts';
import type { Place } from './request-log.ts';

/** What follows the segments that lead to it. */
interface Branch {
  readonly segments: Map<string, Branch>;
  /** Where any segment leads. */
  parameter?: Branch;
  place?: Place;
}

const branch = (): Branch => ({ segments: new Map() });

const below = (from: Branch, segment: string): Branch => {
  if (segment.startsWith(':')) {
    from.parameter ??= branch();
    return from.parameter;
  }
  const next = from.segments.get(segment) ?? branch();
  from.segments.set(segment, next);
  return next;
};

/**
 * @param patterns of all routes, such as `/api/cars/:cars`
 * @param languageOf the language of a pattern's tree
 * @returns where the path of a request target leads; `undefined` where it leads nowhere
 */
export const placeFinder = (
  patterns: Iterable<string>,
  languageOf: (pattern: string) => string | undefined,
): ((target: string) => Place | undefined) => {
  const root = branch();
  for (const pattern of patterns) {
    const last = pattern.split('/').reduce(below, root);
    last.place ??= { route: pattern, language: languageOf(pattern) };
  }
  return (target) => {
    let at: Branch | undefined = root;
    for (const segment of routePath(pathOf(originForm(target))).split('/')) {
      at = at.segments.get(segment) ?? at.parameter;
      if (!at) return undefined;
    }
    return at.place;
  };
};
