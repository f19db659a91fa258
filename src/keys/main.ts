/** Makes, lists and revokes the keys of clients. A key goes to standard output, what is said of it to standard error. */
import { catalogue } from '../catalogue.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openStore } from '../open-store.ts';
import { startOrExit } from '../process.ts';
import { carryOut } from './commands.ts';
import { readCommand, USAGE } from './options.ts';

const { output, notes, isDone } = await startOrExit(async () => {
  const command = readCommand(process.argv.slice(2));
  if (!command) return { output: USAGE, notes: '', isDone: true };
  const { DATABASE_URL } = readConfig();
  if (/:memory:$/.test(DATABASE_URL)) {
    throw new ConfigError(['DATABASE_URL: must be a database that lasts: a key in memory would be gone at once']);
  }
  const store = await openStore(DATABASE_URL, catalogue);
  try {
    return await carryOut(command, store.keys);
  } finally {
    await store.close();
  }
});
process.stderr.write(notes);
process.stdout.write(output);
process.exitCode = isDone ? 0 : 1;
