import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { reportFaults } from '../../../src/host/log/log.ts';

const MINUTE = 60_000;

const ids = (id: string) => ({ id, traceId: undefined });

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

const open = () => {
  const lines: string[] = [];
  const report = reportFaults({
    error: (message, cause) => void lines.push(cause === undefined ? message : `${message} (${cause})`),
  });
  return { lines, report };
};

test('a fault is logged at once, and its repetitions once a minute', () => {
  const { lines, report } = open();
  for (let at = 0; at < 5; at++) report(new Error('disk full'), ids(`r${at}`));
  report(new Error('gone'), ids('other'));
  expect(lines).toEqual(['request r0 failed (Error: disk full)', 'request other failed (Error: gone)']);

  vi.advanceTimersByTime(MINUTE);
  expect(lines.splice(0)).toHaveLength(3);
  // A new minute begins with the next fault.
  report(new Error('disk full'), ids('r5'));
  expect(lines.splice(0)).toEqual(['request r5 failed (Error: disk full)']);
  vi.advanceTimersByTime(2 * MINUTE);
  expect(lines).toEqual([]);
});

test('faults of which no two are alike are a hundred and one lines a minute', () => {
  const { lines, report } = open();
  for (let at = 0; at < 5_000; at++) report(`fault ${at}\nof its own`, ids(`r${at}`));
  expect(lines).toHaveLength(101);
  vi.advanceTimersByTime(MINUTE);
  expect(lines.slice(101)).toEqual(['4899 more failed within a minute: other faults']);
});

test('what a fault is about is told for programs', () => {
  const told: unknown[] = [];
  const report = reportFaults({ error: (...event) => void told.push(event) });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  report('disk full', { id: 'r1', traceId });
  expect(told).toEqual([['request r1 failed', 'disk full', { requestId: 'r1', traceId }]]);
});
