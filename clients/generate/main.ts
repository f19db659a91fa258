/** `npm run clients -- URL`: clients of a running service, one for each of its languages. */
import { command } from './command.ts';

process.exitCode = await command(process.argv.slice(2), console.log);
