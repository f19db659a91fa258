import { setImmediate as turn } from 'node:timers/promises';
import { type Catalogue, type Collection, keyIds, perCollection } from '../../../gateway/model/catalogue.ts';
import type { Cell } from '../../../gateway/model/field.ts';
import type {
  Caller,
  CallerOf,
  Keys,
  ListSummary,
  ReadPlan,
  ReadRequest,
  ReadResult,
  Row,
} from '../../../gateway/port/port.ts';
import { type Reason, refuseAs } from '../../../gateway/port/unavailable.ts';
import { ConcurrencyLimiter } from '../../../util/concurrency-limiter.ts';
import { listKeyedColumns, toKeyedRow, toResultWithIncluded } from '../../sql/items.ts';
import {
  addNextCursor,
  buildEnds,
  buildWindow,
  countInWindow,
  type ListPlan,
  type ListSql,
  planRead,
  type SqlPlan,
} from '../../sql/lists.ts';
import { PARENT, postgres, quote, quoteKey, type Statement, statement, testParent } from '../../sql/statement.ts';
import { ListStreams } from '../../streams.ts';
import { toUnavailable } from '../connection/errors.ts';
import { type BatchStatement, type Connection, type Pool, readChunks, settleAll, WAITING } from '../connection/pool.ts';
import { postgresSearch } from '../schema/search.ts';

/** Milliseconds after which the server ends an abandoned list: its snapshot keeps old rows alive. */
const ABANDONED = 120_000;

function selectNumbers({ parent, total, change, present }: ListSql): Statement {
  const parents = parent
    ? statement(`SELECT count(*) FROM (${parent.sql}) AS "parent"`, parent.values)
    : statement('1');
  const numbers = [parents, total, change, present ?? statement('0')];
  const values = numbers.flatMap((number) => number.values);
  return statement(`SELECT ${numbers.map(({ sql }) => `(${sql})`).join(', ')}`, values);
}

/** @returns no summary if the list's parent is missing, and how many items have a value in the field by which it is sorted */
function parseNumbers([row = []]: readonly (readonly number[])[]) {
  const [parents, total = 0, change = 0, present = 0] = row;
  const summary: ListSummary | undefined = parents === 1 ? { total, change } : undefined;
  return { summary, present };
}

async function beginSnapshot(connection: Connection, sql: ListSql, idle?: number) {
  const beginning = connection.begin('REPEATABLE READ READ ONLY', idle);
  return parseNumbers((await settleAll([beginning, connection.rows<number[]>(selectNumbers(sql))]))[1]);
}

/** Reads a list of up to one chunk whole. @returns `undefined` if its parent is missing */
async function readWhole(
  connection: Connection,
  { sql, window }: ListPlan,
): Promise<ReadResult | 'too long' | undefined> {
  // Within PostgreSQL's range; any greater offset is beyond the end of every list.
  const offset = Math.min(window.offset, Number.MAX_SAFE_INTEGER);
  const bounded = { offset, limit: Math.min(window.limit, sql.chunk) };
  const readRows = async (present: number): Promise<readonly Row[]> => {
    const results = buildWindow(sql, bounded, present).map((query) => connection.rows<Row>(query));
    return (await settleAll([settleAll(results), connection.exec('COMMIT')]))[0].flat();
  };
  const beginning = beginSnapshot(connection, sql);
  // The rows of one range are read in the same round trip; those of two depend on the numbers.
  const reading = sql.present ? undefined : readRows(Infinity);
  const [{ summary, present }, firstRows] = await settleAll([beginning, reading]);
  const rows = firstRows ?? (await readRows(present));
  if (!summary) return undefined;
  return countInWindow(window, summary.total) > sql.chunk ? 'too long' : { ...summary, rows };
}

async function* readAll(
  connection: Connection,
  statements: readonly Statement[],
  size: number,
): AsyncGenerator<readonly Row[], undefined> {
  try {
    for (const query of statements) yield* readChunks<Row>(connection, query, size);
  } finally {
    await connection.exec('COMMIT').then(
      () => connection.release(true),
      () => connection.release(false),
    );
  }
}

/** The first chunk is read at once, so that a list that cannot be read fails before its response has begun. */
async function openList(connection: Connection, { sql, window }: ListPlan): Promise<ReadResult | undefined> {
  const { summary, present } = await beginSnapshot(connection, sql, ABANDONED);
  const limit = summary ? countInWindow(window, summary.total) : 0;
  const ends = summary ? buildEnds(sql, window, present) : [];
  const [last, following] = (await settleAll(ends.map((end) => connection.rows<Cell[]>(end)))).flat();
  const statements = limit === 0 ? [] : buildWindow(sql, { ...window, limit }, present);
  const chunks = readAll(connection, statements, sql.chunk);
  const { value: rows = [] } = await chunks.next();
  const rest = {
    next: () =>
      chunks.next().catch((error: unknown) => {
        throw toUnavailable(error);
      }),
    return: () => {
      // The next chunk may be on its way.
      connection.abandon();
      return chunks.return(undefined);
    },
  };
  return summary && { ...summary, rows, nextCursor: following && last, rest };
}

/** Makes a statement that may find further items in a nested collection, because each key is looked up in each parent. */
export function selectItems(collection: Collection, items: readonly Keys[]): BatchStatement {
  const tests = [
    ...(collection.isChild ? [`${PARENT} ${testParent(collection, '= ANY(?)')}`] : []),
    `${quoteKey(collection.key)} = ANY(?)`,
  ];
  const ids = items.map((keys) => keyIds(collection, keys));
  return {
    sql: `SELECT ${listKeyedColumns(collection)} FROM ${quote(collection.name)} WHERE ${tests.join(' AND ')}`,
    values: tests.map((_, at) => [...new Set(ids.map((itemIds) => itemIds[at] ?? ''))]),
  };
}

