/**
 * Mirrors, in TypeScript and in Python, in either language, by pages, by waiting and by events, become equal to the list whatever
 * happens. `SOAK_CHANGES` says how many changes there are, `SOAK_SEED` repeats the choices of an earlier run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { noServer } from '../../support/database/own-postgres.ts';
import { type Random, randomFrom } from '../../support/faults/random.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import type { Instance } from '../../support/process/instance.ts';
import { instanceOf, onFiles, onServers, type Place } from './places.ts';
import { kinds, programOf, trees } from './programs.ts';

const CHANGES = Number(process.env.SOAK_CHANGES || 10_000);
const WRITERS = 4;
const KEYS = 300;
/** Milliseconds in which every mirror must be equal; a Python one that waits notices a lost connection by its end only. */
const EQUAL_WITHIN = 90_000;
const seed = Number(process.env.SOAK_SEED || Math.floor(Math.random() * 2 ** 31));

const JSON_TYPE = { 'content-type': 'application/json' };

const carOf = (random: Random, at = Math.floor(random.fraction() * KEYS)) => ({
  identifier: `k/${at}`,
  brand: random.pick(['Seat', 'Citroën']),
  model: `M${Math.floor(random.fraction() * 9)}`,
  year: 2000 + Math.floor(random.fraction() * 20),
});

/** @returns the status; `undefined` where there was none */
const send = async (origin: string, method: string, path: string, body?: unknown, headers = {}) => {
  const content = body === undefined ? {} : { body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } };
  try {
    const response = await fetch(origin + path, { method, ...content });
    const text = await response.text();
    if (![200, 201, 204, 404, 409, 503].includes(response.status)) throw new TypeError(text);
    return response.status;
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith('{')) throw error;
    return undefined;
  }
};

const write = (random: Random, origin: string) => {
  const { identifier, ...values } = carOf(random);
  const path = `/api/cars/${encodeURIComponent(identifier)}`;
  const chance = random.fraction();
  if (chance < 0.2) return send(origin, 'DELETE', path.replace('cars', 'coches'));
  if (chance < 0.5) return send(origin, 'PATCH', path, { year: values.year });
  if (chance < 0.6) return send(origin, 'POST', `${path}/oils`, { type: `T${values.year}` });
  if (chance < 0.7) return send(origin, 'PUT', path.replace('cars', 'coches'), { marca: values.brand });
  return send(origin, 'POST', '/api/cars', { identifier, ...values });
};

const importAll = (random: Random, origin: string) => {
  const all = Array.from({ length: KEYS }, (_, at) => carOf(random, at)).filter(() => random.chance(0.8));
  return send(origin, 'POST', '/api/cars', all, { prefer: 'resolution=replace-all; allow-deletions' });
};

const sorted = (items: readonly (readonly [key: string, item: unknown])[]) =>
  items.toSorted(([a], [b]) => (a < b ? -1 : 1));

/** @returns a mirror as a process, which goes on from its file each time that it is started */
const mirrorOf = (folder: string, kind: (typeof kinds)[number], origin: string) => {
  const { name, file, command = '', args } = programOf(folder, kind, origin);
  let child: ChildProcess;
  const start = (): void => {
    child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  start();
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    name,
    tree: trees[kind.tag],
    restart: (): void => {
      child.kill('SIGKILL');
      start();
    },
    /** In the order of their keys. */
    read: (): { readonly position: string; readonly items: readonly unknown[] } => {
      const { position, items } = JSON.parse(readFileSync(file, 'utf8'));
      return { position, items: sorted(items) };
    },
  };
};

interface Stage {
  readonly place: Place;
  readonly instances: readonly Instance[];
  readonly mirrors: readonly ReturnType<typeof mirrorOf>[];
  readonly random: Random;
}

const all = (instances: readonly Instance[], work: (instance: Instance) => Promise<void>) =>
  Promise.all(instances.map(work));

/** While none of them runs. */
const meanwhile = async ({ instances }: Stage, work: () => Promise<void>): Promise<void> => {
  await all(instances, ({ end }) => end('SIGTERM'));
  await work();
  await all(instances, ({ start }) => start());
};

