/** What measures, each with its name in a registry of prom-client. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Bounds of histograms, in seconds, for what takes from a tenth of a millisecond to ten seconds. */
const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string>>;

/** @param all the sets of labels that are there before their first event */
export function counter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  all: readonly Labels[] = [],
): Counter {
  const own = new Counter({ name, help, labelNames, registers: [registry] });
  for (const labels of all) own.inc(labels, 0);
  return own;
}

export function gauge(registry: Registry, name: string, help: string, labelNames: string[] = []): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

/** @param read reads the value whenever Prometheus asks */
export function measure(registry: Registry, name: string, help: string, read: () => number): void {
  const own: Gauge = new Gauge({ name, help, registers: [registry], collect: () => own.set(read()) });
}

/** @param buckets the bounds of its buckets, by default of seconds */
export function histogram(
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[] = [],
  buckets: number[] = SECONDS,
): Histogram {
  return new Histogram({ name, help, labelNames, buckets, registers: [registry] });
}
