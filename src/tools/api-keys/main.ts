/** Creates, lists, revokes, exports and imports the keys of clients. A new key goes to standard output, messages about it to standard error. */
import { catalogue } from '../../catalogue.ts';
import { runCommand } from '../commands/run.ts';
import { checkDatabaseExists, withStore } from '../commands/with-store.ts';
import { runKeyCommand } from './commands.ts';
import { KEY_OPTIONS, readKeyCommand } from './new-key.ts';

await runCommand(catalogue, {
  command: 'npm run key',
  options: KEY_OPTIONS,
  operands: [0, Number.POSITIVE_INFINITY],
  help: 'key-help',
  work: (context) => {
    const command = readKeyCommand(context);
    if (command.kind !== 'create' && command.kind !== 'import') checkDatabaseExists(context.config);
    return withStore(context, ({ apiKeys }) => runKeyCommand(command, apiKeys, context));
  },
});
