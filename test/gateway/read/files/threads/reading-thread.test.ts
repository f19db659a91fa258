import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { unpack } from '../../../../../src/gateway/model/row-batch.ts';
import type { FileJob } from '../../../../../src/gateway/read/files/threads/messages.ts';
import { type ReadFile, readingThreads } from '../../../../../src/gateway/read/files/threads/reading-thread.ts';
import { loadLocales } from '../../../../../src/host/tables/load.ts';
import { localesFolder } from '../../../../support/app/app.ts';
import { catalogue } from '../../../../support/cars/catalogue.ts';
import { errorsIn, valuesIn } from '../../../../support/files.ts';
import { workbook } from '../../../../support/workbooks.ts';

type Format = FileJob['format'];

const data = { catalogue, locales: loadLocales(catalogue, localesFolder, 'en'), defaultLanguage: 'en' };
const bounds = { heap: 192, cpu: 5_000, silence: 60_000 };

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** @returns all rows of a file, read by a thread */
const readBy = async (
  readFile: ReadFile,
  format: Format,
  body: AsyncIterable<Uint8Array>,
  { tag = 'en', mostErrors, signal }: { tag?: string; mostErrors?: number; signal?: AbortSignal } = {},
) => {
  const { batches, close } = readFile({ tag, collection: 'cars', format, options: {}, mostErrors }, body, signal);
  try {
    return (await Array.fromAsync(batches)).flatMap(({ bytes }) => unpack(bytes));
  } finally {
    await close();
  }
};

const sheet = (rows: string): Promise<Buffer> =>
  workbook({ 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>` });
const cells = (...values: readonly string[]): string =>
  `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;

describe('a thread', () => {
  const { readFile: read } = readingThreads(data);

  test.each<readonly [Format, () => Promise<Buffer> | Buffer, number]>([
    ['csv', () => Buffer.from('marca;anio\nSeat;2008\n'), 1],
    ['ndjson', () => Buffer.from('{"marca":"Seat","anio":2008}'), 7],
    ['json', () => Buffer.from('[{"marca":"Seat","anio":2008}]'), 1],
    ['xlsx', () => sheet(cells('marca', 'anio') + cells('Seat', '2008')), 3],
  ])('reads %s in the words of a language, whatever the chunks', async (format, file, size) => {
    const rows = await readBy(read, format, inChunks(await file(), size), { tag: 'es' });
    expect(valuesIn(rows)).toEqual([{ brand: 'Seat', year: 2008 }]);
  });

  test('reads a file of many blocks in order', async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `Seat,v${at}\n`);
    const rows = await readBy(read, 'csv', inChunks(Buffer.from(`brand,version\n${lines.join('')}`), 10_000));
    expect(valuesIn(rows)).toEqual(lines.map((_, at) => ({ brand: 'Seat', version: `v${at}` })));
  });

  test('counts rows whose errors nobody will see, but for their keys', async () => {
    const lines = ['a,x', ',x', 'b,x', ',x', ',x', 'c,2008'];
    const rows = await readBy(read, 'csv', inChunks(Buffer.from(`identifier,year\n${lines.join('\n')}`), 99), {
      mostErrors: 2,
    });
    expect(errorsIn(rows).map(([row]) => row)).toEqual([2, 3, 4, 0]);
    expect(rows.map(({ cells: [key], times }) => [key, times])).toEqual([
      ['a', undefined],
      [undefined, undefined],
      ['b', undefined],
      ['c', undefined],
      [undefined, 2],
    ]);
  });

  test('counts rows that have no key and can be no new item by what they lack, once nobody will see them', async () => {
    const lines = [
      '{}',
      '{"brand":"Seat"}',
      '{"identifier":"a"}',
      '{}',
      '{"brand":"Seat","model":"Ibiza"}',
      '{}',
      '{}',
    ];
    const rows = await readBy(read, 'ndjson', inChunks(Buffer.from(lines.join('\n')), 99), { mostErrors: 2 });
    expect(rows.map(({ number, cells: [key, brand], times }) => [number, key, brand, times])).toEqual([
      [1, undefined, undefined, undefined],
      [2, undefined, 'Seat', undefined],
      [3, 'a', undefined, undefined],
      [4, undefined, undefined, undefined],
      [5, undefined, 'Seat', undefined],
      [1, undefined, undefined, 2],
    ]);
  });

  test('says what is wrong with a file as a whole, and reads the next one', async () => {
    const failing = readBy(read, 'csv', inChunks(Buffer.from('brand\n"Seat'), 5));
    await expect(failing).rejects.toMatchObject({ code: 'malformed-file', detail: { phrase: 'file-quotes' } });
    expect(await readBy(read, 'csv', inChunks(Buffer.from('brand\nSeat'), 5))).toHaveLength(1);
  });

  test('hands on what goes wrong with what it reads', async () => {
    const broken = (async function* () {
      yield Buffer.alloc(100_000, 'brand\n');
      throw new Error('gone');
    })();
    await expect(readBy(read, 'csv', broken)).rejects.toThrow('gone');
  });

  test('ends with its client, whatever it is doing', async () => {
    const leaving = new AbortController();
    const endless = (async function* () {
      yield Buffer.from('brand\n');
      for (;;) {
        yield Buffer.alloc(65_536, 'Seat\n');
        leaving.abort(new Error('left'));
        await setTimeout(1);
      }
    })();
    await expect(readBy(read, 'csv', endless, { signal: leaving.signal })).rejects.toThrow('left');
  });
});

describe('a thread that takes too much is ended', () => {
  const texts = (count: number, text: string): Promise<Buffer> =>
    workbook({
      'xl/texts.xml': `<sst>${`<si><t>${text}</t></si>`.repeat(count)}</sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells('brand')}</sheetData></worksheet>`,
    });

  test('of memory', async () => {
    const { readFile: read } = readingThreads(data, { ...bounds, heap: 16 });
    const file = await texts(1_000_000, 'abc');
    await expect(readBy(read, 'xlsx', inChunks(file, 65_536))).rejects.toMatchObject({
      code: 'body-too-large',
      detail: { phrase: 'file-memory', values: { limit: '16 MiB' } },
    });
    expect(await readBy(read, 'csv', inChunks(Buffer.from('brand\nSeat'), 5))).toHaveLength(1);
  });

  test('of time', async () => {
    const { readFile: read } = readingThreads(data, { ...bounds, cpu: -1_000_000 });
    const endless = (async function* () {
      yield Buffer.from('brand\n');
      for (;;) yield Buffer.alloc(65_536, 'Seat\n');
    })();
    await expect(readBy(read, 'csv', endless)).rejects.toMatchObject({
      code: 'malformed-file',
      detail: { phrase: 'file-costly' },
    });
  });
});
