/** Everything that is measured. */
import type { Catalogue } from '../model/catalogue.ts';
import type { Store } from '../store/port.ts';
import { type CacheMeter, cacheMeter } from './cache.ts';
import { databaseMeter } from './database.ts';
import { type Collect, gauge } from './family.ts';
import { processMeter } from './process.ts';
import { type RefusalMeter, refusalMeter } from './refusals.ts';
import { type RequestMeter, requestMeter } from './requests.ts';
import { type StoreMeter, storeMeter } from './store.ts';
import { type WordMeter, wordMeter } from './words.ts';

/** Collected apart, because all processes share the metrics of the database. */
export interface ServiceMetrics {
  readonly ofProcess: Collect;
  readonly ofDatabase: Collect;
}

/** The state of a server. */
interface ServerState {
  /** Open connections. */
  readonly connections: () => number;
}

/** The meters that events are reported to. */
export interface Meters {
  readonly requests: Omit<RequestMeter, 'families'>;
  readonly store: Omit<StoreMeter, 'families'> & Pick<CacheMeter, 'onKept'>;
  readonly refuseWords: WordMeter['refuse'];
  readonly refuse: RefusalMeter['refuse'];
  readonly metricsOf: (server: ServerState, store: Store, catalogue: Catalogue) => ServiceMetrics;
}

/**
 * @param version of the service
 * @param tags of its languages
 */
export const createMeters = (version: string, tags: readonly string[]): Meters => {
  const requests = requestMeter();
  const cache = cacheMeter();
  const store = storeMeter();
  const words = wordMeter(tags);
  const refusals = refusalMeter();
  const collectProcess = processMeter(version);
  return {
    requests,
    store: { ...store, onKept: cache.onKept },
    refuseWords: words.refuse,
    refuse: refusals.refuse,
    metricsOf: ({ connections }, opened, catalogue) => ({
      ofProcess: async () => [
        ...requests.families(),
        gauge('catalogue_http_connections', 'Open connections.', connections()),
        ...cache.families(),
        ...store.families(),
        ...words.families(),
        ...refusals.families(),
        ...(await collectProcess()),
      ],
      ofDatabase: databaseMeter(opened, catalogue),
    }),
  };
};
