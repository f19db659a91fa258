/** Copies of a file, made while the service runs or after it has stopped. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../src/host/service/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { carsListed, createCar } from '../../../support/conformance/fixtures.ts';
import { expectNoTagTwice } from '../../../support/conformance/restored.ts';
import { temporaryFolder } from '../../../support/process/folder.ts';

let file: string;
let copy: string;
let store: Store;

/** In another process: this one would lose its locks on what it opens. */
const cp = (from: string, to: string): void => void execFileSync('cp', [from, to]);

const elsewhere = async (work: (other: DatabaseSync) => void | Promise<void>): Promise<void> => {
  const other = new DatabaseSync(file, { timeout: 5_000 });
  await work(other);
  other.close();
};

/** @returns what a service that starts on the copy says, and which cars it has */
const start = async (): Promise<{ readonly said: readonly string[]; readonly found: readonly string[] }> => {
  const said: string[] = [];
  const opened = await openStore(`sqlite:${copy}`, catalogue, { report: (line) => said.push(line) });
  const found = await carsListed(opened);
  await opened.close();
  return { said, found };
};

beforeEach(async () => {
  const folder = temporaryFolder();
  [file, copy] = [join(folder, 'cars.db'), join(folder, 'copy.db')];
  store = await openStore(`sqlite:${file}`, catalogue);
  onTestFinished(() => store.close());
  for (const key of ['a', 'b']) await createCar(store, key);
});

test.runIf(existsSync('/bin/cp'))('a tag of a change that a restored file does not have is never given again', () =>
  expectNoTagTwice(`sqlite:${copy}`, async () => {
    const restored = `${copy}.restored`;
    cp(copy, restored);
    return `sqlite:${restored}`;
  }),
);

const whole: readonly (readonly [what: string, make: () => void | Promise<void>])[] = [
  [
    'a file with its log',
    () => {
      cp(file, copy);
      cp(`${file}-wal`, `${copy}-wal`);
    },
  ],
  ['an online backup', () => elsewhere(async (other) => void (await backup(other, copy)))],
  ['VACUUM INTO', () => elsewhere((other) => void other.prepare('VACUUM INTO ?').run(copy))],
  [
    'a file of a service that has stopped',
    async () => {
      await store.close();
      cp(file, copy);
    },
  ],
];
test.runIf(existsSync('/bin/cp')).each(whole)('%s is whole', async (_, make) => {
  await make();
  expect(await start()).toEqual({ said: [], found: ['a', 'b'] });
});
