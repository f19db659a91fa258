import { createHash } from 'node:crypto';

/** A text as the server takes it, and the name under which a connection keeps it prepared. */
interface Prepared {
  readonly text: string;
  readonly name: string | undefined;
}

export interface Names {
  readonly prepare: (sql: string) => Prepared;
  /** No text has a name from now on. @returns whether one could have had until now */
  readonly stop: () => boolean;
}

/** Texts that are remembered, the latest ones, and uses after which one of them has a name: most filters never come again. */
const REMEMBERED = 1_000;
const RECURRING = 3;

const numbered = (sql: string): string => {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
};

/**
 * A name says what its text is, because the clients of a pooler share what its connections have prepared: a name may be
 * missing there, or be there already, but never be another text's. PostgreSQL cuts names after 63 bytes.
 */
const nameOf = (text: string): string => `s_${createHash('sha256').update(text).digest('base64url')}`;

/** Converts each text once, and names those that recur. */
export const statementNames = (): Names => {
  const known = new Map<string, { readonly text: string; uses: number; name: string | undefined }>();
  let isStopped = false;

  return {
    prepare: (sql) => {
      const each = known.get(sql) ?? { text: numbered(sql), uses: 0, name: undefined };
      each.uses += 1;
      if (each.uses === RECURRING) each.name = nameOf(each.text);
      // The latest stands last.
      known.delete(sql);
      known.set(sql, each);
      const [oldest] = known.size > REMEMBERED ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
      return { text: each.text, name: isStopped ? undefined : each.name };
    },
    stop: () => {
      const was = isStopped;
      isStopped = true;
      return !was;
    },
  };
};
