/** What the programs that read the files of `deploy/` do with them, where they are installed. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support/process/folder.ts';
import { freePort } from './support/process/free-port.ts';
import { onNewConnection } from './support/process/new-connection.ts';
import { noNginx, startNginx } from './support/process/nginx.ts';
import { project, serve } from './support/process/service.ts';

const folder = join(project, 'deploy');
const lacks = (command: string): boolean => spawnSync(command, ['--version']).error !== undefined;
const run = (command: string, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
};

test.skipIf(lacks('systemd-analyze'))('systemd takes the units', () => {
  const copies = temporaryFolder();
  const names = globSync('*.{service,timer}', { cwd: folder });
  for (const name of names) {
    const unit = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(copies, name), unit.replaceAll(/(?<==)\/opt\/\S+\/bin\/\S+/g, process.execPath));
  }
  expect(names).toHaveLength(3);
  expect(run('systemd-analyze', 'verify', ...names.map((name) => join(copies, name)))).toEqual({ status: 0, said: '' });
});

test.skipIf(lacks('promtool'))('alerts fire when they should', () => {
  expect(run('promtool', 'test', 'rules', 'prometheus/alerts.test.yaml')).toMatchObject({ status: 0 });
});

const overTls = (port: number, path: string): Promise<readonly [status: unknown, lasting: unknown, body: string]> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false });
    sent.on('error', reject).on('response', async (response) => {
      resolve([response.statusCode, response.headers['strict-transport-security'], await text(response)]);
    });
    sent.end();
  });

test.skipIf(noNginx)('nginx does TLS, and sends whoever comes without to it', async () => {
  const { port } = await serve();
  const tlsPort = await freePort();
  const gateway = await startNginx([port, port], undefined, tlsPort);
  expect(await overTls(tlsPort, '/api/coches?numero_de_elementos=1')).toEqual([200, 'max-age=31536000', '[]']);
  const { status, headers } = await onNewConnection(gateway, 'POST', '/api/cars?x=1', { brand: 'Seat' });
  expect([status, headers.location]).toEqual([308, 'https://127.0.0.1/api/cars?x=1']);
});
