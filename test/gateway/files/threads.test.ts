import { describe, expect, test } from 'vitest';
import { ReadingThreads } from '../../../src/gateway/files/threads.ts';
import type { LaterRows, SpooledRow } from '../../../src/gateway/model/import.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { readBatches, UnnamedFile } from '../../../src/util/unnamed-file.ts';
import { localesFolder } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars } from '../../support/language/spoken.ts';
import { workbook } from '../../support/workbooks.ts';

const data = { catalogue, locales: loadLocales(catalogue, localesFolder, 'en'), defaultLanguage: 'en' };
const bounds = { heap: 192, cpu: 5_000 };

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** @returns what is known of the rows of a file that a thread reads, and the rows as they are kept */
const readBy = async (
  readers: ReadingThreads,
  format: string,
  body: AsyncIterable<Uint8Array>,
  { tag = 'en', signal = new AbortController().signal }: { tag?: string; signal?: AbortSignal } = {},
) => {
  const sent = await UnnamedFile.receive(body);
  try {
    const job = { tag, collection: 'cars', format, options: {}, rejectsMissing: false };
    const { file, ...summary } = await readers.readFile(job, sent, signal);
    const kept = [...readBatches<SpooledRow>(file.fd, 0, summary.size)].flat();
    const later = [...readBatches<LaterRows>(file.fd, summary.size)].flat();
    file.close();
    return { kept, later, summary };
  } finally {
    sent.close();
  }
};

/** @returns what rows have, by canonical names */
const getValues = (rows: readonly SpooledRow[]): readonly object[] =>
  rows.map(([, cells]) =>
    Object.fromEntries(cars.fields.flatMap(({ name }, at) => (cells[at] === undefined ? [] : [[name, cells[at]]]))),
  );

const sheet = (rows: string): Promise<Buffer> =>
  workbook({ 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>` });
const cells = (...values: readonly string[]): string =>
  `<row>${values.map((value) => `<c t="str"><v>${value}</v></c>`).join('')}</row>`;

describe('a thread', () => {
  const read = new ReadingThreads(data);

  test.each<readonly [string, () => Promise<Buffer> | Buffer, number]>([
    ['csv', () => Buffer.from('marca;anio;modelo\nSeat;2008;C\n'), 1],
    ['ndjson', () => Buffer.from('{"marca":"Seat","anio":2008,"modelo":"C"}'), 7],
    ['json', () => Buffer.from('[{"marca":"Seat","anio":2008,"modelo":"C"}]'), 1],
    ['xlsx', () => sheet(cells('marca', 'anio', 'modelo') + cells('Seat', '2008', 'C')), 3],
  ])('reads %s in the words of a language, whatever the chunks', async (format, file, size) => {
    const { kept, summary } = await readBy(read, format, inChunks(await file(), size), { tag: 'es' });
    expect(getValues(kept)).toEqual([{ brand: 'Seat', model: 'C', year: 2008 }]);
    expect(summary).toMatchObject({ rows: 1, rejected: 0 });
  });

  test('reads a file of many blocks in order', async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `Seat,Ibiza,v${at}\n`);
    const file = Buffer.from(`brand,model,version\n${lines.join('')}`);
    const { kept, summary } = await readBy(read, 'csv', inChunks(file, 10_000));
    expect(getValues(kept)).toEqual(lines.map((_, at) => ({ brand: 'Seat', model: 'Ibiza', version: `v${at}` })));
    expect(summary).toMatchObject({ rows: 30_000, keyed: 0, unkeyed: 30_000, assigned: 30_000, rejected: 0 });
  });

  test('keeps of a rejected row its key alone, and counts all errors by their reasons', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? `a${at},x` : ',x'));
    const file = Buffer.from(`identifier,year\n${lines.join('\n')}\nb,2008`);
    const { kept, summary } = await readBy(read, 'csv', inChunks(file, 99));
    expect(kept.filter(([, , kind]) => kind === 'rejected')).toHaveLength(100);
    expect(kept.at(99)?.[1][0]).toBe('a297');
    expect(kept.at(-1)).toEqual([
      302,
      ['b', undefined, undefined, 2008, ...Array(cars.fields.length - 4).fill(undefined)],
    ]);
    expect(summary).toMatchObject({ rows: 301, rejected: 300, hasUnreadKey: true, reasons: [{ count: 300 }] });
    expect(summary.reasons[0]?.rows).toHaveLength(100);
  });

  test('counts rows that have no key and can be no new item by what they lack', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => (at % 2 === 0 ? '{}' : '{"brand":"Seat"}'));
    const { kept, summary } = await readBy(read, 'ndjson', inChunks(Buffer.from(lines.join('\n')), 99));
    expect(kept).toEqual([]);
    expect(summary).toMatchObject({
      rejected: 300,
      reasons: [
        { count: 150, rows: { 0: { row: 1, error: { code: 'missing-field', field: 'brand' } } } },
        { count: 300, rows: { 0: { row: 1, error: { code: 'missing-field', field: 'model' } } } },
      ],
    });
  });

  test('tells which rows of one key are the last', async () => {
    const lines = ['a,Seat,Ibiza', 'b,Seat,', 'a,Seat,', 'b,Fiat,', 'c,Fiat,Punto', 'b,x,y', 'a,,'];
    const { later } = await readBy(
      read,
      'csv',
      inChunks(Buffer.from(`identifier,brand,model\n${lines.join('\n')}`), 9),
    );
    expect(later).toEqual([
      ['a', 8, 0],
      ['b', 7, 7],
    ]);
  });

  test('says what is wrong with a file as a whole, and reads the next one', async () => {
    const failing = readBy(read, 'csv', inChunks(Buffer.from('brand\n"Seat'), 5));
    await expect(failing).rejects.toMatchObject({ code: 'malformed-file', detail: { phrase: 'file-quotes' } });
    expect((await readBy(read, 'csv', inChunks(Buffer.from('brand\nSeat'), 5))).summary.rows).toBe(1);
  });

  test('ends with its client, whatever it is doing', async () => {
    const leaving = new AbortController();
    const file = Buffer.from(`brand,model\n${'Seat,Ibiza\n'.repeat(1_000_000)}`);
    const reading = readBy(read, 'csv', inChunks(file, 65_536), { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(reading).rejects.toThrow('unavailable');
  });
});

describe('a thread that takes too much is ended', () => {
  const texts = (count: number, text: string): Promise<Buffer> =>
    workbook({
      'xl/texts.xml': `<sst>${`<si><t>${text}</t></si>`.repeat(count)}</sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells('brand')}</sheetData></worksheet>`,
    });

  test('of memory', async () => {
    const read = new ReadingThreads(data, { ...bounds, heap: 16 });
    const file = await texts(150_000, 'x'.repeat(90));
    await expect(readBy(read, 'xlsx', inChunks(file, 65_536))).rejects.toMatchObject({
      code: 'body-too-large',
      detail: { phrase: 'file-memory', values: { limit: '16 MiB' } },
    });
    expect((await readBy(read, 'csv', inChunks(Buffer.from('brand\nSeat'), 5))).summary.rows).toBe(1);
  });

  test('of time', async () => {
    const read = new ReadingThreads(data, { ...bounds, cpu: -1_000_000 });
    const file = Buffer.from(`brand,model\n${'Seat,Ibiza\n'.repeat(1_000_000)}`);
    await expect(readBy(read, 'csv', inChunks(file, 65_536))).rejects.toMatchObject({
      code: 'malformed-file',
      detail: { phrase: 'file-costly' },
    });
  });
});
