/** Everything that is measured, by prom-client. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type FormerWord, spoken } from '../../gateway/locale/former.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import type { CountedRequest } from '../log/events.ts';
import { databaseMeter } from './database.ts';
import { measureProcess } from './process.ts';
import { SECONDS } from './seconds.ts';
import { type StoreMeter, storeMeter } from './store.ts';

/** Methods with a label of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';
/** The label where a path matches no route or belongs to no language, or where no response was sent. */
const NONE = 'none';

/** Why access is refused, by the sentence that the client reads. */
const REFUSALS = ['key-missing', 'key-invalid', 'scope-missing', 'rate-limited'];

type Labels = Readonly<Record<string, string>>;

/** The meters that events are reported to. */
export interface Meters {
  readonly requests: {
    /** Called with each request before its response. */
    readonly begin: () => void;
    /** Called with each completed request. */
    readonly end: (request: CountedRequest) => void;
  };
  readonly store: StoreMeter;
  /** @param language of the tree @param others the language of each word that it refused */
  readonly refuseWords: (language: string, others: readonly string[]) => void;
  /** Counts a request with a former word. */
  readonly useFormer: (word: FormerWord) => void;
  /** Counts a request whose access was refused; other reasons are not counted. */
  readonly refuse: (reason: string) => void;
  /**
   * @param connections reads the number of those that are open
   * @param copies a folder of copies, the time of whose newest is measured
   * @returns reads all that this process has measured, and what is in its database, as Prometheus reads it
   */
  readonly reader: (
    connections: () => number,
    store: Store,
    catalogue: Catalogue,
    copies: string | undefined,
  ) => () => Promise<string>;
}

/**
 * @param all the sets of labels, so that each is there before its first event
 * @returns counts events by their labels
 */
function labelledCounter(registry: Registry, name: string, help: string, all: readonly Labels[]): Counter {
  const labelNames = [...new Set(all.flatMap((labels) => Object.keys(labels)))];
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const labels of all) counter.inc(labels, 0);
  return counter;
}

/** Labels are bounded: routes and not paths, methods that some resource has, languages of trees. */
function requestMeter(registry: Registry): Meters['requests'] {
  const registers = [registry];
  const count = new Counter({
    name: 'catalogue_http_requests_total',
    help: 'Requests by what was requested, the language of its tree, and the status of the response.',
    labelNames: ['method', 'route', 'language', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'catalogue_http_request_duration_seconds',
    help: 'Seconds from the headers of a request to the end of its response.',
    labelNames: ['method', 'route', 'language'],
    buckets: SECONDS,
    registers,
  });
  const inProgress = new Gauge({
    name: 'catalogue_http_requests_in_progress',
    help: 'Requests whose response has not ended.',
    registers,
  });
  return {
    begin: () => inProgress.inc(),
    end: ({ route = NONE, language = NONE, method: sent, status, duration }) => {
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
export function createMeters(version: string, locales: readonly Locale[]): Meters {
  const registry = new Registry();
  const tags = locales.map(({ tag }) => tag);
  const former = locales.flatMap((locale) => [...spoken(locale).former.values()]);
  const requests = requestMeter(registry);
  let readConnections = (): number => 0;
  new Gauge({
    name: 'catalogue_http_connections',
    help: 'Open connections.',
    registers: [registry],
    collect() {
      this.set(readConnections());
    },
  });
  const store = storeMeter(registry);
  const words = labelledCounter(
    registry,
    'catalogue_foreign_words_total',
    'Words that a tree has refused because they are those of another language.',
    tags.flatMap((language) =>
      tags.filter((tag) => tag !== language).map((word_language) => ({ language, word_language })),
    ),
  );
  const formerCounter =
    former.length > 0
      ? labelledCounter(
          registry,
          'catalogue_former_words_total',
          'Requests with a word that another one has replaced, and that is still accepted.',
          former.map(({ language, word }) => ({ language, word })),
        )
      : undefined;
  const refusals = labelledCounter(
    registry,
    'catalogue_access_refused_total',
    'Requests that were refused because of their key, or beyond the limit of their client.',
    REFUSALS.map((reason) => ({ reason })),
  );
  measureProcess(registry, version);
  return {
    requests,
    store,
    refuseWords: (language, others) => {
      for (const word_language of others) words.inc({ language, word_language });
    },
    useFormer: ({ language, word }) => formerCounter?.inc({ language, word }),
    refuse: (reason) => {
      if (REFUSALS.includes(reason)) refusals.inc({ reason });
    },
    reader: (connections, opened, catalogue, copies) => {
      readConnections = connections;
      const readDatabase = databaseMeter(opened, catalogue, copies);
      return async () => (await Promise.all([registry.metrics(), readDatabase()])).join('');
    },
  };
}
