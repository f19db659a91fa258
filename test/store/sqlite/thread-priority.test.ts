import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/host/service/open-store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { createCar } from '../../support/conformance/fixtures.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** Place of a thread's priority in its `stat`, after its name (proc(5)). */
const NICE = 16;

const threads = (): readonly string[] => readdirSync('/proc/self/task');
const priorityOf = (thread: string): number => {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE]);
};

test.runIf(process.platform === 'linux')('the thread that writes lets the event loop go first', async () => {
  const own = getPriority();
  const before = threads();
  const store = await openStore(`sqlite:${join(temporaryFolder(), 'catalogue.db')}`, catalogue);
  onTestFinished(() => store.close());
  await createCar(store, 'a');
  const begun = threads().filter((thread) => !before.includes(thread));
  expect(begun.map(priorityOf).filter((each) => each > own)).toHaveLength(1);
  expect(getPriority()).toBe(own);
});
