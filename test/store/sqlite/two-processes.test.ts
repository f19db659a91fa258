/** What one process has written, another one shows from then on, however often it has read what was there before. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Keys } from '../../../src/gateway/port/port.ts';
import { openStore } from '../../../src/host/service/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { cars, cellOf, oils } from '../../support/conformance/fixtures.ts';
import { type Change, changeIn } from '../../support/database/changes.ts';
import { runsOf } from '../../support/database/database.ts';
import { getItem } from '../../support/database/reads.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

const ROUNDS = runsOf(500);
const CARS = ['a', 'b', 'c'];
const OILS = ['5W-30', '10W/40'];

type Path = Change['keys'];
const paths: readonly Path[] = CARS.flatMap((car): readonly Path[] => [[car], ...OILS.map((oil): Path => [car, oil])]);
const nameOf = (keys: Keys | Path): string => keys.join(' ');

/** What every item must say now; what is not there says nothing. */
type Marks = Map<string, string>;

const roundOf = (marks: Marks, round: number): Change => {
  const keys = paths[(round * 5) % paths.length] ?? ['a'];
  const mark = `mark ${round}`;
  if (keys.length > 1 && !marks.has(keys[0])) return { kind: 'create', keys: [keys[0]], mark };
  if (!marks.has(nameOf(keys))) return { kind: 'create', keys, mark };
  return { kind: round % 7 === 0 ? 'remove' : 'update', keys, mark };
};

const record = (marks: Marks, { kind, keys, mark }: Change): void => {
  if (kind !== 'remove') marks.set(nameOf(keys), mark);
  else for (const name of [...marks.keys()]) if (`${name} `.startsWith(`${nameOf(keys)} `)) marks.delete(name);
};

/** What every item says. */
const readAll = async (store: Store): Promise<Marks> => {
  const marks: Marks = new Map();
  for (const [car, oil] of paths) {
    const [collection, keys, field] = oil === undefined ? [cars, [car], 'version'] : [oils, [car, oil], 'otherInfo'];
    const row = await getItem(store, collection, keys);
    if (row) marks.set(nameOf([car, ...(oil === undefined ? [] : [oil])]), String(cellOf(collection, row, field)));
  }
  return marks;
};

const openOther = async (database: string): Promise<ChildProcess> => {
  const script = fileURLToPath(new URL('../../support/database/other-process.ts', import.meta.url));
  const other = fork(script, [database], { execArgv: [] });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other, 'message');
  return other;
};

test('two processes that write by turns show each other every write', async () => {
  const file = join(temporaryFolder(), 'cars.db');
  const store = await openStore(`sqlite:${file}`, catalogue);
  const other = await openOther(`sqlite:${file}`);
  const marks: Marks = new Map();

  for (let round = 0; round < ROUNDS; round++) {
    const change = roundOf(marks, round);
    if (round % 4 === 0) {
      expect((await changeIn(store, change)).kind).toMatch(/^(?:written|removed)$/);
    } else {
      let isWritten = false;
      const told = once(other, 'message').then(([kind]) => {
        isWritten = true;
        expect(kind).toMatch(/^(?:written|removed)$/);
      });
      other.send(change);
      // Each round of reads begins with an event from outside, as requests do.
      while (!isWritten) {
        await stat(file);
        await readAll(store);
      }
      await told;
    }
    record(marks, change);
    expect([round, await readAll(store)]).toEqual([round, marks]);
  }
  other.disconnect();
  await once(other, 'exit');
  await store.close();
}, 60_000);
