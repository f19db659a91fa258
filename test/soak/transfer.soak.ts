/** A transfer takes as much memory for many cars as for few. */
import { describe, expect, test } from 'vitest';
import { startPostgres } from '../support/database/postgres-server.ts';
import { fillWithMany, pathOf, sqliteUrl } from '../support/database/transfer.ts';
import { launch, project } from '../support/process/service.ts';

/** Enough for the heap to have grown as far as it does. */
const FEW = 100_000;
const MANY = 400_000;
/** Mebibytes. A heap grows in steps; the rows by which many are more than few would take twice this if they were kept. */
const MORE = 80;
const MOST = 320;

const PEAK = "data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))";

/** @returns the greatest memory in mebibytes */
const peakOf = async (from: string, to: string): Promise<number> => {
  const args = ['--import', PEAK, 'src/tools/transfer/main.ts', '--from', from, '--to', to, '--replace'];
  const { exit, output } = launch({ cwd: project, args });
  expect([await exit, output()]).toEqual([0, expect.stringMatching(/^cars: \d+ rows/m)]);
  return Number(/^peak (\d+)$/m.exec(output())?.[1]) / 1024;
};

describe('peak memory', () => {
  test('of a transfer from a file to a server, and back', async () => {
    const server = await startPostgres();
    try {
      const peaks: number[][] = [];
      for (const count of [FEW, MANY]) {
        const file = sqliteUrl();
        await fillWithMany(pathOf(file), count);
        peaks.push([await peakOf(file, server.url()), await peakOf(server.url(), sqliteUrl())]);
      }
      console.log(
        `  peak MiB there and back, ${FEW} and ${MANY} cars: ${JSON.stringify(peaks.map((each) => each.map(Math.round)))}`,
      );
      const [few = [], many = []] = peaks;
      for (const [at, peak] of many.entries()) {
        expect(peak).toBeLessThan(MOST);
        expect(peak).toBeLessThan((few[at] ?? 0) + MORE);
      }
    } finally {
      await server.remove();
    }
  });
});
