/** Several processes that count together. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { preparedDatabase } from '../../support/database/database.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { serve } from '../../support/process/service.ts';

const isServer = process.env.TEST_STORE === 'postgres';
const QUOTA = 40;

test('what one process has let pass, another one counts', async () => {
  const DATABASE_URL = isServer ? await preparedDatabase() : `sqlite:${join(temporaryFolder(), 'catalogue.db')}`;
  const env = {
    DATABASE_URL,
    RATE_LIMIT: String(QUOTA),
    // A window in which the whole test happens.
    RATE_WINDOW: '86400',
    TRUSTED_PROXIES: '127.0.0.0/8',
    ...(isServer ? {} : { RATE_LIMIT_STORE: 'database' }),
  };
  const services = [await serve({ env }), await serve({ env })];
  const statuses = async (client: string): Promise<readonly number[]> =>
    Promise.all(
      Array.from({ length: 3 * QUOTA }, async (_, at) => {
        const response = await fetch(`${services[at % 2]?.origin}/api/cars/a`, {
          headers: { 'x-forwarded-for': client },
        });
        await response.arrayBuffer();
        return response.status;
      }),
    );
  for (const client of ['192.0.2.1', '192.0.2.2']) {
    const found = Map.groupBy(await statuses(client), (status) => status);
    expect([found.get(404)?.length, found.get(429)?.length]).toEqual([QUOTA, 2 * QUOTA]);
  }
});
