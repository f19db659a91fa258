import pg from 'pg';
import { unavailable } from '../unavailable.ts';
import { type Connection, type Kept, keeping, over } from './connection.ts';
import { OverloadError } from './errors.ts';
import type { Names } from './names.ts';
import type { Prepare } from './options.ts';
import { serversOf } from './servers.ts';

/** A connection that is kept until it is released; `isSound: false` closes it. */
export interface Held {
  readonly connection: Connection;
  readonly release: (isSound: boolean) => void;
}

export interface DriverOptions {
  readonly size: number;
  /** Milliseconds for a connection, and for each statement. */
  readonly timeout: number;
  /** Whether statements may take any time, as changes of the schema do. */
  readonly isPatient?: boolean;
  readonly prepare?: Prepare | undefined;
  /** Whether a server that may only be read will do, where several are named. */
  readonly isReadOnly?: boolean;
}

/** The connections to one server, or to the one of several that is used. */
interface Driver {
  /** @throws Problem `unavailable` where it makes no sense to ask again */
  readonly acquire: () => Promise<Held>;
  /** Leaves every connection to a server that is of no use any more. */
  readonly startOver: () => void;
  /** Looks for another server. @returns whether there are several */
  readonly seek: () => Promise<boolean>;
  readonly end: () => Promise<void>;
}

/** Requests that wait for a connection at one time. */
const WAITING = 1_000;
/** Milliseconds by which the client waits longer for a statement than the server lets it run. */
const GRACE = 500;
/** The greatest number of milliseconds that a timer takes. */
const ANY_TIME = 2 ** 31 - 1;

/** https://www.postgresql.org/docs/current/catalog-pg-type.html: int8, int2, int4, numeric. Our integers are all safe. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 1700]);
const asText = (text: string): string => text;
const types = { getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : asText) };

const ABOUT = "SELECT pg_backend_pid(), current_setting('transaction_read_only')";

/** A pooler that stands in between makes up the number that a server tells of its process. */
const ask = async (client: pg.ClientBase): Promise<{ readonly isPooled: boolean; readonly isReadOnly: boolean }> => {
  const { rows } = await client.query<[number, string]>({ text: ABOUT, rowMode: 'array' });
  const [[process, isReadOnly] = [0, '']] = rows;
  return { isPooled: !('processID' in client) || client.processID !== process, isReadOnly: isReadOnly === 'on' };
};

/** @param url `postgres://…`, with what `pg` understands of parameters */
export const openDriver = (
  url: string,
  names: Names,
  { size, timeout, isPatient = false, prepare = 'auto', isReadOnly = false }: DriverOptions,
): Driver => {
  const kept = new WeakMap<pg.ClientBase, Kept>();
  const limits = isPatient ? { statement: 0, idle: 0 } : { statement: timeout, idle: timeout + GRACE };
  let isEnded = false;

  /** @throws where it is a server that will not do */
  const greet = async (client: pg.ClientBase): Promise<void> => {
    const about = prepare === 'auto' || !servers.isOne ? await ask(client) : undefined;
    if (!servers.isOne && !isReadOnly && about?.isReadOnly) throw new Error('the server is read-only');
    if (prepare === 'on' || (prepare === 'auto' && !about?.isPooled)) kept.set(client, keeping());
  };
  const open = (): pg.Pool => {
    const pool = new pg.Pool({
      connectionString: servers.current(),
      fallback_application_name: 'car-dealer-catalogue',
      max: size,
      connectionTimeoutMillis: timeout,
      keepAlive: true,
      // Several statements in one round trip; and one that gets no answer ends its connection, as no other could follow.
      pipeline: true,
      types,
      query_timeout: isPatient ? ANY_TIME : timeout + GRACE,
      onConnect: greet,
    });
    // A connection that breaks while nobody uses it is replaced when one is needed; while it is used, its query fails.
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
  const startOver = (): void => {
    if (isEnded) return;
    const old = pool;
    pool = open();
    void old.end();
  };
  const servers = serversOf(url, reach, startOver);
  let pool = open();

  return {
    acquire: async () => {
      if (isEnded) throw unavailable(new Error('the database is closed'));
      if (pool.waitingCount >= WAITING) throw unavailable(new OverloadError('too many requests wait for a connection'));
      await servers.find();
      const client = await pool.connect().catch((error: unknown) => {
        throw servers.isOne ? unavailable(error) : error;
      });
      const own = kept.get(client);
      const release = (isSound: boolean): void =>
        client.release(!isSound || client.getTransactionStatus() !== 'I' || own?.isFull());
      return { connection: over(client, names, own, limits), release };
    },
    startOver,
    seek: async () => {
      if (!servers.isOne && !isEnded) await servers.seek();
      return !servers.isOne;
    },
    end: async () => {
      if (isEnded) return;
      isEnded = true;
      await pool.end();
    },
  };
};
