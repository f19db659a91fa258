/** Everything that is measured. */
import { type FormerWord, spoken } from '../../gateway/locale/former.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { databaseMeter } from './database.ts';
import { type Collect, counter, type Family, gauge, type Labels } from './family.ts';
import { processMeter } from './process.ts';
import { requestMeter } from './requests.ts';
import { storeMeter } from './store.ts';

/** Collected apart, because all processes share the metrics of the database. */
export interface ServiceMetrics {
  readonly ofProcess: Collect;
  readonly ofDatabase: Collect;
}

/**
 * @param all the sets of labels, so that each is there before its first event
 * @returns counts events by their labels; others are not counted
 */
const labelledCounter = (name: string, help: string, all: readonly Labels[]) => {
  const keyOf = (labels: Labels): string => Object.values(labels).join(' ');
  const counts = new Map(all.map((labels) => [keyOf(labels), 0]));
  return {
    count: (labels: Labels): void => {
      const key = keyOf(labels);
      const before = counts.get(key);
      if (before !== undefined) counts.set(key, before + 1);
    },
    family: (): Family => {
      const values = all.map((labels) => [labels, counts.get(keyOf(labels)) ?? 0] as const);
      return counter(name, help, values);
    },
  };
};

/** The meters that events are reported to. */
export type Meters = ReturnType<typeof createMeters>;

/** Why access is refused, by the sentence that the client reads. */
const REFUSALS = ['key-missing', 'key-invalid', 'scope-missing', 'rate-limited'];

/**
 * @param version of the service
 * @param locales its languages
 */
export const createMeters = (version: string, locales: readonly Locale[]) => {
  const tags = locales.map(({ tag }) => tag);
  const former = locales.flatMap((locale) => [...spoken(locale).former.values()]);
  const requests = requestMeter();
  const store = storeMeter();
  const pairs = tags.flatMap((language) => tags.map((word_language) => ({ language, word_language })));
  const words = labelledCounter(
    'catalogue_foreign_words_total',
    'Words that a tree has refused because they are those of another language.',
    pairs.filter(({ language, word_language }) => language !== word_language),
  );
  const replaced = labelledCounter(
    'catalogue_former_words_total',
    'Requests with a word that another one has replaced, and that is still accepted.',
    [...new Map(former.map(({ language, word }) => [`${language} ${word}`, { language, word }])).values()],
  );
  const refusals = labelledCounter(
    'catalogue_access_refused_total',
    'Requests that were refused because of their key, or beyond the limit of their client.',
    REFUSALS.map((reason) => ({ reason })),
  );
  const collectProcess = processMeter(version);
  return {
    requests,
    store,
    /** @param tree the language of the tree @param words the language of each word that it refused */
    refuseWords: (language: string, others: readonly string[]): void => {
      for (const word_language of others) words.count({ language, word_language });
    },
    /** Counts a request with a former word. */
    useFormer: ({ language, word }: FormerWord): void => replaced.count({ language, word }),
    /** Counts a request whose access was refused; other reasons are not counted. */
    refuse: (reason: string): void => refusals.count({ reason }),
    /** @param connections the number of those that are open */
    metricsOf: (connections: () => number, opened: Store, catalogue: Catalogue): ServiceMetrics => ({
      ofProcess: async () => [
        ...requests.families(),
        gauge('catalogue_http_connections', 'Open connections.', connections()),
        ...store.families(),
        words.family(),
        ...(former.length > 0 ? [replaced.family()] : []),
        refusals.family(),
        ...(await collectProcess()),
      ],
      ofDatabase: databaseMeter(opened, catalogue),
    }),
  };
};
