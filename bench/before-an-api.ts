/** What `serve` of packages/vocabularies costs beside a bare proxy that translates nothing, by turns, before one API of this process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { burst, openClient, requestText, type Send } from './support/load.ts';
import { CORES, cpuTimer, memory, pinLoad } from './support/machine.ts';
import { get } from './support/servers.ts';

const NAMES = ['brand', 'model', 'year', 'doors', 'version', 'fuel', 'clima', 'power', 'colour'];
const CAR = `{"identifier":"car-1",${NAMES.map((name) => `"${name}":"Citroën C4"`).join(',')}}`;
const LIST = `[${Array(50).fill(CAR).join(',')}]`;
const CONNECTIONS = 64;
const WORKLOADS = [
  { name: 'an item', path: '/7', count: 1000, wanted: 1.5 },
  { name: 'a list of 50', path: '', count: 1000, wanted: 1.6 },
];

/** A proxy of some lines, which checks nothing. */
const BARE = `import { Agent, createServer, request } from 'node:http';
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, outgoing) => {
  const { url: path, method, headers } = incoming;
  incoming.pipe(request({ port: process.argv.at(-1), path, method, headers, agent }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  }));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ message: 'listening', url: 'http://127.0.0.1:' + server.address().port })));`;

const schema = { type: 'object', properties: Object.fromEntries(['identifier', ...NAMES].map((name) => [name, {}])) };
const describe = (body: unknown) => ({
  get: { responses: { 200: { content: { 'application/json': { schema: body } } } } },
});
const car = { $ref: '#/components/schemas/Car' };
const DOCUMENT = {
  openapi: '3.1.0',
  paths: { '/cars/{id}': describe(car), '/cars': describe({ type: 'array', items: car }) },
  components: { schemas: { Car: schema } },
};
const TABLE = {
  paths: { cars: 'coches' },
  members: { Car: Object.fromEntries(NAMES.map((name) => [name, `${name}-es`])) },
};

async function startProcess(args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn('taskset', ['-c', CORES.server, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (printed.includes('listening')) break;
  }
  child.stdout.resume();
  const line = printed.split('\n').find((each) => each.includes('listening')) ?? '';
  return { child, url: JSON.parse(line).url };
}

function* writeMillion(): Generator<Buffer> {
  const cars = Array(100).fill(CAR).join(',');
  for (let at = 0; at < 10_000; at++) yield Buffer.from(`${at === 0 ? '[' : ','}${cars}`);
  yield Buffer.from(']');
}

async function readWhole(url: string): Promise<void> {
  const answer = await get(url);
  if (answer.statusCode !== 200) throw new Error(`${url} ${answer.statusCode}`);
  for await (const _ of answer);
}

/** @returns microseconds of CPU of a request in the process between */
async function take({ pid }: ChildProcess, send: Send, path: string, count: number): Promise<number> {
  const readTime = cpuTimer(pid);
  await burst(CONNECTIONS, count, () => send(requestText('GET', path)));
  return readTime() / count;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

/** Compares each workload by turns. @returns a table in Markdown */
export async function* beforeAnApi(rounds = 9): AsyncGenerator<string> {
  const api = createServer(({ url }, outgoing) => {
    outgoing.setHeader('content-type', 'application/json');
    if (url !== '/cars?million') return void outgoing.end(url === '/cars' ? LIST : CAR);
    Readable.from(writeMillion()).pipe(outgoing);
  });
  // The bare proxy ends with a connection that the API closes while it waits for its turn.
  api.keepAliveTimeout = 60_000;
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { port } = api.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'before-'));
  writeFileSync(join(folder, 'es.json'), JSON.stringify(TABLE));
  const document = join(tmpdir(), `before-${process.pid}.json`);
  writeFileSync(document, JSON.stringify(DOCUMENT));
  const main = new URL('../packages/vocabularies/src/serve/main.ts', import.meta.url).pathname;
  const options = ['--api', `http://127.0.0.1:${port}`, '--document', document, '--tables', folder, '--port', '0'];
  const bare = await startProcess(['--input-type=module', '-e', BARE, String(port)]);
  const served = await startProcess([main, 'serve', ...options]);
  pinLoad('load');
  const [sendBare, sendServed] = [openClient(bare.url), openClient(served.url)];
  try {
    yield `## Before another API: CPU of a request beside a bare proxy, ${CONNECTIONS} connections\n\n| | bare proxy, µs | Spanish | wanted | as it is |\n|---|---|---|---|---|`;
    for (const { name, path, count, wanted } of WORKLOADS) {
      const ask = async (count: number): Promise<readonly [number, number, number]> => [
        await take(bare.child, sendBare, `/cars${path}`, count),
        await take(served.child, sendServed, `/coches${path}`, count),
        await take(served.child, sendServed, `/cars${path}`, count),
      ];
      // Until its code is compiled, a request takes twice the time.
      await ask(rounds * count);
      const turns: (readonly [number, number, number])[] = [];
      for (let round = 0; round < rounds; round++) turns.push(await ask(count));
      const ratio = (at: 1 | 2) => median(turns.map((turn) => turn[at] / turn[0])).toFixed(2);
      yield `| ${name} | ${median(turns.map(([alone]) => alone)).toFixed(0)} | ${ratio(1)} | ≤ ${wanted.toFixed(1)} | ${ratio(2)} |`;
    }
    const before = memory(served.child.pid ?? 0, 'VmHWM');
    await readWhole(`${served.url}/coches?million`);
    const after = memory(served.child.pid ?? 0, 'VmHWM');
    yield `\nA list of a million items (200 MB): the most memory of the process is ${Math.round(after)} MiB, before it ${Math.round(before)}.`;
  } finally {
    for (const { child } of [bare, served]) child.kill('SIGKILL');
    api.close();
    api.closeAllConnections();
    rmSync(folder, { recursive: true });
    rmSync(document);
  }
}
