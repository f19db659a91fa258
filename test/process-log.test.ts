/** A log that cannot be written is no reason to stop. */
import { rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '../src/host/service/open-store.ts';
import { catalogue } from './support/cars/catalogue.ts';
import { ofTests } from './support/commands/given.ts';
import { createCar, inPortions } from './support/conformance/fixtures.ts';
import { smallDisk } from './support/faults/small-disk.ts';
import { temporaryFolder } from './support/process/folder.ts';
import { commandLine, launch, serve } from './support/process/service.ts';

const CARS = 2_000;

/** Has a service say more than a page of a disk on both of its outputs, as warnings of Node's would be. */
const TALK = `const text = 'said '.repeat(2_000);
  process.on('SIGUSR2', () => { process.stdout.write(text); process.stderr.write(text); console.error(text) })`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(TALK)}`;

test('its reader goes away in the middle of a list: the list is whole, and the service goes on', async () => {
  const url = `sqlite:${join(temporaryFolder(), 'cars.db')}`;
  const store = await openStore(url, catalogue);
  await inPortions(CARS, (at) => createCar(store, `car-${at}`, { version: 'v'.repeat(200) }));
  await store.close();
  const service = await serve({ env: { ...ofTests, DATABASE_URL: url, NODE_OPTIONS } });
  const list = await fetch(`${service.origin}/api/cars`);
  const reader = list.body?.getReader();
  await reader?.read();
  service.child.stderr?.destroy();
  service.child.stdout?.destroy();
  for (let time = 0; time < 3; time++) {
    service.child.kill('SIGUSR2');
    expect((await fetch(`${service.origin}/livez`)).status).toBe(200);
  }
  let length = 0;
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) length += read.value.length;
  expect(length).toBeGreaterThan(CARS * 200);
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
});

test('its disk is full: the service goes on, and so does the log when there is room again', async (context) => {
  const disk = smallDisk(context, '64k');
  const file = join(disk.folder, 'service.log');
  const { child, exit } = launch({
    command: 'sh',
    args: ['-c', 'exec "$0" "$@" >>"$LOG" 2>&1', process.execPath, ...commandLine()],
    env: { LOG: file, NODE_OPTIONS },
  });
  const told = async () => /serving (http:\/\/[^/]*)/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1] ?? '';
  await expect.poll(told, { timeout: 60_000 }).not.toBe('');
  const origin = await told();
  const filler = join(disk.folder, 'filler');
  expect(() => writeFileSync(filler, Buffer.alloc(100_000))).toThrow('ENOSPC');
  for (let time = 0; time < 3; time++) {
    child.kill('SIGUSR2');
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
  }
  rmSync(filler);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(await readFile(file, 'utf8')).toMatch(/info {2}stopping on SIGTERM\n.* stopped\n$/);
});

describe('requests are logged to the last one, before why the process ends', () => {
  const fail = 'process.on("SIGUSR2", () => { void Promise.reject(new Error("a bug")) })';
  test.each([
    ['SIGTERM', 0, 'stopping on SIGTERM'],
    ['SIGUSR2', 1, 'uncaught error, the process ends'],
  ] as const)('%s', async (signal, code, message) => {
    const env = {
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(fail)}`,
    };
    const service = await serve({ env });
    const paths = ['/api/coches/c4', '/api/cars?brand=Seat', '/api/cars'];
    for (const path of paths) await fetch(service.origin + path);
    expect(await service.end(signal)).toBe(code);
    const lines = service
      .output()
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const told = lines.map((line) => JSON.parse(line)).slice(2, 6);
    expect(told.map(({ path, message }) => path ?? message)).toEqual([paths[0], '/api/cars', paths[2], message]);
    if (code === 1) expect(JSON.stringify(told.at(-1))).toContain('a bug');
  });
});
