/**
 * What files of very many different values take of memory, on a file or on a server (`TEST_STORE=postgres`). `SOAK_ROWS` says how
 * many rows they have.
 */
import { readFileSync } from 'node:fs';
import { ReadableStream } from 'node:stream/web';
import { expect, test } from 'vitest';
import { sharedDatabase } from '../support/database/database.ts';
import { serve } from '../support/process/service.ts';

const ROWS = Number(process.env.SOAK_ROWS || 1_500_000);
/** MiB that an import may take. */
const MOST = 150;
/** Milliseconds for all of them, on a machine that is busy with something else. */
const LONGEST = 60 * 60_000;
/** Milliseconds between two looks at it. */
const LOOK = 20;
const CHUNK = 65_536;

type RowOf = (at: number) => string;

const otherValues =
  (brand: string): RowOf =>
  (at) =>
    `k${at},${brand}${at},M${at},${1900 + (at % 200)}`;
/** Keys in no order, of which the staging tables keep what memory does not. */
const scattered: RowOf = (at) => `${(((at % 3_000_000) * 2_654_435_761) % 2 ** 32).toString(36)},Seat,Ibiza,2008`;

function* chunksOf(rows: number, rowOf: RowOf): Generator<Buffer> {
  let text = 'identifier,brand,model,year\n';
  for (let at = 0; at < rows; at++) {
    text += `${rowOf(at)}\n`;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

const residentMiB = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

test('the memory that an import takes does not grow with its rows', { timeout: LONGEST }, async () => {
  const DATABASE_URL = await sharedDatabase();
  const { child, origin } = await serve({ env: { DATABASE_URL } });
  const send = async (rows: number, rowOf: RowOf, prefer: string) => {
    const before = residentMiB(child.pid);
    let most = before;
    const looking = setInterval(() => {
      most = Math.max(most, residentMiB(child.pid));
    }, LOOK);
    const response = await fetch(`${origin}/api/cars`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', Prefer: prefer },
      body: ReadableStream.from(chunksOf(rows, rowOf)),
      duplex: 'half',
    });
    clearInterval(looking);
    const report = (await response.json()) as Record<string, number>;
    console.log(`${prefer}: ${Math.round(before)} MiB, then up to ${Math.round(most)}`);
    expect(most - before).toBeLessThan(MOST);
    const { created, updated, skipped, deleted, rejected } = report;
    return [response.status, created, updated, skipped, deleted, rejected];
  };

  expect(await send(ROWS, otherValues('B'), 'handling=check')).toEqual([200, ROWS, 0, 0, 0, 0]);
  const many = 3_300_000;
  const merged = await send(many, scattered, 'handling=check, resolution=merge-duplicates');
  expect(merged).toEqual([200, 3_000_000, 0, 300_000, 0, 0]);
  expect(await send(ROWS, otherValues('B'), 'handling=strict')).toEqual([200, ROWS, 0, 0, 0, 0]);
  expect(await send(ROWS, otherValues('C'), 'resolution=merge-duplicates')).toEqual([200, 0, ROWS, 0, 0, 0]);
  const kept = Math.ceil(ROWS * 0.9);
  const replaced = await send(kept, otherValues('D'), 'resolution=replace-all');
  expect(replaced).toEqual([200, 0, kept, 0, ROWS - kept, 0]);
});
