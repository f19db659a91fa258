import type { Connection as Line } from 'pg';
import type { Client } from './connection.ts';

/** The driver's client, with the line that it writes to. */
interface Wired extends Client {
  readonly connection: Pick<Line, 'stream'>;
}

/** @returns the same client, whose statements of one turn leave in one write: a write costs more than the statement in it */
export const inOneWrite = (client: Wired): Client => {
  let isHeld = false;
  return {
    query: (query) => {
      if (!isHeld) {
        isHeld = true;
        const { stream } = client.connection;
        stream.cork();
        process.nextTick(() => {
          isHeld = false;
          stream.uncork();
        });
      }
      return client.query(query);
    },
  };
};
