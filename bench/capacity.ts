/** Requests a second and memory by the size of the catalogue: the table of docs/deployment.md. Servers, database and load share all cores. */
import { capacity as comparison } from './comparisons.ts';
import type { Options } from './support/comparison.ts';
import { datasetIn, ownPostgres, type Place, sqliteIn } from './support/databases.ts';
import { pinLoad } from './support/machine.ts';
import { type Report, shown, spreadOf, table } from './support/report.ts';
import { type Measured, measure } from './support/turns.ts';

const SIZES = [20_000, 200_000, 1_000_000];
const HEADS = ['cars', 'database', 'WORKERS', 'items/s', 'lists of some 50/s', 'POSTs/s', 'RSS MiB', 'database MB'];

/** @returns a line for each number of workers */
const linesOf = async (place: Place, cars: number, options: Options): Promise<Report[]> => {
  const dataset = datasetIn(place, options.folder, cars);
  const size = (await place.sizeOf(await dataset.copyFor('service'))) / 1e6;
  const measured: Measured[] = [];
  for await (const each of measure(comparison, dataset, options)) measured.push(each);
  return comparison.sides.map(([{ name }], at) => {
    const rows = measured.flatMap((each) => each.rows[at] ?? []);
    const rates = rows.map(({ rounds }) => shown(spreadOf(rounds.map(({ rate }) => rate))));
    const ends = [rows.at(-1)?.rss ?? Number.NaN, size].map((value) => Math.round(value).toLocaleString('en'));
    return [cars.toLocaleString('en'), place.name.split(' ')[0] ?? '', name, ...rates, ...ends];
  });
};

/** @returns one table; `--many` is the largest catalogue */
export async function* capacity(options: Options): AsyncGenerator<Report> {
  // What is started from here, PostgreSQL too, may use the same cores.
  pinLoad('any');
  const lines: Report[] = [];
  for (const cars of SIZES.filter((size) => size <= options.many)) {
    for (const open of [sqliteIn, ownPostgres]) {
      await using place = await open(options.folder);
      lines.push(...(await linesOf(place, cars, options)));
    }
  }
  yield ['# Capacity', '', ...table(HEADS, lines)];
}
