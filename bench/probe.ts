import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runOnLoadCore } from './load.ts';
import type { Car } from './records.ts';

/** Times in milliseconds. */
export interface ProbeResult {
  readonly count: number;
  readonly failures: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Item reads a second: enough for a p99, too few to be a load. */
const RATE = 200;

/** Writes the questions of a probe and their right answers. */
export const writeProbe = (file: string, cars: readonly Car[], pathOf: (car: Car) => string): void =>
  writeFileSync(file, `${cars.map((car) => `${pathOf(car)}\t${JSON.stringify(car)}`).join('\n')}\n`);

/** Reads items at a steady rate while something else happens; every answer is checked. */
export const probe = async (origin: string, file: string, seconds: number): Promise<ProbeResult> => {
  const program = fileURLToPath(new URL('probe.js', import.meta.url));
  const args = [program, origin, file, String(RATE), String(seconds)];
  const result = (await runOnLoadCore(process.execPath, args)) as ProbeResult;
  if (result.failures > 0) throw new Error(`${origin}: ${result.failures} of ${result.count} item reads were wrong`);
  return result;
};
