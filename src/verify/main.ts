/** Checks the database. What is wrong goes to standard output, everything else to standard error. */
import { catalogue } from '../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { verify } from './verify.ts';

const usage = { command: 'npm run verify', switches: ['repair'], hasFile: false };
await runCommand(usage, 'verify-help', catalogue, verify);
