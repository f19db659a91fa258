/** Puts a copy in the place of the database. The result goes to standard output, everything else to standard error. */
import { catalogue } from '../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { restore } from './restore.ts';

const usage = { command: 'npm run restore', switches: [], hasFile: true };
await runCommand(usage, 'restore-help', catalogue, restore);
