#!/usr/bin/env node
/** The commands `serve`, `check` and `propose`. */
import { basename } from 'node:path';
import { type Fault, VocabularyError, writeFault } from '../document.ts';
import { check } from './check.ts';
import { loadDocument, loadTables } from './load.ts';
import { COMMANDS, readChoice, readOptions, readRequired, readServeOptions } from './options.ts';
import { propose } from './propose.ts';
import { localizeFault, print, StartError, texts } from './texts.ts';

/** Runs a command. @returns its exit code */
async function run(command: string, args: string[]): Promise<number> {
  const help = `${texts.help.join('\n')}\n`;
  if ([command, ...args].some((word) => word === '--help' || word === '-h')) {
    print(help);
    return 0;
  }
  if (COMMANDS[command] === undefined) throw new StartError('command', { command, help });
  const values = readOptions(command, args);
  const source = readRequired(values, 'document');
  const document = await loadDocument(source, values['allow-refs']);
  const files = command === 'propose' ? [] : await loadTables(readRequired(values, 'tables'));
  const names = { ...Object.fromEntries(files.map(({ tag, name }) => [tag, name])), document: basename(source) };
  const localize = (fault: Fault): Fault => localizeFault(fault, names);
  try {
    if (command === 'propose') return propose(document, values.json);
    const tables = Object.fromEntries(files.map(({ tag, content }) => [tag, content]));
    const options = { document, tables, select: readChoice(values, 'select', ['path', 'prefix', 'host', 'header']) };
    const duplicates = files.flatMap((file) => file.duplicates);
    if (command === 'check') return check(options, duplicates, localize, values.json);
    if (duplicates.length > 0) throw new VocabularyError(duplicates);
    const { serve } = await import('./serve.ts');
    return await serve(readServeOptions(values, options));
  } catch (error) {
    if (!(error instanceof VocabularyError)) throw error;
    print(`${error.faults.map((fault) => writeFault(localize(fault))).join('\n')}\n`, process.stderr);
    return 1;
  }
}

// If the reader of the log goes away, the proxy runs on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
const [command = '', ...args] = process.argv.slice(2);
try {
  process.exitCode = await run(command, args);
} catch (error) {
  const { message, stack, code } = error as NodeJS.ErrnoException;
  // Node's own codes are of options, files and ports.
  print(`${error instanceof StartError || code !== undefined ? message : stack}\n`, process.stderr);
  process.exitCode = 2;
}
