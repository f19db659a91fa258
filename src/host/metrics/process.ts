/** Metrics of the process and its event loop. */
import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { mostOpenFiles } from './open-files.ts';

/** Milliseconds between two samples of the event loop's delay. */
const EVERY = 20;
/** Bounds of its histogram, in seconds. */
const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Where Linux lists the open files of a process. */
const OPEN_FILES = '/proc/self/fd';

function measureDelays(registry: Registry): void {
  const delays = new Histogram({
    name: 'catalogue_event_loop_delay_seconds',
    help: `How late a timer of ${EVERY} ms fires, because something else holds the event loop.`,
    buckets: DELAYS,
    registers: [registry],
  });
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - last - EVERY) / 1_000);
    last = now;
  }, EVERY).unref();
}

/** @param version of the service */
export function measureProcess(registry: Registry, version: string): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  /** @param read the count since the process began */
  const counter = (name: string, help: string, read: () => number): void =>
    void new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const info = { name: 'catalogue_info', help: 'What runs: 1.', labelNames: ['version', 'node'] as const, registers };
  new Gauge(info).set({ version, node: process.versions.node }, 1);
  measureDelays(registry);
  counter(
    'catalogue_event_loop_busy_seconds_total',
    'Seconds in which the event loop worked.',
    () => performance.eventLoopUtilization().active / 1_000,
  );
  counter('process_cpu_seconds_total', 'Seconds of CPU, of user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const start = performance.timeOrigin / 1_000;
  gauge('process_start_time_seconds', 'Start, in seconds since 1970.', () => start);
  const memory = process.memoryUsage;
  gauge('process_resident_memory_bytes', 'Memory of the process, as the system sees it.', () => memory.rss());
  gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript in use.', () => memory().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Memory that JavaScript has.', () => memory().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap of objects in it.', () => memory().external);
  const most = mostOpenFiles();
  if (most === undefined) return;
  // The folder itself is one of them.
  gauge('process_open_fds', 'Open file descriptors.', () => readdirSync(OPEN_FILES).length - 1);
  gauge('process_max_fds', 'File descriptors that the process may have.', () => most);
}
