/** Results of requests that may be sent again. */

import type { RawDatabase } from '../raw-database/raw-database.ts';
import { quote, statement } from '../store/sql/statement.ts';
import { idempotency } from '../store/sql/system-tables.ts';
import type { Finding } from './finding.ts';

const isReadable = (result: string): boolean => {
  try {
    return typeof JSON.parse(result) === 'object';
  } catch {
    return false;
  }
};

export const idempotencyFindings = async (database: RawDatabase): Promise<readonly Finding[]> => {
  let wrong = 0;
  const all = statement(`SELECT "result", "expires" FROM ${quote(idempotency.name)}`);
  for await (const rows of database.stream(all)) {
    wrong += rows.filter(([result, expires]) => !isReadable(String(result)) || Number(expires) <= 0).length;
  }
  return wrong === 0 ? [] : [{ text: 'verify-idempotency', values: { rows: wrong } }];
};
