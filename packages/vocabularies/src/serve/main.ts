#!/usr/bin/env node
/** The commands `serve`, `check` and `propose`. */
import { parseArgs } from 'node:util';
import { VocabularyError } from '../document.ts';
import { check, propose } from './check.ts';
import { loadDocument, loadTables, StartError } from './load.ts';
import { serve } from './serve.ts';
import { HELP, terminalLanguage } from './texts.ts';

const OPTIONS = {
  document: { type: 'string' },
  tables: { type: 'string' },
  'allow-refs': { type: 'string' },
  help: { type: 'boolean' },
  json: { type: 'boolean' },
  api: { type: 'string' },
  port: { type: 'string', default: '3000' },
  host: { type: 'string', default: '127.0.0.1' },
  'metrics-port': { type: 'string' },
  select: { type: 'string', default: 'path' },
  language: { type: 'string' },
  foreign: { type: 'string', default: 'refuse' },
  trust: { type: 'string' },
  timeout: { type: 'string', default: '30' },
  'max-time': { type: 'string', default: '900' },
  'max-body': { type: 'string', default: '104857600' },
  'max-answer': { type: 'string', default: '1073741824' },
  'max-connections': { type: 'string', default: '1024' },
} as const;

const SHARED = ['document', 'allow-refs', 'help'];
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  serve: Object.keys(OPTIONS).filter((name) => name !== 'json'),
  check: [...SHARED, 'tables', 'json'],
  propose: [...SHARED, 'json'],
};

function readOptions(command: string, args: readonly string[]) {
  try {
    const own = Object.fromEntries(Object.entries(OPTIONS).filter(([name]) => COMMANDS[command]?.includes(name)));
    return parseArgs({ args: [...args], options: own as typeof OPTIONS, strict: true }).values;
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

type Values = ReturnType<typeof readOptions>;

function required(values: Values, name: 'document' | 'tables' | 'api'): string {
  const value = values[name];
  if (value === undefined) throw new StartError(`--${name} is missing; --help lists the options`);
  return value;
}

function readNumber(
  values: Values,
  name: 'port' | 'timeout' | 'max-time' | 'max-body' | 'max-answer' | 'max-connections',
): number {
  const number = Number(values[name]);
  const least = name === 'port' ? 0 : 1;
  if (Number.isInteger(number) && number >= least && number <= (name === 'port' ? 65_535 : 2 ** 40)) return number;
  throw new StartError(`--${name} must be a whole number from ${least}`);
}

function readChoice<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new StartError(`--${name} must be one of ${choices.join(', ')}`);
  return choice;
}

function readApi(text: string): URL {
  const url = URL.parse(text);
  const isOrigin =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === '';
  if (isOrigin && url.username === '' && url.password === '') return url;
  throw new StartError('--api must be an origin such as http://127.0.0.1:8080; paths stand in the document');
}

async function run(command: string, args: readonly string[]): Promise<number> {
  const language = terminalLanguage(process.env);
  if (COMMANDS[command] === undefined || args.includes('--help')) {
    const isHelp = args.includes('--help') || command === '--help';
    (isHelp ? process.stdout : process.stderr).write(HELP[language]);
    return isHelp ? 0 : 2;
  }
  const values = readOptions(command, args);
  const document = await loadDocument(required(values, 'document'), values['allow-refs']);
  const report = { json: values.json === true, language };
  if (command === 'propose') return propose(document, report);
  const tables = await loadTables(required(values, 'tables'));
  if (command === 'check') return check(document, tables, report);
  const metrics = values['metrics-port'];
  await serve({
    document,
    tables,
    api: readApi(required(values, 'api')),
    port: readNumber(values, 'port'),
    host: values.host,
    metricsPort: metrics === undefined ? undefined : readNumber({ ...values, port: metrics }, 'port'),
    select: readChoice<'path' | 'prefix' | 'host' | 'header'>('select', values.select, [
      'path',
      'prefix',
      'host',
      'header',
    ]),
    language: values.language,
    foreign: readChoice('foreign', values.foreign, ['refuse', 'pass']),
    trusted: values.trust?.split(',') ?? [],
    timeout: readNumber(values, 'timeout') * 1000,
    longest: readNumber(values, 'max-time') * 1000,
    largestBody: readNumber(values, 'max-body'),
    largestAnswer: readNumber(values, 'max-answer'),
    connections: readNumber(values, 'max-connections'),
  });
  return 0;
}

const [command = '', ...args] = process.argv.slice(2);
try {
  process.exitCode = await run(command, args);
} catch (error) {
  const isKnown = error instanceof StartError || error instanceof VocabularyError;
  process.stderr.write(`${isKnown ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof VocabularyError ? 1 : 2;
}
