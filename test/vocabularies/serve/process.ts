/** Starts the commands of the package, and what they stand before. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

const MAIN = new URL('../../../packages/vocabularies/src/serve/main.ts', import.meta.url).pathname;

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @returns a folder with some files, which is gone after the test or the suite */
export function createFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  folders.push(folder);
  return folder;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** @returns the origin of an API that answers by a function */
export async function startApi(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

/** @returns the origin of an API that answers every connection by bytes of its own */
export async function startRawApi(answer: (socket: Socket, request: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (chunk) => answer(socket, chunk.toString('latin1')));
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

export interface Served {
  readonly url: string;
  readonly metrics: string | undefined;
  readonly child: ChildProcess;
  /** Lines of the log so far. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
}

/** Starts `serve` before an API; it ends with the test. */
export async function startServe(api: string, folder: string, ...options: readonly string[]): Promise<Served> {
  const args = [
    MAIN,
    'serve',
    '--api',
    api,
    '--document',
    join(folder, 'document.json'),
    '--tables',
    join(folder, 'tables'),
  ];
  const child = spawn(process.execPath, [...args, '--port', '0', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const lines = () =>
    printed
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const isReady = () =>
    lines().some(({ message }) => message === 'listening') &&
    (!options.includes('--metrics-port') || printed.includes('/metrics'));
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (isReady()) break;
  }
  if (!isReady()) throw new Error(printed);
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stdout.resume();
  const find = (name: string) => lines().find(({ message }) => message === name)?.url as string;
  return { url: find('listening'), metrics: find('metrics'), child, lines };
}

/** Runs a command to its end. */
export async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, LC_ALL: 'C', ...env } });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: code as number, out, error };
}

/** Sends bytes. @returns all that comes back until the connection ends */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on('error', () => {}).on('close', () => resolve());
  socket.write(bytes, 'latin1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  await promise;
  return received;
}
