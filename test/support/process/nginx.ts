import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, type WhenOver } from './folder.ts';
import { freePort } from './free-port.ts';
import { launch, project } from './service.ts';

/** Debian puts it where only root looks. */
const command = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).error === undefined);

/** Why nginx cannot be tested here; `undefined` where it can. Where everything must be tested, its tests run and fail. */
export const noNginx = command === undefined && !process.env.CI ? 'nginx is not installed' : undefined;

/** What Debian's own nginx.conf says around it, with everything in one folder. */
const around = (log: string, gateway: string): string => `
  daemon off;
  master_process off;
  pid nginx.pid;
  error_log stderr notice;
  events {}
  http {
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join('\n')}
    log_format upstreams '$upstream_addr';
    access_log ${log} upstreams;
    include ${gateway};
  }
`;

interface Gateway {
  readonly origin: string;
  /** How many requests the instance at a port has answered so far. */
  readonly countServed: (port: number) => number;
}

/** Writes the project's configuration of TLS where nginx includes it, with a certificate of its own */
const writeTls = (folder: string, port: number): void => {
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const text = readFileSync(join(project, 'deploy/nginx/catalogue-tls.conf'), 'utf8');
  writeFileSync(
    join(folder, 'catalogue-tls.conf'),
    text.replaceAll('/etc/nginx/tls', folder).replaceAll('listen 8443', `listen 127.0.0.1:${port}`),
  );
};

/**
 * Starts nginx with the project's configuration as it stands, but for the addresses, in front of two instances, which may
 * be the same.
 *
 * @param tlsPort where it offers TLS, too
 */
export const startNginx = async (
  instances: readonly [number, number],
  whenOver?: WhenOver,
  tlsPort?: number,
): Promise<Gateway> => {
  const folder = temporaryFolder(whenOver);
  const port = await freePort();
  const text = readFileSync(join(project, 'deploy/nginx/catalogue.conf'), 'utf8');
  const [first, second] = instances;
  const gateway = join(folder, 'catalogue.conf');
  writeFileSync(
    gateway,
    text
      .replace('catalogue-1:3000', `127.0.0.1:${first}`)
      .replace('catalogue-2:3000', `127.0.0.1:${second}`)
      .replace('listen 8080', `listen 127.0.0.1:${port}`),
  );
  if (tlsPort !== undefined) writeTls(folder, tlsPort);
  const main = join(folder, 'nginx.conf');
  const log = join(folder, 'access.log');
  writeFileSync(main, around(log, gateway));
  const nginx = launch({ command: command ?? 'nginx', args: ['-e', 'stderr', '-p', folder, '-c', main], whenOver });
  await nginx.wrote(/using the "\w+" event method/);
  const ports = () => [...readFileSync(log, 'utf8').matchAll(/:(\d+)\n/g)].map(([, port]) => Number(port));
  return {
    origin: `http://127.0.0.1:${port}`,
    countServed: (instance) => ports().filter((each) => each === instance).length,
  };
};
