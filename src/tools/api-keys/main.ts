/** Creates, lists, revokes, exports and imports the keys of clients. A new key goes to standard output, messages about it to standard error. */
import { catalogue } from '../../catalogue.ts';
import { checkDatabaseExists, runCommand, withStore } from '../commands/run.ts';
import { KEY_OPTIONS, readKeyCommand, runKeyCommand } from './commands.ts';

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
