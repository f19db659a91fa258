import { type Position, windowOf } from '../../../gateway/model/query.ts';
import type { Found } from '../../../gateway/port/port.ts';
import type { ListPlan } from './read-plan.ts';

/**
 * @param rows end with a position
 * @returns where a page ends, if a row comes after it
 */
export const nextOf = (
  { sql: { position }, query }: ListPlan,
  { total, rows }: Pick<Found, 'total' | 'rows'>,
): Position | undefined => {
  const { limit } = windowOf(query);
  const isMore = (query.after ? rows.length : total) > limit;
  return isMore && position.length > 0 ? rows[limit - 1]?.slice(-position.length) : undefined;
};

/** @returns a page with the position at its end, but without those of its rows and without the row after it */
export const withNext = (plan: ListPlan, found: Found): Found => {
  const { length } = plan.sql.position;
  if (length === 0 || plan.shape === 'list') return found;
  const rows = found.rows.slice(0, windowOf(plan.query).limit);
  const next = nextOf(plan, found);
  return { ...found, rows: rows.map(([revision, ...cells]) => [revision, ...cells.slice(0, -length)]), next };
};
