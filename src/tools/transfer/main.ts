/** Moves a catalogue from one database to another. Progress goes to standard error, the result to standard output. */
import { catalogue } from '../../catalogue.ts';
import { DONE, runCommand } from '../commands/run.ts';
import { readOptions, TRANSFER_OPTIONS } from './options.ts';
import { move } from './transfer.ts';

await runCommand(catalogue, {
  command: 'npm run transfer',
  flags: ['replace'],
  options: TRANSFER_OPTIONS,
  help: 'transfer-help',
  work: async (given) => {
    const sums = await move(readOptions(given), given);
    for (const { table, count, sha256 } of sums)
      given.print(given.say('table-moved', { table, rows: `${count}`, sha256 }));
    return DONE;
  },
});
