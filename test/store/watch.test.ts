import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WriteLog } from '../../src/store/watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('at the edge of a full disk an operator reads two lines, however often writes fail and succeed', () => {
  const lines: string[] = [];
  const log = new WriteLog((line) => void lines.push(line));
  log.succeeded();
  for (let time = 0; time < 10; time++) {
    log.failed('database or disk is full');
    vi.advanceTimersByTime(100);
    log.succeeded();
    vi.advanceTimersByTime(900);
    log.succeeded();
  }
  expect(lines).toEqual(['takes no writes: database or disk is full']);
  vi.advanceTimersByTime(100);
  expect(lines.slice(1)).toEqual(['takes writes again']);
  vi.advanceTimersByTime(10_000);
  log.succeeded();
  log.failed('database or disk is full');
  log.failed('it is read-only');
  expect(lines.slice(2)).toEqual(['takes no writes: database or disk is full', 'takes no writes: it is read-only']);
});
