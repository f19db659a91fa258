/** What the Dockerfile does, done without Docker: its steps make a folder, in which its command runs as its user (`chroot`, so as root). */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyProject, pack } from '../support/pack/archives.ts';
import { temporaryFolder } from '../support/process/folder.ts';
import { freePort } from '../support/process/free-port.ts';
import { launch, project } from '../support/process/service.ts';

const text = readFileSync(join(project, 'deploy/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
const linesOf = (instruction: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^(?:HEALTHCHECK .*?)?\\b${instruction} (.+)$`, 'gm'))].map(([, rest = '']) => rest);

/** @returns bytes of all files of a folder; a file of many names counts once for each */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

const CAN_RUN = process.getuid?.() === 0 && existsSync('/bin/busybox');

test.runIf(CAN_RUN)('the image serves, is healthy as long as it does, and writes nothing but its data', async () => {
  const folder = temporaryFolder();
  const [prefix, image] = [join(folder, 'usr-local'), join(folder, 'image')];
  mkdirSync(image);
  const archive = await pack(copyProject(), 'car-dealer-catalogue', folder);
  const [install = '', , gather = ''] = linesOf('RUN');
  const there = (step: string): string =>
    step
      .replace('--global', `--global --prefix ${prefix}`)
      .replace('/tmp/car-dealer-catalogue-*.tgz', archive)
      .replaceAll(/(?<= |\()\/usr\/local\/bin\/node/g, process.execPath)
      .replaceAll(/(?<= )\/usr\/local\/lib/g, join(prefix, 'lib'));
  for (const step of [install, gather]) execFileSync('sh', ['-c', there(step)], { cwd: image, stdio: 'inherit' });
  expect(sizeOf(image)).toBeLessThan(180_000_000);

  const [variables = ''] = linesOf('ENV');
  const port = await freePort();
  const set = Object.fromEntries(variables.split(' ').map((each) => each.split(/=(.*)/s).slice(0, 2)));
  const env = { ...set, PORT: String(port), LOG_FORMAT: 'pretty', NODE_COMPILE_CACHE: '/nowhere' };
  const [health = '', command = ''] = linesOf('CMD').map((line) => JSON.parse(line));
  const inImage = (args: readonly string[]) => [`--userspec=${linesOf('USER')[0]}`, image, '/usr/bin/env', ...args];
  const { wrote, output, child, exit } = launch({ command: '/usr/sbin/chroot', args: inImage([...command]), env });
  await wrote(/serving http/);
  const isHealthy = () => spawnSync('/usr/sbin/chroot', inImage([...health]), { env }).status === 0;
  expect(isHealthy()).toBe(true);
  const origin = `http://127.0.0.1:${port}`;
  const headers = { 'content-type': 'text/csv' };
  const body = 'marca;modelo\nSeat;Ibiza\n';
  expect((await fetch(`${origin}/api/coches`, { method: 'POST', headers, body })).status).toBe(200);
  expect((await fetch(`${origin}/docs/swagger-ui-bundle.js`)).status).toBe(200);
  expect(readdirSync(join(image, 'data')).toSorted()).toEqual(['catalogue.db', 'catalogue.db-shm', 'catalogue.db-wal']);
  const help = spawnSync('/usr/sbin/chroot', inImage(['car-dealer-catalogue', 'key', '--help']), { env });
  expect(help.status).toBe(0);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(output()).not.toMatch(/ error /);
  expect(isHealthy()).toBe(false);
});
