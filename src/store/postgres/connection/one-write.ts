import type { PgClient } from './connection.ts';

/** The driver's client, with the stream that it writes to. */
interface Wired extends PgClient {
  readonly connection: { readonly stream: { readonly cork: () => void; readonly uncork: () => void } };
}

/** @returns the same client, which sends the statements of one turn in one write: a write costs more than a statement */
export const inOneWrite = (client: Wired): PgClient => {
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
