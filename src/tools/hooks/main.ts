/** Adds, lists, tries, removes, exports and imports the addresses to which changes are sent. A new secret goes to standard output, messages to standard error. */
import { catalogue } from '../../catalogue.ts';
import { listPaths } from '../commands/language-choice.ts';
import { checkDatabaseExists, readSubcommand, runCommand, withStore } from '../commands/run.ts';
import { checkAddress, runHookCommand, SUBCOMMANDS } from './commands.ts';

await runCommand(catalogue, {
  command: 'npm run hook',
  options: ['language', 'list'],
  repeatable: 'all',
  operands: [0, Number.POSITIVE_INFINITY],
  help: 'hook-help',
  helpValues: (all, language) => ({
    collections: listPaths(all, language).join(', '),
    changed_since: language.parameters.word('changed_since'),
  }),
  work: (context) => {
    const [kind, operand] = readSubcommand(SUBCOMMANDS, 'add', context);
    if (kind === 'add') checkAddress(operand, context);
    else if (kind !== 'import') checkDatabaseExists(context.config);
    return withStore(context, (store) => runHookCommand(kind, operand, context, store));
  },
});
