/** The command line of the program: its options are settings, what follows them is a command with arguments of its own. */
import { parseArgs } from 'node:util';
import { calls } from '../../util/calls.ts';
import { readArguments } from '../commands/options.ts';
import { FAILED } from '../commands/run.ts';
import { createTerminalSay } from '../commands/terminal.ts';

const OPTIONS = { port: 'PORT', database: 'DATABASE_URL', catalogue: 'CATALOGUE' } as const;
const SERVE = 'serve';

/** @returns the URL of a database, also if only its path is named */
function databaseUrl(database: string): string {
  return /^(?:sqlite:|postgres(?:ql)?:\/\/)/.test(database) ? database : `sqlite:${database}`;
}

/**
 * Runs what the arguments name: `serve` if they name no command. Sets the exit code of the process: 2 if they cannot be read.
 *
 * @param commands load and thereby run a command, which reads `process.argv`
 */
export async function runProgram(
  args: readonly string[],
  { name, version }: { readonly name: string; readonly version: string },
  commands: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const say = createTerminalSay();
  const options = Object.fromEntries(Object.keys(OPTIONS).map((option) => [option, { type: 'string' as const }]));
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const at = tokens.find(({ kind }) => kind === 'positional')?.index ?? args.length;
  const commandLine = readArguments(args.slice(0, at), {
    command: name,
    flags: ['version'],
    options: Object.keys(OPTIONS),
  });
  const commandNames = Object.keys(commands);
  if (commandLine.isHelp) {
    process.stdout.write(say('program-help', { program: name }));
    return;
  }
  if (commandLine.flags.has('version')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const [command = SERVE, ...rest] = args.slice(at);
  const run = commandNames.includes(command) ? commands[command] : undefined;
  const faults = commandLine.faults.map(([text, values]) => say(text, values));
  if (faults.length === 0 && !run) faults.push(say('program-unknown', { command, known: commandNames.join(', ') }));
  if (faults.length === 0 && command === SERVE && rest.length > 0)
    faults.push(say('operand-unneeded', { command: SERVE }));
  if (!run || faults.length > 0) {
    process.stderr.write(`${faults.join(' ')}\n`);
    process.exitCode = FAILED;
    return;
  }
  calls.program = name;
  for (const [option, variable] of Object.entries(OPTIONS)) {
    const value = commandLine.options.get(option);
    if (value !== undefined) process.env[variable] = option === 'database' ? databaseUrl(value) : value;
  }
  process.argv.splice(2, process.argv.length, ...rest);
  await run();
}
