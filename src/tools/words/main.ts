/** Translators ask what tables say and what is wrong with them, and take texts out of them and back. */
import { catalogue } from '../../catalogue.ts';
import { UsageError } from '../commands/command-error.ts';
import { runCommand } from '../commands/run.ts';
import { exchangeFormats, exportWords, importWords } from './exchange-command.ts';
import { runWords, wordActions } from './words.ts';

// These read tables at which a start would fail.
if (Object.hasOwn(wordActions, process.argv[2] ?? '')) await runWords(catalogue, process.argv.slice(2));
else
  await runCommand(catalogue, {
    command: 'npm run words',
    flags: [...exchangeFormats, 'partial'],
    options: ['out', 'language'],
    operands: [0, 3],
    help: 'words-help',
    hasFiles: true,
    work: (context) => {
      const [subcommand, tag = '', file = '', ...others] = context.operands;
      if (subcommand === 'export' && file === '') return exportWords(tag, context);
      if (subcommand === 'import' && file !== '' && others.length === 0) return importWords(tag, file, context);
      throw new UsageError([context.say('words-usage')]);
    },
  });
