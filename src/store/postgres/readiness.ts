import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { quote, statement } from '../sql/statement.ts';
import { CHANGE, idempotency, readChange, tombstones } from '../sql/system-tables.ts';
import { WriteLog } from '../watch.ts';
import { isDiskFull } from './connection/errors.ts';
import type { Pool } from './connection/pool.ts';

/** @returns SQL that writes nothing, and fails like a write if the role may not write, or the server is read-only or a standby */
function tryWriting(catalogue: Catalogue): string {
  const tables = [tombstones, idempotency, ...catalogue].map(({ name }) => quote(name));
  const inserts = tables.map((table) => `INSERT INTO ${table} SELECT * FROM ${table} WHERE false`);
  return [...inserts, `UPDATE ${quote(CHANGE)} SET "number" = "number" WHERE false`].join('; ');
}

const FULL = 'its disk is full: make room';

/**
 * Sorts more than fits into the memory that it allows, which takes some room on the disk. Without a BEGIN, so that a failure leaves
 * the connection in no transaction.
 */
const NEED_ROOM = `SET LOCAL work_mem = '64kB';
  SELECT max(t) FROM (SELECT md5(n::text) AS t FROM generate_series(1, 20000) AS n ORDER BY 1) AS s`;

interface Readiness {
  readonly isRead: boolean;
  readonly refusal: string | undefined;
}

/** Asks a database whether it takes writes, and reports once when they begin to fail, and once when they may succeed again. */
export class ReadinessCheck {
  readonly #pool: Pool;
  readonly #trial: string;
  readonly #log: WriteLog;
  #isReady = true;
  #isFull = false;
  #checking: Promise<Readiness> | undefined;

  constructor(pool: Pool, catalogue: Catalogue, warn: (line: string) => void, name: string) {
    this.#pool = pool;
    this.#trial = tryWriting(catalogue);
    this.#log = new WriteLog((line) => warn(`${name} ${line}`));
  }

  async isReady(toWrite: boolean): Promise<boolean> {
    this.#checking ??= this.#checkAndReport();
    const { isRead, refusal } = await this.#checking;
    return toWrite ? refusal === undefined : isRead;
  }

  onWritten(): void {
    this.#isFull = false;
    this.#log.succeeded();
  }

  /** Only a write that fails shows that the disk is full. */
  onFailed(error: unknown): void {
    if (isDiskFull(error)) this.#isFull = true;
    // Reported at once, even if nobody asks for readiness.
    if (this.#isReady) this.#checking ??= this.#checkAndReport();
  }

  async #checkAndReport(): Promise<Readiness> {
    const readiness = await this.#check();
    this.#isReady = readiness.refusal === undefined;
    if (readiness.refusal === undefined) this.#log.succeeded();
    else this.#log.failed(readiness.refusal);
    this.#checking = undefined;
    return readiness;
  }

  async #check(): Promise<Readiness> {
    let isRead = false;
    try {
      await this.#pool.rows(statement(readChange));
      isRead = true;
      await this.#pool.use((connection) => connection.exec(this.#trial));
      if (this.#isFull) await this.#pool.use((connection) => connection.exec(NEED_ROOM));
      this.#isFull = false;
      return { isRead, refusal: undefined };
    } catch (error) {
      return { isRead, refusal: this.#isFull ? FULL : describeCause(error) };
    }
  }
}
