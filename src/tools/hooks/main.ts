/** Adds, lists, tries, removes, exports and imports the addresses to which changes are sent. A new secret goes to standard output, messages to standard error. */
import { catalogue } from '../../catalogue.ts';
import { listPaths } from '../commands/list-path.ts';
import { runCommand } from '../commands/run.ts';
import { checkDatabaseExists, withStore } from '../commands/with-store.ts';
import { runHookCommand } from './commands.ts';
import { readHookCommand } from './options.ts';

await runCommand(catalogue, {
  command: 'npm run hook',
  options: ['list'],
  repeatable: 'all',
  operands: [0, Number.POSITIVE_INFINITY],
  help: 'hook-help',
  helpValues: (of, language) => ({
    collections: listPaths(of, language).join(', '),
    changed_since: language.parameters.word('changed_since'),
  }),
  work: (given) => {
    const command = readHookCommand(given);
    if (command.kind !== 'add' && command.kind !== 'import') checkDatabaseExists(given.config);
    return withStore(given, (store) => runHookCommand(command, given, store));
  },
});
