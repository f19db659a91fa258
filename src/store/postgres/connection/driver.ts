import pg from 'pg';
import { migrations } from '../../sql/system-tables.ts';
import { type Connection, connectionOf, limitSession, types } from './connection.ts';
import { type Names, type PreparedStatements, preparedStatements } from './names.ts';
import type { Prepare } from './options.ts';

export interface DriverOptions {
  readonly size: number;
  /** Milliseconds for a connection, and for each statement. */
  readonly timeout: number;
  /** Whether statements have no time limit, as for changes of the schema. */
  readonly isPatient?: boolean;
  readonly prepare?: Prepare | undefined;
  /** Whether a read-only server is suitable, where the URL names several. */
  readonly isReadOnly?: boolean;
}

/** What sessions are called. Those of earlier versions have the name without the version of the schema (see `../schema/inspect.ts`). */
const NAME = `car-dealer-catalogue ${migrations.length}`;
/** Milliseconds that the client waits after the server's own time limit for a statement. */
const GRACE = 500;
/** The greatest number of milliseconds for a timer. */
const ANY_TIME = 2 ** 31 - 1;

const ABOUT = "SELECT pg_backend_pid(), current_setting('transaction_read_only')";

/** A pooler reports a process number of its own instead of the server's. */
const ask = async (client: pg.ClientBase) => {
  const { rows } = await client.query<[number, string]>({ text: ABOUT, rowMode: 'array' });
  const [[process, isReadOnly] = [0, '']] = rows;
  const isPooled = !('processID' in client) || client.processID !== process;
  return { process, isPooled, isReadOnly: isReadOnly === 'on' };
};

/** What is known of a connection. */
interface Session {
  readonly connection: Connection;
  readonly prepared: PreparedStatements | undefined;
  /**
   * Has the server end the statement that it works on, if any. Behind a pooler nobody knows which server process that is: there
   * its time limit ends it.
   *
   * @returns whether the request can no longer end a later statement
   */
  readonly cancel: () => Promise<boolean>;
}

/** The driver's connections to a server. */
export type Connections = ReturnType<ReturnType<typeof driverOf>['open']>;
export type Client = pg.PoolClient;

/** How connections are made. */
export const driverOf = (
  names: Names,
  { size, timeout, isPatient = false, prepare = 'auto', isReadOnly = false }: DriverOptions,
) => {
  const sessions = new WeakMap<pg.ClientBase, Session>();
  const limits = isPatient ? { statement: 0, idle: 0 } : { statement: timeout, idle: timeout + GRACE };

  /** Does work on a connection of its own. */
  const aside = async (connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeout, query_timeout: timeout });
    client.on('error', () => {});
    try {
      await client.connect();
      await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  };
  /** @throws where the server is not suitable */
  const greet = async (client: pg.ClientBase, url: string, isOne: boolean): Promise<void> => {
    const about = await ask(client);
    if (!isOne && !isReadOnly && about.isReadOnly) throw new Error('the server is read-only');
    const prepared = prepare === 'on' || (prepare === 'auto' && !about.isPooled) ? preparedStatements() : undefined;
    const isLimited = !about.isPooled;
    if (isLimited) await client.query(limitSession(limits));
    const connection = connectionOf(client, pg.Query, { names, prepared, limits, isLimited });
    const cancel = async (): Promise<boolean> => {
      if (about.isPooled) return true;
      return aside(url, (other) => other.query('SELECT pg_cancel_backend($1)', [about.process])).then(
        () => true,
        () => false,
      );
    };
    sessions.set(client, { connection, prepared, cancel });
  };
  return {
    /** @param url `postgres://…`, with what `pg` understands of parameters @param isOne whether there is no other server */
    open: (url: string, isOne: boolean): pg.Pool => {
      const pool = new pg.Pool({
        connectionString: url,
        fallback_application_name: NAME,
        max: size,
        connectionTimeoutMillis: timeout,
        keepAlive: true,
        // Several statements share a round trip. One without a response ends its connection, as no other could follow.
        pipeline: true,
        types,
        query_timeout: isPatient ? ANY_TIME : timeout + GRACE,
        onConnect: (client) => greet(client, url, isOne),
      });
      // An idle connection that breaks is replaced when one is needed; a busy one fails its query.
      pool.on('error', () => {});
      pool.on('connect', (client) => client.on('error', () => {}));
      return pool;
    },
    /** @throws where one of several servers cannot be reached or is not suitable */
    reach: (url: string): Promise<void> => aside(url, (client) => greet(client, url, false)),
    /** Of each connection, once it is open. */
    sessions,
  };
};
