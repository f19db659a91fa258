import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { describeCause } from '../../gateway/port/unavailable.ts';
import { quote, type Statement, statement } from '../sql/statement.ts';
import { CHANGE, idempotency, tombstones } from '../sql/system-tables.ts';
import { WriteReport } from '../watch.ts';
import { isDiskFull } from './connection/errors.ts';
import type { Pool } from './connection/pool.ts';

function selectCondition(catalogue: Catalogue): Statement {
  const written = [idempotency.name, ...catalogue.map(({ name }) => name)];
  const needs: readonly (readonly [table: string, ...rights: string[]])[] = [
    [CHANGE, 'SELECT', 'UPDATE'],
    [tombstones.name, 'INSERT', 'DELETE'],
    ...written.map((table) => [table, 'SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const),
  ];
  const rows = needs.flatMap(([table, ...rights]) => rights.map((right) => `('${quote(table)}', '${right}')`));
  return statement(`SELECT
    CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE current_setting('default_transaction_read_only') END,
    current_user, current_schema(),
    (SELECT string_agg("right" || ' on ' || "table", ', ') FROM (VALUES ${rows.join(', ')}) AS "needs" ("table", "right")
     WHERE NOT has_table_privilege("table", "right"))`);
}

type Condition = readonly [mode: string, role: string, schema: string, missing: string | null];

function advise([mode, role, schema, missing]: Condition): string | undefined {
  if (mode === 'standby') return 'it is a standby: lead DATABASE_URL to the primary, or promote it';
  if (mode === 'on') return 'it is read-only: switch default_transaction_read_only off';
  if (missing === null) return undefined;
  return `${role} lacks ${missing}: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`;
}

/** Milliseconds between two checks whether a full disk has room again: readers do not wait for each. */
const ROOM_MS = 500;

const FULL = 'its disk is full: make room';

/** Sorts more than fits into the memory that it allows, which takes some room on the disk. */
const NEED_ROOM = `BEGIN READ ONLY; SET LOCAL work_mem = '64kB';
  SELECT max(t) FROM (SELECT md5(n::text) AS t FROM generate_series(1, 20000) AS n ORDER BY 1) AS s; COMMIT`;

interface Readiness {
  readonly isRead: boolean;
  readonly refusal: string | undefined;
}

/** Asks a database whether it takes writes, and reports once when they begin to fail, and once when they may succeed again. */
export class ReadinessCheck {
  readonly #pool: Pool;
  readonly #condition: Statement;
  readonly #log: WriteReport;
  #isReady = true;
  #isFull = false;
  #lookedForRoom = 0;
  #checking: Promise<Readiness> | undefined;

  constructor(pool: Pool, catalogue: Catalogue, report: (line: string) => void, name: string) {
    this.#pool = pool;
    this.#condition = selectCondition(catalogue);
    this.#log = new WriteReport((line) => report(`${name} ${line}`));
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
    try {
      const [condition] = await this.#pool.rows<Condition>(this.#condition);
      const advice = condition && advise(condition);
      return { isRead: true, refusal: advice ?? ((await this.#hasRoom()) ? undefined : FULL) };
    } catch (error) {
      return { isRead: false, refusal: this.#isFull ? FULL : `it does not do its work: ${describeCause(error)}` };
    }
  }

  async #hasRoom(): Promise<boolean> {
    if (!this.#isFull) return true;
    if (performance.now() - this.#lookedForRoom < ROOM_MS) return false;
    this.#lookedForRoom = performance.now();
    const trial = this.#pool.use((connection) => connection.exec(NEED_ROOM));
    this.#isFull = await trial.then(
      () => false,
      () => true,
    );
    return !this.#isFull;
  }
}
