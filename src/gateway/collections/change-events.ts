/** Tells of what requests have changed. */

import type { Env, Exchange } from '../http/context.ts';
import { idsOf, type RequestIds } from '../http/respond.ts';
import type { Collection } from '../model/catalogue.ts';
import type { ImportOutcome } from '../model/import.ts';
import type { Keys, Outcome } from '../port/port.ts';

/** What a request has changed. */
export interface ChangeEvent {
  readonly action: 'created' | 'updated' | 'deleted' | 'imported';
  readonly collection: string;
  /** Of the item; of an import those of the parent. */
  readonly identifiers: readonly string[];
  /** The number of the change; an import has many. */
  readonly revision?: number;
  /** Of an import. */
  readonly created?: number;
  readonly updated?: number;
  readonly deleted?: number;
}

/** @param incoming absent in tests that call the app directly */
export type OnChange = (
  change: ChangeEvent,
  ids: RequestIds,
  incoming: Env['Bindings']['incoming'] | undefined,
) => void;

/**
 * Each returns the id of the request, for its response, if it has changed something and somebody is told.
 *
 * @param onChange called with every change that was stored
 */
export const changeEventsOf = ({ name: collection }: Collection, onChange: OnChange | undefined) => {
  const tell = (c: Exchange, change: Omit<ChangeEvent, 'collection'>): string | undefined => {
    if (!onChange) return undefined;
    const ids = idsOf(c.req.raw);
    onChange({ ...change, collection }, ids, c.env?.incoming);
    return ids.id;
  };
  return {
    wrote: (c: Exchange, action: ChangeEvent['action'], identifiers: Keys, outcome: Outcome): string | undefined => {
      if (outcome.kind === 'removed') return tell(c, { action, identifiers, revision: outcome.change });
      if (outcome.kind !== 'written' || outcome.isUnchanged) return undefined;
      return tell(c, { action, identifiers, revision: outcome.row[0] });
    },
    imported: (c: Exchange, identifiers: Keys, outcome: ImportOutcome): string | undefined => {
      if (outcome.kind !== 'imported' || outcome.earlier) return undefined;
      const { created, updated, deleted } = outcome.report;
      if (created + updated + deleted === 0) return undefined;
      return tell(c, { action: 'imported', identifiers, created, updated, deleted });
    },
  };
};
