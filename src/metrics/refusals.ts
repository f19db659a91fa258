import type { Family } from './family.ts';

/** Why access is refused, by the sentence that the client reads. */
const REASONS = ['key-missing', 'key-invalid', 'scope-missing', 'rate-limited'];

export interface RefusalMeter {
  /** Counts a request that was refused; other reasons are not counted. */
  readonly refuse: (reason: string) => void;
  readonly families: () => readonly Family[];
}

export const refusalMeter = (): RefusalMeter => {
  const counts = new Map(REASONS.map((reason) => [reason, 0]));
  return {
    refuse: (reason) => {
      const count = counts.get(reason);
      if (count !== undefined) counts.set(reason, count + 1);
    },
    families: () => [
      {
        name: 'catalogue_access_refused_total',
        help: 'Requests that were refused because of their key, or beyond the limit of their client.',
        type: 'counter',
        aggregation: 'sum',
        samples: [...counts].map(([reason, value]) => ({ suffix: '', labels: { reason }, value })),
      },
    ],
  };
};
