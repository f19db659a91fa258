/** Copies the database while services use it. The result goes to standard output, everything else to standard error. */
import { catalogue } from '../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { backUp } from './backup.ts';

const usage = { command: 'npm run backup', switches: ['replace'], hasFile: true };
await runCommand(usage, 'backup-help', catalogue, backUp);
