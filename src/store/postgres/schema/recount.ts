/** Counts how values are written where instances of an older version, which do not count that, have gone on beside this one. */
import type { Catalogue } from '../../../gateway/model/catalogue.ts';
import { openChangeSet } from '../../change-set.ts';
import { isFolded, type Statement, statement } from '../../sql/statement.ts';
import { countAnew, countedIn } from '../../sql/system/totals.ts';
import { LOCK_CHANGE, migrations, writeChange } from '../../sql/system-tables.ts';
import { NAME } from '../connection/driver.ts';
import type { Pool } from '../connection/pool.ts';

/** Milliseconds between two looks: an idle session of an instance lasts for ten seconds. */
const EVERY = 5_000;
/** Looks without an older instance after which there is none any more. */
const LOOKS = 120;

const OLDER = statement(
  `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND split_part(application_name, '/', 1) = ?
   AND coalesce(nullif(split_part(application_name, '/', 2), '')::int, 0) < ? LIMIT 1`,
  [NAME, migrations.length],
);

const recount = (pool: Pool, writings: readonly Statement[]): Promise<void> =>
  pool.use(async (connection) => {
    await connection.begin();
    const [[last] = [0]] = await connection.rows<[number]>(statement(LOCK_CHANGE));
    for (const each of [...writings, statement(writeChange, [openChangeSet(last).nextChange()])]) {
      await connection.rows(each);
    }
    await connection.exec('COMMIT');
  });

/**
 * @param patient its statements have no time limit
 * @param report called with a line when all is counted
 * @returns a function that ends the watch
 */
export const recountAfterOlder = (
  pool: Pool,
  patient: Pool,
  catalogue: Catalogue,
  report: (line: string) => void,
): (() => void) => {
  const writings = catalogue.flatMap((collection) =>
    countedIn(collection).flatMap((field) => (field && isFolded(field) ? countAnew(collection, field) : [])),
  );
  let looks = 0;
  let isDue = false;
  const look = async (): Promise<void> => {
    const [older] = await pool.read(({ rows }) => rows(OLDER));
    looks = older ? 0 : looks + 1;
    if (older) isDue = true;
    else if (isDue) {
      await recount(patient, writings);
      isDue = false;
      report('instances of an older version are gone; the totals that they did not keep were counted');
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const lookAgain = async (): Promise<void> => {
    // Tried again where the database does not respond.
    await look().catch(() => {});
    if (!isEnded && looks < LOOKS) timer = setTimeout(lookAgain, EVERY).unref();
  };
  void lookAgain();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
};
