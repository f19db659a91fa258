/** The whole of both files, found again from the other tree; `CARS_DATA` tells the folder that holds them. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { project, serve } from '../support/process/service.ts';
import {
  addressOf,
  type Car,
  countBy,
  create,
  inParallel,
  readCars,
  type Tree,
  textAt,
  textOf,
  trees,
  wrongCounts,
} from './real-cars.ts';

/** Requests on their way at one time, in each tree. */
const WIDTH = 50;
const TOLD_EVERY = 5_000;
const LOOKED_UP_EVERY = 50;
/** Faults that are shown; one cause may have thousands. */
const SHOWN = 10;

const folder = resolve(process.env.CARS_DATA || join(project, '../shared/data'));

const checkFiles = (): void => {
  const missing = trees.map(({ own }) => join(folder, own.file)).filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`${missing.join(' and ')} not found; CARS_DATA must be the folder that holds them`);
};

/** @returns cars per second */
const load = async (origin: string, files: ReadonlyMap<Tree, readonly Car[]>): Promise<number> => {
  const total = [...files.values()].flat().length;
  const start = performance.now();
  let done = 0;
  const post = async (tree: Tree, car: Car): Promise<void> => {
    await create(origin, tree, car);
    done += 1;
    if (done % TOLD_EVERY === 0) console.log(`  ${done} of ${total} cars created`);
  };
  await Promise.all([...files].map(([tree, cars]) => inParallel(cars, WIDTH, (car) => post(tree, car))));
  return Math.round((total / (performance.now() - start)) * 1_000);
};

/** What a tree's whole list has too much, too little or not as it was sent. */
const listFaults = async (origin: string, tree: Tree, cars: readonly Car[]): Promise<readonly string[]> => {
  const answer = await fetch(origin + tree.path);
  const list: readonly unknown[] = JSON.parse(await answer.text());
  expect([list.length, answer.headers.get('x-total-count')]).toEqual([cars.length, String(cars.length)]);
  const found = new Set(list.map((item) => JSON.stringify(item)));
  return cars.map((car) => textOf(car, tree)).filter((text) => !found.has(text));
};

const lookUpFaults = async (origin: string, tree: Tree, cars: readonly Car[]): Promise<readonly string[]> => {
  const wrong: string[] = [];
  await inParallel(cars, WIDTH, async (car) => {
    const text = await textAt(origin + addressOf(car, tree));
    if (text !== textOf(car, tree)) wrong.push(text);
  });
  return wrong;
};

test('every car of both files is found again from the other tree', async () => {
  checkFiles();
  const files = new Map(trees.map(({ own }) => [own, readCars(folder, own)]));
  const cars = [...files.values()].flat();
  expect(cars.length).toBeGreaterThan(30_000);
  const { origin } = await serve();
  console.log(`${cars.length} cars of ${folder}, ${WIDTH} at one time in each tree`);
  console.log(`  ${await load(origin, files)} cars per second`);

  for (const { own, other, path } of trees) {
    expect((await listFaults(origin, own, cars)).slice(0, SHOWN)).toEqual([]);
    console.log(`  ${path}: the whole list holds every car of both files`);
    const some = (files.get(other) ?? []).filter((_, at) => at % LOOKED_UP_EVERY === 0);
    expect((await lookUpFaults(origin, own, some)).slice(0, SHOWN)).toEqual([]);
    console.log(`  ${path}: ${some.length} cars that came in through ${other.path} found by key`);
    for (const field of ['brand', 'year'] as const) {
      expect((await wrongCounts(origin, own, cars, field)).slice(0, SHOWN)).toEqual([]);
      console.log(`  ${path}: totals of ${countBy(cars, field).size} values of ${own.words[field]} agree`);
    }
  }
});
