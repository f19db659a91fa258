/** Reads what a statement finds in chunks, within a transaction. */
import { quote, type Statement } from '../../sql/statement.ts';
import type { Connection } from '../connection/connection.ts';

export const declareCursor = (connection: Connection, name: string, { sql, values }: Statement): Promise<unknown> =>
  connection.rows({ sql: `DECLARE ${quote(name)} NO SCROLL CURSOR FOR ${sql}`, values });

/** Each chunk is requested while the one before it is used. */
export async function* fetchChunks<R>(
  connection: Connection,
  cursor: string,
  size: number,
): AsyncGenerator<readonly R[], undefined> {
  const fetch = (): Promise<R[]> => connection.fetch<R>(`FETCH ${size} FROM ${quote(cursor)}`);
  for (let next = fetch(); ; ) {
    const rows = await next;
    const isLast = rows.length < size;
    if (!isLast) {
      next = fetch();
      // The error is thrown where the chunk is awaited.
      next.catch(() => {});
    }
    if (rows.length > 0) yield rows;
    if (isLast) return;
  }
}
