import { expect, test } from 'vitest';
import { throttled } from '../../src/util/throttled.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('items are handled in order, a few in each turn of the event loop', async () => {
  const handled: number[] = [];
  const add = throttled<number>(2, (item) => handled.push(item));
  for (const item of [1, 2, 3, 4, 5]) add(item);
  const seen: number[][] = [[...handled]];
  while (handled.length < 5) {
    await turn();
    seen.push([...handled]);
  }
  expect(seen).toEqual([[], [1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5]]);
});

test('what is added while items are handled is handled, too, and what is added after all of them', async () => {
  const handled: string[] = [];
  const add = throttled<string>(1, (item) => {
    handled.push(item);
    if (item === 'first') add('from within');
  });
  add('first');
  await expect.poll(() => handled).toEqual(['first', 'from within']);
  add('later');
  await expect.poll(() => handled).toEqual(['first', 'from within', 'later']);
});
