/** The files of `deploy/` name only settings, addresses and files that there are. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findMisspelt } from '../src/host/settings/config.ts';
import { openApp } from './support/app/app.ts';
import { project } from './support/process/service.ts';

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