/** Identifies an item within its collection, in whichever way its keys are written; no key contains U+0000. */
export function joinKeys(collection: Collection, keys: Keys): string {
  return keyIds(collection, keys).join('\0');
}

const BATCH = 256;

/** Reads in one round trip all items that are asked for while a statement waits for its connection. */
class ItemReader {
  readonly #pool: Pool;
  readonly #collection: Collection;
  #wanted: Keys[] = [];
  #rows: Promise<ReadonlyMap<string, Row>> | undefined;

  constructor(pool: Pool, collection: Collection) {
    this.#pool = pool;
    this.#collection = collection;
  }

  async read(keys: Keys): Promise<Row | undefined> {
    if (!this.#rows || this.#wanted.length === BATCH) {
      this.#wanted = [];
      this.#rows = this.#readAll(this.#wanted);
    }
    this.#wanted.push(keys);
    return (await this.#rows).get(joinKeys(this.#collection, keys));
  }

  async #readAll(requestedKeys: readonly Keys[]): Promise<ReadonlyMap<string, Row>> {
    const close = (): void => {
      if (this.#wanted === requestedKeys) this.#rows = undefined;
    };
    try {
      const rows = await this.#pool.use(async (connection) => {
        // All that arrives in the same turn of the event loop comes, too.
        await turn();
        close();
        return connection.rowsAlone<Cell[]>(selectItems(this.#collection, requestedKeys));
      });
      const items = rows.map((cells) => toKeyedRow(this.#collection, cells));
      return new Map(items.map(({ keys, row }) => [joinKeys(this.#collection, keys), row]));
    } finally {
      close();
    }
  }
}

interface ReadsOptions {
  readonly quick: Pool;
  /** For long lists only, so that slow readers do not keep other requests waiting. */
  readonly streaming: Pool;
  readonly size: number;
  readonly timeout: number;
  readonly clientShare: number;
  readonly listTimeout: number | undefined;
}

/** Milliseconds that a read may wait beyond the time limit of a statement: by then it is known whether the server responds at all. */
const MARGIN = 1_000;

/** Each kind of list has a part of the connections: none waits behind a slower kind, and no item or write behind a list. */
export class Reads {
  readonly #quick: Pool;
  readonly #streaming: Pool;
  readonly #items: (collection: Collection) => ItemReader;
  readonly #streams: ListStreams;
  readonly #limiters: Readonly<Record<'nested' | 'scannedPage' | 'scannedList' | 'indexedList', ConcurrencyLimiter>>;

  constructor(catalogue: Catalogue, { quick, streaming, size, timeout, clientShare, listTimeout }: ReadsOptions) {
    const limiter = (part: number, reason: Reason): ConcurrencyLimiter => {
      const limit = Math.max(1, Math.floor(size * part));
      const limits = { limit, queue: WAITING - limit, timeout: timeout + MARGIN, refuse: refuseAs(reason) };
      return new ConcurrencyLimiter(limits, clientShare);
    };
    this.#quick = quick;
    this.#streaming = streaming;
    this.#items = perCollection(catalogue, (collection) => new ItemReader(quick, collection));
    this.#streams = new ListStreams({ limit: size, refuse: refuseAs('lists') }, clientShare, listTimeout);
    this.#limiters = {
      nested: limiter(0.3, 'database'),
      scannedPage: limiter(0.3, 'reads'),
      scannedList: limiter(0.2, 'reads'),
      // Long lists begin quickly, but their first chunks occupy the event loop.
      indexedList: limiter(0.2, 'database'),
    };
  }

  readonly plan = (request: ReadRequest): SqlPlan => planRead(request, { dialect: postgres, searchIn: postgresSearch });

  readonly read = async (request: ReadPlan, callerOf?: CallerOf): Promise<ReadResult | undefined> => {
    const plan = request as SqlPlan;
    const caller = callerOf?.();
    if (plan.shape !== 'item') return this.#limit(plan, () => this.#readList(plan, caller), caller);
    const { collection, keys, including } = plan;
    if (including) return toResultWithIncluded((await this.#quick.rows<Cell[]>(including))[0]);
    const row = await this.#items(collection).read(keys);
    return row && { total: 1, change: row[0], rows: [row] };
  };

  readonly summarize = (request: ReadPlan, callerOf?: CallerOf): Promise<ListSummary | undefined> => {
    const plan = request as ListPlan;
    const caller = callerOf?.();
    const work = async (): Promise<ListSummary | undefined> =>
      parseNumbers(await this.#quick.rows(selectNumbers(plan.sql), { signal: caller?.signal })).summary;
    return this.#limit({ ...plan, shape: 'page' }, work, caller);
  };

  endAll(): void {
    this.#streams.endAll('the database is closed');
  }

  /** Pages by an index have no limiter. */
  #limit<T>({ collection, cost, shape }: ListPlan, work: () => Promise<T>, caller: Caller | undefined): Promise<T> {
    const { nested, scannedPage, scannedList, indexedList } = this.#limiters;
    if (collection.isChild) return nested.run(work, caller);
    if (cost === 'scan') return (shape === 'page' ? scannedPage : scannedList).run(work, caller);
    return shape === 'page' ? work() : indexedList.run(work, caller);
  }

  async #readList(plan: ListPlan, caller?: Caller): Promise<ReadResult | undefined> {
    const options = { signal: caller?.signal };
    const list = await this.#quick.use((connection) => readWhole(connection, plan), options);
    if (list !== 'too long') return list && addNextCursor(plan, list);
    return this.#streams.read(() => this.#streaming.hold((connection) => openList(connection, plan), options), caller);
  }
}
