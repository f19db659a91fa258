/** An API in one language, for the demo: json-server on a port of its own, with nothing in it yet. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const mapping = {
  preset: 'json-server',
  collections: { cars: { fields: { identifier: 'id' } }, oils: { path: '/oils', parent: 'carId', id: 'id' } },
};

/** @returns the settings of a service before it. @param folder for what the service keeps */
export const startApi = async (folder: string) => {
  const { create, router, bodyParser } = createRequire(import.meta.url)('json-server');
  const app = create();
  app.use(bodyParser);
  app.use(router({ cars: [], oils: [] }));
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const file = join(folder, 'upstream.json');
  writeFileSync(file, JSON.stringify({ ...mapping, clients: join(folder, 'clients.db') }));
  const { port } = server.address() as AddressInfo;
  return { DATABASE_URL: `upstream+http://127.0.0.1:${port}`, UPSTREAM_MAPPING: file };
};
