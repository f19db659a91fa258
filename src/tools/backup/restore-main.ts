/** Puts a copy in the place of the database. The result goes to standard output, everything else to standard error. */
import { catalogue } from '../../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { restore } from './restore.ts';

await runCommand(catalogue, {
  command: 'npm run restore',
  operands: [1, 1],
  help: 'restore-help',
  work: restore,
});
