import { performance } from 'node:perf_hooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wallClock } from '../../src/model/wall-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('times are those of the system clock, and soon after it was set, too', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const timeOf = wallClock();
  const start = Date.UTC(2026, 10, 22);
  vi.setSystemTime(start);
  const at = performance.now();
  const first = timeOf(at);
  expect(Math.abs(first - start)).toBeLessThan(MINUTE);
  vi.setSystemTime(start + HOUR);
  expect(timeOf(at + 10) - first).toBe(10);
  expect(Math.abs(timeOf(at + 100) - start - HOUR)).toBeLessThan(MINUTE);
});
