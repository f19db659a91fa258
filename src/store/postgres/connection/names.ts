import { createHash } from 'node:crypto';

/** SQL as the server expects it, and the name that it is prepared under. */
interface Prepared {
  readonly text: string;
  readonly name: string | undefined;
}

export type Names = ReturnType<typeof statementNames>;

/** The most statements that are remembered, and the uses after which one gets a name: most filters never recur. */
const REMEMBERED = 1_000;
const RECURRING = 3;

const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
};

/**
 * The name is a hash of the SQL, because the clients of a pooler share prepared statements: a name may be missing there, or
 * exist already, but it never stands for other SQL. PostgreSQL truncates names after 63 bytes.
 */
const statementName = (text: string): string => `s_${createHash('sha256').update(text).digest('base64url')}`;

/** Converts each statement once, and names those that recur. */
export const statementNames = () => {
  const known = new Map<string, { readonly text: string; uses: number; name: string | undefined }>();
  let isStopped = false;

  return {
    prepare: (sql: string): Prepared => {
      const each = known.get(sql) ?? { text: numbered(sql), uses: 0, name: undefined };
      each.uses += 1;
      if (each.uses === RECURRING) each.name = statementName(each.text);
      // The most recent is last.
      known.delete(sql);
      known.set(sql, each);
      const [oldest] = known.size > REMEMBERED ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
      return { text: each.text, name: isStopped ? undefined : each.name };
    },
    /** Gives no more names. @returns whether names were given until now */
    stop: (): boolean => {
      const was = isStopped;
      isStopped = true;
      return !was;
    },
  };
};

/** The most statements that stay prepared on a connection. Where more recur, the connection is replaced. */
const MOST_PREPARED = 256;

/** The statements that are prepared on a connection. */
export type PreparedStatements = ReturnType<typeof preparedStatements>;

export const preparedStatements = () => {
  const prepared = new Set<string>();
  let isFull = false;
  return {
    isFull: (): boolean => isFull,
    /** @returns the name; `undefined` where it is new and no more statements may be prepared */
    add: (name: string): string | undefined => {
      if (prepared.has(name)) return name;
      isFull = prepared.size === MOST_PREPARED;
      if (isFull) return undefined;
      prepared.add(name);
      return name;
    },
  };
};
