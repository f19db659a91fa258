/** Everything that is measured, by prom-client. */
import { Registry } from 'prom-client';
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { withHistory } from '../../gateway/locale/history.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import type { CountedRequest } from '../log/events.ts';
import { databaseMeter } from './database.ts';
import { counter, gauge, histogram, measure } from './instruments.ts';
import { measureProcess } from './process.ts';
import { storeMeter } from './store.ts';

/** Methods with a label of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';
/** The label where a path matches no route or belongs to no language, or where no response was sent. */
const NONE = 'none';

/** Why access is refused, by the sentence that the client reads. */
const REFUSALS = ['key-missing', 'key-invalid', 'scope-missing', 'rate-limited'];

/** The meters that events are reported to. */
export type Meters = ReturnType<typeof createMeters>;

/** Labels are bounded: routes and not paths, methods that some resource has, languages of trees. */
function requestMeter(registry: Registry) {
  const what = ['method', 'route', 'language'];
  const help = 'Requests by what was requested, the language of its tree, and the status of the response.';
  const count = counter(registry, 'catalogue_http_requests_total', help, [...what, 'status']);
  const durations = histogram(
    registry,
    'catalogue_http_request_duration_seconds',
    'Seconds from the headers of a request to the end of its response.',
    what,
  );
  const running = 'Requests whose response has not ended.';
  const inProgress = gauge(registry, 'catalogue_http_requests_in_progress', running);
  return {
    /** Called with each request before its response. */
    begin: (): void => inProgress.inc(),
    /** Called with each completed request. */
    end: ({ route = NONE, language = NONE, method: sent, status, duration }: CountedRequest): void => {
      inProgress.dec();
      const labels = { method: METHODS.includes(sent) ? sent : OTHER, route, language };
      count.inc({ ...labels, status: status ?? NONE });
      if (duration !== undefined) durations.observe(labels, duration / 1_000);
    },
  };
}

/**
 * @param version of the service
 * @param locales its languages
 */
export function createMeters(version: string, locales: readonly Locale[]) {
  const registry = new Registry();
  const tags = locales.map(({ tag }) => tag);
  const former = locales.flatMap((locale) => [...withHistory(locale).former.values()]);
  const requests = requestMeter(registry);
  let readConnections = (): number => 0;
  measure(registry, 'catalogue_http_connections', 'Open connections.', () => readConnections());
  const store = storeMeter(registry);
  const words = counter(
    registry,
    'catalogue_foreign_words_total',
    'Words that a tree has refused because they are those of another language.',
    ['language', 'word_language'],
    tags.flatMap((language) =>
      tags.filter((tag) => tag !== language).map((word_language) => ({ language, word_language })),
    ),
  );
  const replaced =
    former.length > 0
      ? counter(
          registry,
          'catalogue_former_words_total',
          'Requests with a word that another one has replaced, and that is still accepted.',
          ['language', 'word'],
          former.map(({ language, word }) => ({ language, word })),
        )
      : undefined;
  const refusals = counter(
    registry,
    'catalogue_access_refused_total',
    'Requests that were refused because of their key, or beyond the limit of their client.',
    ['reason'],
    REFUSALS.map((reason) => ({ reason })),
  );
  measureProcess(registry, version);
  return {
    requests,
    store,
    /** @param language of the tree @param others the language of each word that it refused */
    refuseWords: (language: string, others: readonly string[]): void => {
      for (const word_language of others) words.inc({ language, word_language });
    },
    /** Counts a request with a former word. */
    useFormer: ({ language, word }: FormerWord): void => replaced?.inc({ language, word }),
    /** Counts a request whose access was refused; other reasons are not counted. */
    refuse: (reason: string): void => {
      if (REFUSALS.includes(reason)) refusals.inc({ reason });
    },
    /**
     * @param connections reads the number of those that are open
     * @param copies a folder of copies, the time of whose newest is measured
     * @returns reads all that this process has measured, and what is in its database, as Prometheus reads it
     */
    reader: (
      connections: () => number,
      opened: Store,
      catalogue: Catalogue,
      copies: string | undefined,
    ): (() => Promise<string>) => {
      readConnections = connections;
      const readDatabase = databaseMeter(opened, catalogue, copies);
      return async () => (await Promise.all([registry.metrics(), readDatabase()])).join('');
    },
  };
}
