/** Moves a catalogue from one database to another. Progress goes to standard error, the result to standard output. */
import { catalogue } from '../catalogue.ts';
import { startOrExit } from '../process.ts';
import { move } from './move.ts';
import { readOptions, USAGE } from './options.ts';

const result = await startOrExit(async () => {
  const options = readOptions(process.argv.slice(2));
  if (!options) return USAGE;
  const sums = await move(options, catalogue, (line) => process.stderr.write(`${line}\n`));
  return sums.map(({ table, count, sha256 }) => `${table}: ${count} rows, sha256 ${sha256}\n`).join('');
});
process.stdout.write(result);
