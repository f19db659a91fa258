/** Copies the database while services use it. The result goes to standard output, everything else to standard error. */
import { catalogue } from '../../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { backUp } from './backup.ts';

await runCommand(catalogue, {
  command: 'npm run backup',
  flags: ['replace', 'daily', 'thin'],
  operands: [1, 1],
  help: 'backup-help',
  work: backUp,
});
