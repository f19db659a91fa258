import { performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type LabelValues, Registry } from 'prom-client';
import type { FormerWord } from '../../../packages/vocabularies/src/words.ts';
import { withHistory } from '../../gateway/locale/history.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Store } from '../../store/store.ts';
import { WatchedChunks } from '../../store/streams.ts';
import { andThen } from '../../util/maybe-promise.ts';
import type { CountedRequest } from '../log/log.ts';
import { readLastCopyTime } from '../settings/copies.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';
const NONE = 'none';
const REFUSALS = ['key-missing', 'key-invalid', 'scope-missing', 'rate-limited'];
const REQUEST = ['method', 'route', 'language'];

/** Bounds of histograms, in seconds, for what takes from a tenth of a millisecond to ten seconds. */
const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** @param all sets of labels that are there before their first event */
function counter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  all: LabelValues<string>[] = [],
) {
  const meter = new Counter({ name, help, labelNames, registers: [registry] });
  for (const labels of all) meter.inc(labels, 0);
  return meter;
}

function gauge(registry: Registry, name: string, help: string, labelNames: string[] = []) {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

function histogram(registry: Registry, name: string, help: string, labelNames: string[] = [], buckets = SECONDS) {
  return new Histogram({ name, help, labelNames, buckets, registers: [registry] });
}

/** How late its timers fire is measured by prom-client. */
function measureEventLoop(registry: Registry): void {
  new Counter({
    name: 'catalogue_event_loop_busy_seconds_total',
    help: 'Seconds in which the event loop worked.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1_000);
    },
  });
}

/** Reads what is in the database, which is the same in all processes that share it; what is missing shows that it does not respond. */
async function readDatabase(store: Store, catalogue: Catalogue, copies: string | undefined): Promise<string> {
  // A new one each time, so that nothing of an earlier state is left.
  const registry = new Registry();
  const isReady = await store.ready(true);
  gauge(registry, 'catalogue_database_ready', '1 if the database takes writes.').set(isReady ? 1 : 0);
  const counts = Promise.all(catalogue.map(store.countRows));
  const contents = await Promise.all([store.size(), store.hooks.all(), counts]).catch(() => undefined);
  if (contents) {
    const [size, hooks, rows] = contents;
    const items = gauge(registry, 'catalogue_items', 'Items in a collection.', ['collection']);
    for (const [at, { name: collection }] of catalogue.entries()) items.set({ collection }, rows[at] ?? 0);
    const suspended = hooks.filter(({ state }) => state.isSuspended).length;
    gauge(registry, 'catalogue_hooks_suspended', 'Web hooks that are suspended.').set(suspended);
    gauge(registry, 'catalogue_database_bytes', 'Bytes of the database.').set(size.bytes);
    if (size.walBytes !== undefined)
      gauge(registry, 'catalogue_database_log_bytes', 'Bytes of SQLite’s write-ahead log.').set(size.walBytes);
  }
  if (copies !== undefined) {
    const help = 'Time of the newest copy, 0 without one.';
    gauge(registry, 'catalogue_last_backup_timestamp_seconds', help).set(readLastCopyTime(copies));
  }
  return registry.metrics();
}

/** The meters that events are reported to. Labels are bounded: routes and not paths, methods that some resource has, languages of trees. */
export class Meters {
  readonly #registry = new Registry();
  readonly #requests = counter(this.#registry, 'catalogue_http_requests_total', 'Requests.', [...REQUEST, 'status']);
  readonly #durations = histogram(this.#registry, 'catalogue_http_request_duration_seconds', 'Of requests.', REQUEST);
  readonly #inProgress = gauge(this.#registry, 'catalogue_http_requests_in_progress', 'Requests without a response.');
  readonly #connections = gauge(this.#registry, 'catalogue_http_connections', 'Open connections.');
  readonly #commits = histogram(
    this.#registry,
    'catalogue_store_commit_duration_seconds',
    'Of commits, with the disk.',
  );
  readonly #writes = histogram(this.#registry, 'catalogue_store_commit_writes', 'Writes in one commit.', [], WRITES);
  readonly #streams = gauge(this.#registry, 'catalogue_list_streams', 'Long lists that are being read.');
  readonly #formerWords: Counter | undefined;
  readonly #refusals: Counter;

  constructor(version: string, locales: readonly Locale[]) {
    const former = locales.flatMap((locale) => [...withHistory(locale).deprecatedWords.values()]);
    if (former.length > 0) {
      const all = former.map(({ language, word }) => ({ language, word }));
      const help = 'Requests with a word that another one has replaced, and that is still accepted.';
      const names = ['language', 'word'];
      this.#formerWords = counter(this.#registry, 'catalogue_former_words_total', help, names, all);
    }
    const refusalHelp = 'Requests that were refused because of their key, or beyond the limit of their client.';
    const reasons = REFUSALS.map((reason) => ({ reason }));
    this.#refusals = counter(this.#registry, 'catalogue_access_refused_total', refusalHelp, ['reason'], reasons);
    const info = gauge(this.#registry, 'catalogue_info', 'What runs: 1.', ['version', 'node']);
    info.set({ version, node: process.versions.node }, 1);
    measureEventLoop(this.#registry);
    collectDefaultMetrics({ register: this.#registry });
  }

  begin(): void {
    this.#inProgress.inc();
  }

  end({ route = NONE, language = NONE, method, status, duration }: CountedRequest): void {
    this.#inProgress.dec();
    const labels = { method: METHODS.includes(method) ? method : OTHER, route, language };
    this.#requests.inc({ ...labels, status: status ?? NONE });
    this.#durations.observe(labels, duration / 1_000);
  }

  useFormer({ language, word }: FormerWord): void {
    this.#formerWords?.inc({ language, word });
  }

  refuse(reason: string): void {
    if (REFUSALS.includes(reason)) this.#refusals.inc({ reason });
  }

  onCommit(count: number, milliseconds: number): void {
    this.#commits.observe(milliseconds / 1_000);
    this.#writes.observe(count);
  }

  /** @returns a store whose long lists are counted while they are read */
  countLists(store: Store): Store {
    return {
      ...store,
      read: (plan, caller) =>
        andThen(store.read(plan, caller), (result) => {
          if (!result?.rest) return result;
          this.#streams.inc();
          return { ...result, rest: new WatchedChunks(result.rest, () => this.#streams.dec()) };
        }),
    };
  }

  async read(connections: number, store: Store, catalogue: Catalogue, copies: string | undefined): Promise<string> {
    this.#connections.set(connections);
    return (await Promise.all([this.#registry.metrics(), readDatabase(store, catalogue, copies)])).join('');
  }
}
