import { expect, test } from 'vitest';
import { counter, type Family, gauge } from '../../../src/host/metrics/family.ts';
import { metering } from '../../../src/host/workers/metering.ts';
import { linked } from '../../support/workers/linked.ts';

const families = (requests: number, bytes: number): readonly Family[] => [
  counter('requests_total', 'Requests.', requests),
  gauge('memory_bytes', 'Bytes.', bytes),
];
const values = (collected: readonly Family[]) => collected.map(({ samples }) => samples[0]?.[1]);

test('what all workers have, what one has counted that is gone, and what one has told before that does not answer', async () => {
  const meter = metering(5);
  const told = new Map([
    [1, families(10, 100)],
    [2, families(20, 200)],
  ]);
  const silence = new Promise<never>(() => {});
  const collect = async (...workers: readonly number[]) =>
    values(await meter.collect(workers.map((worker) => [worker, async () => told.get(worker) ?? silence])));
  expect(await collect(1, 2)).toEqual([30, 300]);
  told.set(1, families(11, 110));
  told.delete(2);
  expect(await collect(1, 2)).toEqual([31, 310]);
  meter.gone(2);
  expect(await collect(1)).toEqual([31, 110]);
  meter.gone(1);
  expect(await collect()).toEqual([31]);
});

test('one that ends while it is asked holds nobody up', async () => {
  const meter = metering(600_000);
  const [worker] = linked({ write: () => new Promise(() => {}), ready: () => true });
  const asked = meter.collect([[1, () => worker?.measured() ?? Promise.reject()]]);
  worker?.end();
  expect(await asked).toEqual([]);
});