const oneOf = <T>(random: Random, from: readonly T[]): T => random.pick(from as readonly [T, ...T[]]);

/** @returns the path of what changes from now on, which a restore of an older copy makes unknown */
const lostBy = async ({ instances }: Stage, { cars, changed_since }: (typeof trees)[keyof typeof trees]) => {
  const { headers } = await fetch((instances[0]?.origin ?? '') + cars);
  return `${cars}?${changed_since}=${headers.get('x-change')}`;
};

/** What happens while others write, once in each quarter of a round. */
const happenings: Readonly<Record<string, (stage: Stage, quarter: number) => unknown>> = {
  'kill -9 of an instance': async ({ instances, random }) => {
    const { end, start } = oneOf(random, instances);
    await end('SIGKILL');
    await start();
  },
  'kill -9 of all instances': async ({ instances }) => {
    await all(instances, ({ end }) => end('SIGKILL'));
    await all(instances, ({ start }) => start());
  },
  'kill -9 of all mirrors': ({ mirrors }) => {
    for (const { restart } of mirrors) restart();
  },
  'a restart of all instances': (stage) => meanwhile(stage, async () => {}),
  'an import that replaces all': ({ instances, random }) => importAll(random, oneOf(random, instances).origin),
  restore: async (stage, quarter) => {
    if (quarter === 1) return meanwhile(stage, stage.place.backUp);
    if (quarter !== 3) return;
    const lost = await Promise.all(Object.values(trees).map((tree) => lostBy(stage, tree)));
    await meanwhile(stage, stage.place.restore);
    for (const { origin } of stage.instances)
      for (const path of lost) expect([path, (await fetch(origin + path)).status]).toEqual([path, 410]);
  },
};

/** @returns how many items there are, and after how many milliseconds which mirror was the last to be equal */
const settle = async ({ instances, mirrors }: Stage) => {
  const since = performance.now();
  let count = 0;
  let late: readonly [name: string, milliseconds: number] = ['', 0];
  const equal = async ({ name, tree, read }: Stage['mirrors'][number]): Promise<void> => {
    const response = await fetch((instances[0]?.origin ?? '') + tree.cars);
    const list = (await response.json()) as readonly Readonly<Record<string, unknown>>[];
    count = list.length;
    const items = sorted(list.map((item) => [String(item[tree.identifier]), item]));
    await expect.poll(() => read().items, { timeout: EQUAL_WITHIN, interval: 100, message: name }).toEqual(items);
    late = [name, Math.round(performance.now() - since)];
  };
  await Promise.all(mirrors.map(equal));
  return { items: count, last: late[0], 'equal after ms': late[1] };
};

const places = [
  ['SQLite, two instances', 2],
  ['PostgreSQL, three instances', 3],
] as const;

test.each(noServer ? places.slice(0, 1) : places)('%s', { timeout: 3_600_000 }, async (name, size) => {
  console.log(`${name}, SOAK_SEED=${seed}`);
  const random = randomFrom(seed);
  const folder = temporaryFolder();
  const place = size === 2 ? onFiles(folder) : await onServers((cleanUp) => onTestFinished(cleanUp));
  const instances = await Promise.all(Array.from({ length: size }, () => instanceOf(place)));
  for (const { start } of instances) await start();
  const mirrors = kinds.map((kind, at) => mirrorOf(folder, kind, instances[at % size]?.origin ?? ''));
  const stage = { place, instances, mirrors, random };
  const rows = [];
  const each = Math.ceil(CHANGES / Object.keys(happenings).length);
  for (const [happening, happen] of Object.entries(happenings)) {
    let changes = 0;
    const writer = async (): Promise<void> => {
      while (changes < each) {
        const status = await write(random, oneOf(random, instances).origin);
        if (status !== undefined && status < 300) changes++;
        else await setTimeout(2);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, writer));
    for (const quarter of [1, 2, 3]) {
      while (changes < (each * quarter) / 4) await setTimeout(5);
      await happen(stage, quarter);
    }
    await writing;
    const row = { happening, changes, ...(await settle(stage)) };
    console.log(JSON.stringify(row));
    rows.push(row);
  }
  console.table(rows);
});
