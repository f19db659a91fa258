/** The files of `deploy/` name only settings, addresses and files that there are. */

import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findMisspelt } from '../src/host/settings/config.ts';
import { openApp } from './support/app/app.ts';
import { temporaryFolder } from './support/process/folder.ts';
import { freePort } from './support/process/free-port.ts';
import { onNewConnection } from './support/process/new-connection.ts';
import { noNginx, startNginx } from './support/process/nginx.ts';
import { project, serve } from './support/process/service.ts';

const files = globSync('deploy/**/*.{yaml,service,conf}', { cwd: project }).concat('deploy/Dockerfile').toSorted();
const textOf = (file: string): string => readFileSync(join(project, file), 'utf8');

/** Of our settings, in each file's own way to write variables: `NAME: value`, `NAME=value`, or `name` and `value` below each other. */
const VARIABLE = /^[^#\n]*?\b([A-Z]{4,}(?:_[A-Z]+)*)(?:: |=|\n +value: )"?([^"\s\\]*)/gm;
/** Of programs that stand beside the service. */
const FOREIGN = /^(?:POSTGRES_|NODE_|PATH$|TMPDIR$|CMD|FROM|ENV|COPY|RUN|USER|HEALTHCHECK)/;

const settingsIn = (file: string): readonly (readonly [name: string, value: string])[] =>
  [...textOf(file).matchAll(VARIABLE)]
    .map(([, name = '', value = '']) => [name, value] as const)
    .filter(([name]) => !FOREIGN.test(name));

test.each([
  ['deploy/Dockerfile', ['HOST', 'PORT', 'DATABASE_URL']],
  ['deploy/car-dealer-catalogue.service', ['DATABASE_URL', 'BACKUP_DIR']],
  ['deploy/car-dealer-catalogue-backup.service', ['DATABASE_URL']],
  ['deploy/compose.postgres.yaml', ['DATABASE_URL', 'DATABASE_URL_FILE', 'ACCESS', 'TRUSTED_PROXIES']],
  ['deploy/compose.yaml', ['ACCESS']],
  [
    'deploy/kubernetes/postgres/configuration.yaml',
    ['ACCESS', 'TRUSTED_PROXIES', 'STOP_DELAY', 'METRICS_HOST', 'METRICS_PORT'],
  ],
  ['deploy/kubernetes/postgres/deployment.yaml', ['DATABASE_URL', 'DATABASE_URL_FILE']],
  [
    'deploy/kubernetes/sqlite/configuration.yaml',
    ['ACCESS', 'TRUSTED_PROXIES', 'BACKUP_DIR', 'METRICS_HOST', 'METRICS_PORT'],
  ],
])('%s sets what can be set', (file, names) => {
  const settings = settingsIn(file);
  expect(settings.map(([name]) => name)).toEqual(names);
  // The secret is not there while this is tested.
  const set = settings.filter(([name]) => name !== 'DATABASE_URL_FILE');
  expect(findMisspelt(Object.fromEntries(set))).toEqual([]);
});

test('systemd goes on starting a service whose database comes up later', () => {
  const [unit = ''] = textOf('deploy/car-dealer-catalogue.service').split('[Service]');
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
});

test('whoever asks whether an instance is well asks addresses that there are', async () => {
  const asked = files.flatMap((file) => [...textOf(file).matchAll(/(?:path: |\$\{process\.env\.PORT\})(\/\w+)/g)]);
  const paths = new Set(asked.map(([, path = '']) => path));
  expect(paths).toEqual(new Set(['/livez', '/readyz']));
  const { send, close } = await openApp();
  for (const path of paths) expect((await send('GET', path)).status).toBe(200);
  await close();
});

test('every file that another one names is there', () => {
  const beside = files.flatMap((file) =>
    [...textOf(file).matchAll(/(?:- |\[")([\w./-]+\.(?:conf|yaml))\b/g)].map(([, name = '']) =>
      join(dirname(file), name),
    ),
  );
  expect(beside).toHaveLength(12);
  expect(beside.filter((name) => !existsSync(join(project, name)))).toEqual([]);
});

test('the image is made of the archive that a release makes, and units and manifests run its program', () => {
  const { name, version, bin } = JSON.parse(textOf('package.json'));
  const copied = [...textOf('deploy/Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)].map(([, what]) => what);
  expect(copied).toEqual([`${name}-*.tgz`]);
  expect(textOf('deploy/Dockerfile')).toContain(`/${name}/${bin[name]} usr/local/bin/${name}\n`.replace(/\n$/, ''));
  for (const file of globSync('deploy/*.service', { cwd: project })) {
    const [started = ''] = /^ExecStart=\S+/m.exec(textOf(file)) ?? [];
    expect([file, started]).toEqual([file, `ExecStart=/opt/${name}/bin/${name}`]);
  }
  expect(textOf('deploy/car-dealer-catalogue.service')).toContain(`${name}-${version}.tgz`);
  for (const file of globSync('deploy/kubernetes/*/backup.yaml', { cwd: project }))
    expect(textOf(file)).toContain(`command: ["${name}", "backup", `);
});

/** What the programs that read the files of `deploy/` do with them, where they are installed. */

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
