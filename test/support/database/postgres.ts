import pg from 'pg';

/** Runs statements, one after the other, on a connection of their own. @returns the rows of the last one */
export const query = async (
  url: string,
  ...statements: readonly (string | pg.QueryConfig)[]
): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const each of statements) ({ rows } = await client.query(each));
    return rows;
  } finally {
    await client.end();
  }
};
