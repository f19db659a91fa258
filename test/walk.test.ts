import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/process/folder.ts';
import { project } from './support/process/service.ts';

/** The most files of `src/` in which a reader has to follow a request, from the socket to the database and back. */
const MOST: Readonly<Record<string, number>> = {
  'GET /api/coches?marca=seat': 20,
  'GET /api/coches?marca=seat&ordenar_por=anio': 22,
  'GET /api/coches/ibiza-1': 17,
  'POST /api/coches': 24,
  'POST /api/importaciones/coches': 25,
};

test('a request walks few files', async () => {
  const env = { ...process.env, PORT: '0', DATABASE_URL: `sqlite:${join(temporaryFolder(), 'cars.db')}` };
  const program = ['test/support/process/walk.ts', ...Object.keys(MOST)];
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: project, env });
  const walked: Readonly<Record<string, readonly string[]>> = JSON.parse(stdout);
  for (const [request, most] of Object.entries(MOST)) {
    const files = walked[request] ?? [];
    expect(files.some((file) => file.startsWith('store/sqlite/'))).toBe(true);
    expect(files.length, `${request}\n${files.join('\n')}`).toBeLessThanOrEqual(most);
  }
});
