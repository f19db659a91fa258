/** Commands that are gone: the one that the first argument names says in one line what replaces it, with exit code 2. */
import { catalogue } from '../../catalogue.ts';
import type { CommandText } from '../../gateway/texts/shown-text.ts';
import { commandError } from '../commands/command-error.ts';
import { runCommand } from '../commands/run.ts';

const REPLACEMENTS: Readonly<Record<string, CommandText>> = {
  clients: 'withdrawn-clients',
  transfer: 'withdrawn-transfer',
  upstream: 'withdrawn-upstream',
};

const [name = ''] = process.argv.splice(2);
const help = REPLACEMENTS[name] ?? 'withdrawn-transfer';

await runCommand(catalogue, {
  command: `npm run ${name}`,
  help,
  work: () => {
    throw commandError(help, {});
  },
});
