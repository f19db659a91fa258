import { expect, test } from 'vitest';
import { connectionCounts } from '../../../src/host/workers/connection-counts.ts';

type Step = readonly ['opened' | 'closed', worker: number, address?: string] | readonly ['gone', worker: number];

/** Plays steps. @returns after which of them which worker had to make room, and for whose connection */
const play = (limits: { most: number; mostOfClient?: number }, steps: readonly Step[]): readonly string[] => {
  const told: string[] = [];
  let at = 0;
  const { most, mostOfClient } = limits;
  const counted = connectionCounts({ most, mostOfClient }, (worker, address) =>
    told.push(`${at}: ${worker}${address === undefined ? '' : ` ${address}`}`),
  );
  for (const [kind, worker, address] of steps) {
    at += 1;
    if (kind === 'gone') counted.gone(worker);
    else counted[kind](worker, address);
  }
  return told;
};

const cases: readonly (readonly [
  what: string,
  limits: { most: number; mostOfClient?: number },
  steps: readonly Step[],
  told: readonly string[],
])[] = [
  [
    'up to the limit nobody makes room',
    { most: 3 },
    [
      ['opened', 1],
      ['opened', 2],
      ['opened', 2],
      ['closed', 2],
      ['opened', 1],
    ],
    [],
  ],
  [
    'one more takes a place at the worker that has most',
    { most: 3 },
    [
      ['opened', 1],
      ['opened', 2],
      ['opened', 2],
      ['opened', 1],
      ['opened', 2],
    ],
    ['4: 1', '5: 2'],
  ],
  [
    'a worker that was told to close one is not told again once it has',
    { most: 2 },
    [
      ['opened', 1],
      ['opened', 1],
      ['opened', 2],
      ['closed', 1],
      ['closed', 2],
      ['opened', 2],
      ['opened', 2],
    ],
    ['3: 1', '7: 2'],
  ],
  [
    'what a worker had that has ended counts no more',
    { most: 2, mostOfClient: 1 },
    [
      ['opened', 1, 'a'],
      ['opened', 1, 'b'],
      ['gone', 1],
      ['opened', 2, 'a'],
      ['opened', 2, 'b'],
    ],
    [],
  ],
  [
    'each client has a limit of its own, over all workers',
    { most: 100, mostOfClient: 2 },
    [
      ['opened', 1, 'a'],
      ['opened', 2, 'b'],
      ['opened', 2, 'a'],
      ['opened', 2],
      ['opened', 2],
      ['opened', 2, 'a'],
      ['closed', 2, 'a'],
      ['closed', 1, 'a'],
      ['opened', 1, 'a'],
    ],
    ['6: 2 a'],
  ],
];

test.each(cases)('%s', (_, limits, steps, told) => {
  expect(play(limits, steps)).toEqual(told);
});
