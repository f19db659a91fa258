/** Checks the database. Findings go to standard output, everything else to standard error. */
import { catalogue } from '../../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { verify } from './verify.ts';

await runCommand(catalogue, { command: 'npm run verify', flags: ['repair'], help: 'verify-help', work: verify });
