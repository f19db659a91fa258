/** Files that cost as much as they can, four at once: what others notice, and what they leave behind. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { type Serving, serve } from '../../support/process/service.ts';
import type { Asker } from './asker.ts';
import { bytesOf, type HostileFormat, hostileFiles, sizeOf } from './files.ts';

const AT_ONCE = 4;
/** Milliseconds that a thread is kept for the next file, and some more. */
const KEPT = 25_000;

const TYPES: Readonly<Record<HostileFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

interface Sent {
  readonly name: string;
  readonly format: HostileFormat;
  readonly bytes: Buffer;
  /** Bytes, of a workbook unpacked. */
  readonly size: number;
}

const hostile = async (): Promise<readonly Sent[]> => {
  const all: Sent[] = [];
  for (const [format, files] of Object.entries(hostileFiles)) {
    for (const [name, make] of Object.entries(files)) {
      const content = make();
      all.push({ name, format: format as HostileFormat, bytes: await bytesOf(content), size: sizeOf(content) });
    }
  }
  return all;
};

/** 100,000 rows in each format, and as JSON as many as a body may have. */
const good = async (): Promise<readonly Sent[]> => {
  const rows = Array.from({ length: 100_000 }, (_, at) => ['Seat', `Ibiza ${at % 97}`, `1.9 TDI ${at % 1_013}`]);
  const cell = (text = '') => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const header = ['brand', 'model', 'version'];
  const objects = rows.map(([brand, model, version]) => JSON.stringify({ brand, model, version }));
  const contents = {
    csv: [header, ...rows].map((row) => `${row.join(',')}\n`).join(''),
    ndjson: objects.map((object) => `${object}\n`).join(''),
    json: `[${objects.slice(0, 16_000).join()}]`,
    xlsx: {
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${[header, ...rows].map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
    },
  } as const;
  return Promise.all(
    (['csv', 'ndjson', 'json', 'xlsx'] as const).map(async (format) => ({
      name: 'good',
      format,
      bytes: await bytesOf(contents[format]),
      size: sizeOf(contents[format]),
    })),
  );
};

const send = async ({ origin }: Serving, { format, bytes }: Sent): Promise<number> => {
  const response = await fetch(`${origin}/api/cars`, {
    method: 'POST',
    headers: { 'content-type': TYPES[format], prefer: 'handling=check' },
    body: new Uint8Array(bytes),
  });
  await response.bytes();
  return response.status;
};

const rssOf = ({ child: { pid } }: Serving): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024);
/** Milliseconds of CPU; a tick is 10 ms. */
const cpuOf = ({ child: { pid } }: Serving): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

const ask = ({ origin }: Serving) => {
  const workerData: Asker = { url: `${origin}/livez`, pause: 5 };
  const worker = new Worker(new URL('./asker.ts', import.meta.url), { workerData });
  onTestFinished(() => void worker.terminate());
  return async () => {
    const told = once(worker, 'message');
    worker.postMessage('stop');
    const [times] = (await told) as [number[]];
    const at = (share: number) => Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0);
    return { asked: times.length, median: at(0.5), p99: at(0.99), longest: at(0.9999) };
  };
};

/** Sends files, some at once, and looks at memory meanwhile. @returns CPU in µs for each byte as it is read, and the most memory */
const sendAll = async (service: Serving, files: readonly Sent[]) => {
  const before = { cpu: cpuOf(service), rss: rssOf(service), time: performance.now() };
  let most = before.rss;
  let worst = '';
  const open = new Set<string>();
  const look = setInterval(() => {
    const now = rssOf(service);
    if (now <= most) return;
    most = now;
    worst = [...open].join(' + ');
  }, 20);
  const waiting = [...files];
  const statuses: string[] = [];
  const sendNext = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      open.add(file.name);
      statuses.push(`${await send(service, file)} ${file.name}`);
      open.delete(file.name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  clearInterval(look);
  const cpu = cpuOf(service) - before.cpu;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return {
    seconds: Math.round(performance.now() - before.time) / 1_000,
    cpu,
    perByte: Number(((1_000 * cpu) / size).toFixed(4)),
    before: before.rss,
    most,
    worst,
    statuses,
  };
};

const tell = (what: string, figures: object): void => console.log(`${what}: ${JSON.stringify(figures)}`);

test('keep nobody waiting, and leave nothing behind', async () => {
  const service = await serve();
  const files = await hostile();
  for (const file of await good()) await send(service, file);
  await setTimeout(KEPT);
  const rss = rssOf(service);
  const rates: Record<string, number> = {};
  for (const file of await good()) {
    const { statuses, ...figures } = await sendAll(service, [file]);
    expect(statuses).toEqual(['200 good']);
    rates[file.format] = figures.perByte;
    tell(`good, ${file.format}`, figures);
  }
  for (const format of ['csv', 'ndjson', 'json', 'xlsx'] as const) {
    const stop = ask(service);
    const { statuses, ...figures } = await sendAll(
      service,
      files.filter((file) => file.format === format),
    );
    const live = await stop();
    tell(`hostile, ${format}`, { ...figures, live, statuses });
    await setTimeout(KEPT);
    tell('afterwards', { rss: rssOf(service), before: rss });
    expect.soft(live.p99).toBeLessThanOrEqual(50);
    expect.soft(figures.most - rss).toBeLessThanOrEqual(200);
    expect.soft(rssOf(service) - rss).toBeLessThanOrEqual(50);
    expect.soft(figures.perByte).toBeLessThanOrEqual(rates[format] ?? 0);
    expect.soft(statuses.filter((status) => !/^(200|400|413|422)/.test(status))).toEqual([]);
  }
});

test.each([500, 2_000, 5_000])('let the service stop %i ms after they came', async (after) => {
  const service = await serve();
  const files = await hostile();
  const four = files.filter(({ format }) => format === 'xlsx').slice(0, AT_ONCE);
  const sent = Promise.allSettled([...four, ...files.slice(0, AT_ONCE)].map((file) => send(service, file)));
  await setTimeout(after);
  const begin = performance.now();
  expect(await service.end('SIGTERM')).toBe(0);
  const time = Math.round(performance.now() - begin);
  tell('stopped', { after, time });
  expect(time).toBeLessThan(10_000);
  await sent;
});
