/** An API before which the service is put, and a bare proxy beside it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Databases } from './databases.ts';
import { folder } from './machine.ts';
import { startServer } from './servers.ts';

export const mappingFile = join(folder, 'upstream.json');

/** It speaks as this service does, so that both programs before it ask it for the same. */
const MAPPING = {
  preset: 'this',
  clients: ':memory:',
  collections: { cars: { path: '/api/cars' }, oils: { path: '/api/cars/{cars}/oils' } },
};

/** @returns one of its own, in place of databases, on the core of the load */
export const ownApi = async (cars: number): Promise<Databases & AsyncDisposable> => {
  await writeFile(mappingFile, JSON.stringify(MAPPING));
  const server = await startServer('', { program: 'api', env: { CARS: String(cars) }, role: 'load' });
  const copyFor: Databases['copyFor'] = async (program) =>
    program === 'service' ? `upstream+${server.origin}` : server.origin;
  return {
    name: 'before an API',
    cars,
    create: () => copyFor('service'),
    copyFor,
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
};
