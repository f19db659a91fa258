import pg from 'pg';
import { unavailable } from '../../../gateway/port/unavailable.ts';
import { migrations } from '../../sql/system-tables.ts';
import { type CancelConnection, type CancelTarget, sendCancel } from './cancel.ts';
import { type Connection, connectionOf, limitSession, preparedStatements, types } from './connection.ts';
import type { Submit } from './copy.ts';
import { explained, OverloadError } from './errors.ts';
import { WAITING } from './limits.ts';
import type { Names } from './names.ts';
import type { Prepare } from './options.ts';
import { serversOf } from './servers.ts';

/** A connection in use until it is released; `isSound: false` closes it. */
export type AcquiredConnection = ReturnType<typeof acquiredConnection>;

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

/** What sessions are called, with the version of the schema, so that others see which version of the service they are of. */
export const NAME = 'car-dealer-catalogue';
/** Milliseconds that the client waits after the server's own time limit for a statement. */
const GRACE = 500;
/** The greatest number of milliseconds for a timer. */
const ANY_TIME = 2 ** 31 - 1;

const ABOUT = "SELECT pg_backend_pid(), current_setting('transaction_read_only')";

/** A pooler reports a process number of its own instead of the server's. */
const ask = async (client: pg.ClientBase): Promise<{ readonly isPooled: boolean; readonly isReadOnly: boolean }> => {
  const { rows } = await client.query<[number, string]>({ text: ABOUT, rowMode: 'array' });
  const [[process, isReadOnly] = [0, '']] = rows;
  return { isPooled: !('processID' in client) || client.processID !== process, isReadOnly: isReadOnly === 'on' };
};

/** A connection whose statements can be cancelled. `release` closes it unless it is sound. */
const acquiredConnection = (
  client: pg.PoolClient,
  connection: Connection,
  limit: number,
  isReusable: () => boolean,
) => {
  /** Whether all cancels are known to be over. */
  let cancels: Promise<boolean> | undefined;
  const give = (isSound: boolean): void => client.release(!isSound || !isReusable());
  /** Has the server end the statement that it is working on, if any. */
  const cancel = async (): Promise<void> => {
    const target = client as pg.PoolClient & CancelTarget;
    const { ssl, sslNegotiation } = target;
    const line = new pg.Connection({ ssl, sslNegotiation } as pg.ConnectionConfig) as pg.Connection & CancelConnection;
    const before = cancels;
    const sent = sendCancel(line, target, limit);
    cancels = sent.then(async (isOver) => isOver && ((await before) ?? true));
    await cancels;
  };
  return {
    connection,
    cancel,
    /** Waits until no cancel can reach whoever has the connection next. */
    release: (isSound: boolean): void => {
      if (cancels && isSound) void cancels.then(give);
      else give(isSound);
    },
  };
};

/**
 * Connections to the server in use.
 *
 * @param url `postgres://…`, with what `pg` understands of parameters
 */
export const openDriver = (
  url: string,
  names: Names,
  { size, timeout, isPatient = false, prepare = 'auto', isReadOnly = false }: DriverOptions,
) => {
  const sessions = new WeakMap<pg.ClientBase, { readonly connection: Connection; readonly isFull: () => boolean }>();
  const limits = isPatient ? { statement: 0, idle: 0 } : { statement: timeout, idle: timeout + GRACE };
  let isEnded = false;

  /** @throws where the server is not suitable */
  const greet = async (client: pg.ClientBase): Promise<void> => {
    const about = prepare === 'auto' || !servers.isOne ? await ask(client) : undefined;
    if (!servers.isOne && !isReadOnly && about?.isReadOnly) throw new Error('the server is read-only');
    const prepared = prepare === 'on' || (prepare === 'auto' && !about?.isPooled) ? preparedStatements() : undefined;
    const isLimited = about !== undefined && !about.isPooled;
    if (isLimited) await client.query(limitSession(limits));
    const submit: Submit = (text, values, members) =>
      void client.query(Object.assign(new pg.Query(text, values), members));
    const connection = connectionOf(submit, { names, prepared, limits, isLimited });
    sessions.set(client, { connection, isFull: () => prepared?.isFull() ?? false });
  };
  const open = (): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: servers.current(),
      fallback_application_name: `${NAME}/${migrations.length}`,
      max: size,
      connectionTimeoutMillis: timeout,
      keepAlive: true,
      // Several statements share a round trip. One without a response ends its connection, as no other could follow.
      pipeline: true,
      types,
      query_timeout: isPatient ? ANY_TIME : timeout + GRACE,
      onConnect: greet,
    });
    // An idle connection that breaks is replaced when one is needed; a busy one fails its query.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const reach = async (connectionString: string): Promise<void> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeout, query_timeout: timeout });
    client.on('error', () => {});
    try {
      await client.connect();
      await greet(client);
    } finally {
      await client.end().catch(() => {});
    }
  };
  /** Replaces every connection. */
  const startOver = (): void => {
    if (isEnded) return;
    const old = pool;
    pool = open();
    void old.end();
  };
  let servers = serversOf(url, reach, startOver);
  let pool = open();

  return {
    /** @throws Unavailable where trying again makes no sense */
    acquire: async (): Promise<AcquiredConnection> => {
      if (isEnded) throw unavailable(new Error('the database is closed'));
      await servers.find();
      // Nothing may be awaited between this and `connect`, which counts: many requests arrive in one turn.
      if (pool.waitingCount >= WAITING) throw unavailable(new OverloadError('too many requests wait for a connection'));
      const client = await pool.connect().catch((error: unknown) => {
        const told = explained(error);
        throw servers.isOne ? unavailable(told) : told;
      });
      const session = sessions.get(client);
      if (!session) throw new TypeError('a connection was not greeted');
      const isReusable = (): boolean => client.getTransactionStatus() === 'I' && !session.isFull();
      return acquiredConnection(client, session.connection, timeout, isReusable);
    },
    startOver,
    /** The same, with other credentials. */
    changeUrl: (changed: string): void => {
      servers = serversOf(changed, reach, startOver);
      startOver();
    },
    /** Tries to find another server. @returns whether the URL names several */
    seek: async (): Promise<boolean> => {
      if (!servers.isOne && !isEnded) await servers.seek();
      return !servers.isOne;
    },
    end: async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      await pool.end();
    },
  };
};
