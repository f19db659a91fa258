/** Metrics of the process and its event loop. */
import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Counter, type Registry } from 'prom-client';
import { gauge, histogram, measure } from './instruments.ts';
import { mostOpenFiles } from './open-files.ts';

/** Milliseconds between two samples of the event loop's delay. */
const EVERY = 20;
/** Bounds of its histogram, in seconds. */
const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Where Linux lists the open files of a process. */
const OPEN_FILES = '/proc/self/fd';

function measureDelays(registry: Registry): void {
  const help = `How late a timer of ${EVERY} ms fires, because something else holds the event loop.`;
  const delays = histogram(registry, 'catalogue_event_loop_delay_seconds', help, [], DELAYS);
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - last - EVERY) / 1_000);
    last = now;
  }, EVERY).unref();
}

/** @param read the count since the process began */
function measureCount(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = (): void => {
    own.reset();
    own.inc(read());
  };
  const own: Counter = new Counter({ name, help, registers: [registry], collect });
}

/** @param version of the service */
export function measureProcess(registry: Registry, version: string): void {
  const info = gauge(registry, 'catalogue_info', 'What runs: 1.', ['version', 'node']);
  info.set({ version, node: process.versions.node }, 1);
  measureDelays(registry);
  const busy = () => performance.eventLoopUtilization().active / 1_000;
  measureCount(registry, 'catalogue_event_loop_busy_seconds_total', 'Seconds in which the event loop worked.', busy);
  const cpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  measureCount(registry, 'process_cpu_seconds_total', 'Seconds of CPU, of user and system.', cpu);
  const gauges: readonly (readonly [name: string, help: string, read: () => number])[] = [
    ['process_start_time_seconds', 'Start, in seconds since 1970.', () => performance.timeOrigin / 1_000],
    ['process_resident_memory_bytes', 'Memory of the process, as the system sees it.', () => process.memoryUsage.rss()],
    ['nodejs_heap_size_used_bytes', 'Memory of JavaScript in use.', () => process.memoryUsage().heapUsed],
    ['nodejs_heap_size_total_bytes', 'Memory that JavaScript has.', () => process.memoryUsage().heapTotal],
    ['nodejs_external_memory_bytes', 'Memory outside the heap of objects in it.', () => process.memoryUsage().external],
  ];
  for (const [name, help, read] of gauges) measure(registry, name, help, read);
  const most = mostOpenFiles();
  if (most === undefined) return;
  // The folder itself is one of them.
  measure(registry, 'process_open_fds', 'Open file descriptors.', () => readdirSync(OPEN_FILES).length - 1);
  measure(registry, 'process_max_fds', 'File descriptors that the process may have.', () => most);
}
