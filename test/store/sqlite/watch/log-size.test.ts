/** The write-ahead log on the disk: how large it becomes, and what a list that is read slowly may do to it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StoreOptions } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { createCar, inPortions, type ListRequest, openCars } from '../../../support/conformance/fixtures.ts';
import { openForTest } from '../../../support/database/database.ts';
import type { Listing } from '../../../support/database/reads.ts';
import { smallDisk } from '../../../support/faults/small-disk.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

const MIB = 1_048_576;
const AT_ONCE = 50;

/** @returns how many of the next fifty cars were written */
const writeSome = async (store: Store, round: number): Promise<number> => {
  const keys = Array.from({ length: AT_ONCE }, (_, at) => `car-${round}-${at}`);
  const ends = await Promise.allSettled(keys.map((key) => createCar(store, key, { version: 'x'.repeat(150) })));
  return ends.filter(({ status }) => status === 'fulfilled').length;
};

const lists: readonly ListRequest[] = [{}, { sort: 'version' }];

/** Begins a list that an index answers, and one that is read on the thread: both need more rows than are read at once. */
const beginLists = async (store: Store): Promise<readonly Listing[]> => {
  await inPortions(2_100, (at) => createCar(store, `old-${at}`));
  const listings = await Promise.all(lists.map((asked) => openCars(store, asked)));
  for (const { chunks } of listings) expect((await chunks.next()).done).toBe(false);
  return listings;
};
const expectBroken = async (listings: readonly Listing[]): Promise<void> => {
  for (const { chunks } of listings) {
    await expect(async () => chunks.next()).rejects.toMatchObject({ code: 'unavailable' });
  }
};

const openNew = async (folder: string, options: StoreOptions = {}) => {
  const file = join(folder, 'cars.db');
  const store = await openForTest(`sqlite:${file}`, options);
  const sizeOfLog = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return { store, sizeOfLog };
};

test('a disk of 8 MiB takes a thousand cars, however few of them share a commit', async (context) => {
  const { store } = await openNew(smallDisk(context, '8m').folder);
  for (let at = 0; at < 1_000; at++) {
    expect(await createCar(store, `car-${at}`, { version: 'x'.repeat(150) })).toMatchObject({ kind: 'written' });
  }
});

test('lists that are read slowly fill no disk for good, though the log is looked at by commits only', async (context) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { store } = await openNew(smallDisk(context, '12m').folder);
  const listings = await beginLists(store);
  const isWritten = (at: number): Promise<boolean> =>
    createCar(store, `car-${at}`, { version: 'x'.repeat(150) }).then(
      () => true,
      () => false,
    );
  let kept = 0;
  await expect.poll(async () => (await isWritten(kept)) && ++kept, { timeout: 60_000, interval: 0 }).toBe(600);
  await expectBroken(listings);
});

test('lists that are read slowly are broken off when the log reaches its limit', async () => {
  const walLimit = 4 * MIB;
  const warnings: string[] = [];
  const { store, sizeOfLog } = await openNew(temporaryFolder(), { walLimit, report: (line) => warnings.push(line) });
  const listings = await beginLists(store);
  for (let round = 0; sizeOfLog() <= walLimit; round++) expect(await writeSome(store, round)).toBe(AT_ONCE);
  await expect.poll(sizeOfLog, { timeout: 60_000 }).toBe(0);
  await expectBroken(listings);
  expect(warnings).toEqual([expect.stringMatching(/cars\.db: the write-ahead log has \d+ MiB; 2 lists/)]);
  expect(await writeSome(store, 10_000)).toBe(AT_ONCE);
});

test('a list has its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { store } = await openNew(temporaryFolder(), { listTimeout: 60_000 });
  const listings = await beginLists(store);
  vi.advanceTimersByTime(59_000);
  for (const { chunks } of listings) expect(await chunks.next()).toMatchObject({ done: false });
  vi.advanceTimersByTime(2_000);
  await expectBroken(listings);
});
