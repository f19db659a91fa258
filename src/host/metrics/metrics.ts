/** Everything that is measured. */
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { databaseMeter } from './database.ts';
import { type Collect, gauge } from './family.ts';
import { labelledCounter } from './labelled.ts';
import { processMeter } from './process.ts';
import { type RequestMeter, requestMeter } from './requests.ts';
import { type StoreMeter, storeMeter } from './store.ts';

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
  readonly store: Omit<StoreMeter, 'families'> & { readonly onKept: (isKept: boolean) => void };
  /** @param tree the language of the tree @param words the language of each word that it refused */
  readonly refuseWords: (tree: string, words: readonly string[]) => void;
  /** Counts a request whose access was refused; other reasons are not counted. */
  readonly refuse: (reason: string) => void;
  readonly metricsOf: (server: ServerState, store: Store, catalogue: Catalogue) => ServiceMetrics;
}

/** Why access is refused, by the sentence that the client reads. */
const REFUSALS = ['key-missing', 'key-invalid', 'scope-missing', 'rate-limited'];

/**
 * @param version of the service
 * @param tags of its languages
 */
export const createMeters = (version: string, tags: readonly string[]): Meters => {
  const requests = requestMeter();
  const pages = labelledCounter(
    'catalogue_row_cache_pages_total',
    'Pages whose rows were looked for in memory, by whether all of them were there.',
    [{ result: 'hit' }, { result: 'miss' }],
  );
  const store = storeMeter();
  const words = labelledCounter(
    'catalogue_foreign_words_total',
    'Words that a tree has refused because they are those of another language.',
    tags.flatMap((language) =>
      tags.filter((each) => each !== language).map((word_language) => ({ language, word_language })),
    ),
  );
  const refusals = labelledCounter(
    'catalogue_access_refused_total',
    'Requests that were refused because of their key, or beyond the limit of their client.',
    REFUSALS.map((reason) => ({ reason })),
  );
  const collectProcess = processMeter(version);
  return {
    requests,
    store: { ...store, onKept: (isKept) => pages.count({ result: isKept ? 'hit' : 'miss' }) },
    refuseWords: (language, others) => {
      for (const word_language of others) words.count({ language, word_language });
    },
    refuse: (reason) => refusals.count({ reason }),
    metricsOf: ({ connections }, opened, catalogue) => ({
      ofProcess: async () => [
        ...requests.families(),
        gauge('catalogue_http_connections', 'Open connections.', connections()),
        pages.family(),
        ...store.families(),
        words.family(),
        refusals.family(),
        ...(await collectProcess()),
      ],
      ofDatabase: databaseMeter(opened, catalogue),
    }),
  };
};
