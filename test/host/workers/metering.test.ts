import { expect, test } from 'vitest';
import { counter, type Family, gauge } from '../../../src/host/metrics/family.ts';
import { metering } from '../../../src/host/workers/metering.ts';

const families = (requests: number, bytes: number): readonly Family[] => [
  counter('requests_total', 'Requests.', requests),
  gauge('memory_bytes', 'Bytes.', bytes),
];
const values = (collected: readonly Family[]) => collected.map(({ samples }) => samples[0]?.value);

test('what all workers have, what one has counted that is gone, and what one has told before that does not answer', async () => {
  const meter = metering(5);
  const told = new Map([
    [1, families(10, 100)],
    [2, families(20, 200)],
  ]);
  for (const worker of [1, 2]) {
    meter.started(worker, () => {
      const answer = told.get(worker);
      if (answer) meter.measured(worker, answer);
    });
  }
  expect(values(await meter.collect())).toEqual([30, 300]);
  told.set(1, families(11, 110));
  told.delete(2);
  expect(values(await meter.collect())).toEqual([31, 310]);
  meter.gone(2);
  expect(values(await meter.collect())).toEqual([31, 110]);
  meter.gone(1);
  expect(values(await meter.collect())).toEqual([31]);
});

test('one that ends while it is asked holds nobody up', async () => {
  const meter = metering(600_000);
  meter.started(1, () => meter.gone(1));
  expect(await meter.collect()).toEqual([]);
});
