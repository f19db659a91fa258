/** Metrics of the process and its event loop. */
import { readdir } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { type Collect, counter, type Family, gauge, histogram, histogramFamily } from './family.ts';
import { mostOpenFiles } from './open-files.ts';

/** Milliseconds between two samples of the event loop's delay. */
const EVERY = 20;
/** Bounds of its histogram, in seconds. */
const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** @returns the families of open files; none where the system does not report them as Linux does */
const openFiles = async (): Promise<readonly Family[]> => {
  try {
    const open = await readdir('/proc/self/fd');
    const most = mostOpenFiles();
    return [
      // The folder itself is one of them.
      gauge('process_open_fds', 'Open file descriptors.', open.length - 1),
      ...(most !== undefined ? [gauge('process_max_fds', 'File descriptors that the process may have.', most)] : []),
    ];
  } catch {
    return [];
  }
};

/** @param version of the service */
export const processMeter = (version: string): Collect => {
  const delays = histogram(DELAYS);
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - last - EVERY) / 1_000);
    last = now;
  }, EVERY).unref();

  return async () => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const { active } = performance.eventLoopUtilization();
    return [
      gauge('catalogue_info', 'What runs: 1.', [[{ version, node: process.versions.node }, 1]]),
      histogramFamily(
        'catalogue_event_loop_delay_seconds',
        `How late a timer of ${EVERY} ms fires, because something else holds the event loop.`,
        delays,
      ),
      counter('catalogue_event_loop_busy_seconds_total', 'Seconds in which the event loop worked.', active / 1_000),
      counter('process_cpu_seconds_total', 'Seconds of CPU, of user and system.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'Start, in seconds since 1970.', performance.timeOrigin / 1_000),
      gauge('process_resident_memory_bytes', 'Memory of the process, as the system sees it.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript in use.', heapUsed),
      gauge('nodejs_heap_size_total_bytes', 'Memory that JavaScript has.', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Memory outside the heap that belongs to objects in it.', external),
      ...(await openFiles()),
    ];
  };
};
