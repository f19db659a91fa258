/** `npm run parity -- URL`: whether every language of a running service says the same. */
import { command } from './command.ts';

process.exitCode = await command(process.argv.slice(2), console.log);
