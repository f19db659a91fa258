import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cellOf, createCar, createOil, oils, readList } from '../../support/conformance/fixtures.ts';
import { openForTest } from '../../support/database/database.ts';
import { smallDisk } from '../../support/faults/small-disk.ts';

const SIZE = '3m';
const BALLAST = 1_000_000;
const AT_ONCE = 50;
const ROUNDS = 20;
const otherInfo = 'x'.repeat(10_000);

const ballastOn = (folder: string): { readonly drop: () => void } => {
  const file = join(folder, 'ballast');
  writeFileSync(file, Buffer.alloc(BALLAST));
  return { drop: () => rmSync(file) };
};

const typesIn = async (store: Store): Promise<readonly string[]> =>
  (await readList(store, oils, ['a']))?.rows.map((row) => String(cellOf(oils, row, 'type'))) ?? [];

/** Takes what is free on a disk, and in the log of a database in use. @returns what gives it back */
const fillDisk = (folder: string): (() => void) => {
  const other = new DatabaseSync(join(folder, 'cars.db'));
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  const file = join(folder, 'filler');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
  return () => rmSync(file);
};

test('a store is not ready while its disk is full, asked for a write or not, and ready when there is room', async (context) => {
  const { folder } = smallDisk(context, SIZE);
  const reports: string[] = [];
  const report = (line: string) => void reports.push(line);
  const store = await openForTest(`sqlite:${join(folder, 'cars.db')}`, { report });
  const toBeReady = (isReady: boolean) =>
    expect.poll(() => store.ready(true), { interval: 20, timeout: 60_000 }).toBe(isReady);
  await createCar(store, 'a');
  expect(await store.ready()).toBe(true);

  const emptyDisk = fillDisk(folder);
  await toBeReady(false);
  expect(await store.ready()).toBe(true);
  await expect(createOil(store, 'a', 'too late', { otherInfo })).rejects.toMatchObject({ code: 'unavailable' });
  expect(await typesIn(store)).toEqual([]);
  emptyDisk();
  await toBeReady(true);
  expect((await createOil(store, 'a', 'after', { otherInfo })).kind).toBe('written');
  await expect
    .poll(() => reports, { timeout: 60_000 })
    .toEqual([
      expect.stringMatching(/cars\.db: takes no writes: database or disk is full/),
      expect.stringMatching(/cars\.db: takes writes again/),
    ]);
});

const FULL = {
  en: 'The disk of the database is full: nothing can be written until there is room; reading goes on.',
  es: 'El disco de la base de datos está lleno: no se puede escribir nada hasta que haya espacio; las lecturas siguen funcionando.',
};

test('a full disk answers 503 in both languages, says what is full, and has its cause in the log alone', async (context) => {
  const { folder } = smallDisk(context, SIZE);
  const ballast = ballastOn(folder);
  const { send, faults, close } = await openApp({ database: `sqlite:${join(folder, 'cars.db')}` });
  await send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza' });
  const trees = [
    { path: '/api/cars/a/oils', tag: 'en', bodyOf: (type: string) => ({ type, otherInfo }) },
    { path: '/api/coches/a/aceites', tag: 'es', bodyOf: (tipo: string) => ({ tipo, otros_datos: otherInfo }) },
  ] as const;
  let kept = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const asked = Array.from({ length: AT_ONCE }, (_, at) => ({
      ...trees[at % 2 === 0 ? 0 : 1],
      key: `${round}-${at}`,
    }));
    const answers = await Promise.all(asked.map(({ path, bodyOf, key }) => send('POST', path, bodyOf(key))));
    const refused = answers.flatMap((answer, at) => (answer.status === 201 ? [] : [{ answer, tag: asked[at]?.tag }]));
    for (const { answer, tag } of refused) {
      expect(answer).toMatchObject({ status: 503, json: { code: 'unavailable', detail: FULL[tag ?? 'en'] } });
      expect([answer.headers.get('content-language'), answer.headers.get('retry-after')]).toEqual([tag, '1']);
    }
    kept += AT_ONCE - refused.length;
    if (refused.length === AT_ONCE) break;
  }
  for (const fault of faults) expect(fault).toMatchObject({ message: expect.stringContaining('full') });
  expect(faults.length).toBeGreaterThanOrEqual(AT_ONCE);
  expect((await send('GET', '/api/cars/a/oils')).json).toHaveLength(kept);
  ballast.drop();
  expect((await send('POST', '/api/cars/a/oils', { type: 'after', otherInfo })).status).toBe(201);
  await close();
});

test('a database on a read-only disk is refused by its name, and used when the disk can be written again', async (context) => {
  const { folder, setWritable } = smallDisk(context, SIZE);
  const database = `sqlite:${join(folder, 'cars.db')}`;
  const first = await openStore(database, catalogue);
  await createCar(first, 'a');
  await createOil(first, 'a', 'before');
  await first.close();

  // Linux makes no disk read-only on which a file is open for writing.
  setWritable(false);
  await expect(openStore(database, catalogue)).rejects.toMatchObject({ message: expect.stringContaining('cars.db') });
  setWritable(true);
  const again = await openStore(database, catalogue);
  expect(await typesIn(again)).toEqual(['before']);
  expect((await createOil(again, 'a', 'after')).kind).toBe('written');
  await again.close();
});

test('on a full disk a database in use is opened and read by another process, such as a command', async (context) => {
  const { folder } = smallDisk(context, SIZE);
  const database = `sqlite:${join(folder, 'cars.db')}`;
  const store = await openStore(database, catalogue);
  await createCar(store, 'a');
  await createOil(store, 'a', 'before');
  const emptyDisk = fillDisk(folder);
  const other = await openStore(database, catalogue);
  expect(await typesIn(other)).toEqual(['before']);
  await expect(createOil(other, 'a', 'too late', { otherInfo })).rejects.toMatchObject({ code: 'unavailable' });
  emptyDisk();
  await other.close();
  await store.close();
});
