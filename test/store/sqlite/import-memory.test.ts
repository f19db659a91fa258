/** An import whose thread runs out of memory: the file is to blame, not the database. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importThreads } from '../../../src/store/imports/import-threads.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

test.each([
  ['/api/cars', 'Reading the file takes more memory than 4 MiB.'],
  ['/api/coches', 'Leer el archivo requiere más de 4 MiB de memoria.'],
])('a file for %s that takes more memory than its import may have is refused', async (path, detail) => {
  const location = join(temporaryFolder(), 'cars.db');
  const { importRows } = importThreads({
    file: new URL('../../../src/store/sqlite/imports/import-worker.ts', import.meta.url),
    workerData: catalogue,
    location: () => location,
    write: (work) => work(),
    heap: 4,
  });
  const { send, faults, close } = await openApp({
    database: `sqlite:${location}`,
    spoil: () => ({ importRows }),
  });
  onTestFinished(close);
  const { status, json } = await send('POST', path, 'identifier,brand,model\na,Seat,Ibiza\n', {
    'content-type': 'text/csv',
  });
  expect([status, json.code, json.detail]).toEqual([413, 'body-too-large', detail]);
  expect(faults).toEqual([]);
  expect((await send('GET', '/api/cars')).json).toEqual([]);
});
