/** What the Dockerfile does, done without Docker: its files, its packages, its command under a user that can write nothing but the data. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { identity } from '../support/database/postgres-server.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { project, serve } from '../support/process/service.ts';

const text = readFileSync(join(project, 'deploy/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
const linesOf = (instruction: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^(?:HEALTHCHECK .*?)?\\b${instruction} (.+)$`, 'gm'))].map(([, rest = '']) => rest);

/** Copies what the image gets from the project. */
const copy = (app: string): void => {
  for (const line of linesOf('COPY')) {
    if (line.startsWith('--from')) continue;
    const names = line.split(' ');
    const to = names.pop() ?? '';
    for (const name of names) {
      const target = to.endsWith('/') ? join(app, to, name.split('/').at(-1) ?? '') : join(app, to);
      mkdirSync(dirname(target), { recursive: true });
      cpSync(join(project, name), target, { recursive: true });
    }
  }
};

/** @returns bytes of all files of a folder */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0);

test('the image serves, is healthy as long as it does, and writes nothing but its data', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const [app, data] = [join(folder, 'app'), join(folder, 'data')];
  mkdirSync(app);
  mkdirSync(data);
  if (identity.uid !== undefined) chownSync(data, identity.uid, identity.uid);
  copy(app);
  const [install = ''] = linesOf('RUN');
  execFileSync('sh', ['-c', install], { cwd: app, stdio: 'inherit' });
  expect(sizeOf(app)).toBeLessThan(40_000_000);
  // As a read-only root is; root itself could write all the same, and does not run it.
  execFileSync('chmod', ['-R', 'a-w,a+rX', app]);

  const [variables = ''] = linesOf('ENV');
  const set = Object.fromEntries(variables.split(' ').map((each) => each.replace('/data', data).split('=')));
  const [, command = ''] = linesOf('CMD');
  const [program, ...args]: readonly string[] = JSON.parse(command);
  expect(program).toBe('node');
  const env = { ...set, PORT: '0', HOME: '/nonexistent' };
  const { origin, port, output, end } = await serve({ cwd: app, args, env, identity });
  const [health = ''] = linesOf('CMD');
  const [, ...check]: readonly string[] = JSON.parse(health);
  const isHealthy = () => spawnSync(process.execPath, check, { env: { PORT: String(port) }, ...identity }).status === 0;
  expect(isHealthy()).toBe(true);
  const headers = { 'content-type': 'text/csv' };
  const body = 'marca;modelo\nSeat;Ibiza\n';
  expect((await fetch(`${origin}/api/coches`, { method: 'POST', headers, body })).status).toBe(200);
  expect((await fetch(`${origin}/docs/swagger-ui-bundle.js`)).status).toBe(200);
  expect(readdirSync(data).toSorted()).toEqual(['catalogue.db', 'catalogue.db-shm', 'catalogue.db-wal']);
  expect(await end('SIGTERM')).toBe(0);
  expect(output()).not.toMatch(/ error /);
  expect(isHealthy()).toBe(false);
});
