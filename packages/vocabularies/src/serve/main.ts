#!/usr/bin/env node
/** The commands `serve`, `check` and `propose`. */
import { BlockList, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import { VocabularyError } from '../document.ts';
import type { Options } from '../translator.ts';
import { check } from './check.ts';
import { loadDocument, loadTables, StartError } from './load.ts';
import { propose } from './propose.ts';
import type { ServeOptions } from './serve.ts';
import { HELP, readTerminalLanguage } from './texts.ts';

const COMMON = { document: { type: 'string' }, 'allow-refs': { type: 'string' }, help: { type: 'boolean' } } as const;
const TABLES = { tables: { type: 'string' }, select: { type: 'string', default: 'path' } } as const;
const SELECTS = ['path', 'prefix', 'host', 'header'] as const;
const JSON_OUTPUT = { json: { type: 'boolean' } } as const;
const SERVE = {
  api: { type: 'string' },
  port: { type: 'string', default: '3000' },
  host: { type: 'string', default: '127.0.0.1' },
  'metrics-port': { type: 'string' },
  language: { type: 'string' },
  foreign: { type: 'string', default: 'refuse' },
  trust: { type: 'string' },
  timeout: { type: 'string', default: '30' },
  'max-time': { type: 'string', default: '900' },
  'max-body': { type: 'string', default: '104857600' },
  'max-answer': { type: 'string', default: '1073741824' },
  'max-connections': { type: 'string', default: '1024' },
} as const;
const OPTIONS = { ...COMMON, ...TABLES, ...JSON_OUTPUT, ...SERVE };
const COMMANDS: Readonly<Record<string, object>> = {
  serve: { ...COMMON, ...TABLES, ...SERVE },
  check: { ...COMMON, ...TABLES, ...JSON_OUTPUT },
  propose: { ...COMMON, ...JSON_OUTPUT },
};

function readOptions(command: string, args: string[]) {
  try {
    return parseArgs({ args, options: COMMANDS[command] as typeof OPTIONS }).values;
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

type Values = ReturnType<typeof readOptions>;

function readRequired(values: Values, name: 'document' | 'tables' | 'api'): string {
  const value = values[name];
  if (value === undefined) throw new StartError(`--${name} is missing; --help lists the options`);
  return value;
}

function readNumber(name: string, text: string, least = 1, most = 2 ** 31 - 1): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new StartError(`--${name} must be a whole number from ${least} to ${most}`);
}

function readChoice<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((text) => text === value);
  if (choice === undefined) throw new StartError(`--${name} must be one of ${choices.join(', ')}`);
  return choice;
}

function readApi(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new StartError('--api must be an origin such as http://127.0.0.1:8080; paths stand in the document');
}

function readTrusted(text: string | undefined): BlockList {
  const list = new BlockList();
  for (const part of text?.split(',') ?? []) {
    const [address = '', prefix] = part.trim().split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    try {
      if (prefix === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(prefix), family);
    } catch {
      throw new StartError(`--trust: "${part}" is neither an address nor a network`);
    }
  }
  return list;
}

function readServeOptions(values: Values, translation: Options): ServeOptions {
  const { language, 'metrics-port': metrics } = values;
  const api = readApi(readRequired(values, 'api'));
  return {
    translation: {
      ...translation,
      api: api.origin,
      foreign: readChoice('foreign', values.foreign, ['refuse', 'pass']),
      ...(language === undefined ? {} : { language }),
    },
    api,
    port: readNumber('port', values.port, 0, 65_535),
    host: values.host,
    metricsPort: metrics === undefined ? undefined : readNumber('metrics-port', metrics, 0, 65_535),
    trusted: readTrusted(values.trust),
    timeout: readNumber('timeout', values.timeout, 1, 86_400) * 1000,
    longest: readNumber('max-time', values['max-time'], 1, 86_400) * 1000,
    largestBody: readNumber('max-body', values['max-body'], 1, 2 ** 40),
    largestAnswer: readNumber('max-answer', values['max-answer'], 1, 2 ** 40),
    connections: readNumber('max-connections', values['max-connections']),
  };
}

async function run(command: string, args: string[]): Promise<number> {
  const language = readTerminalLanguage(process.env);
  const isHelp = [command, ...args].some((word) => word === '--help' || word === '-h');
  if (isHelp || COMMANDS[command] === undefined) {
    if (isHelp) process.stdout.write(HELP[language]);
    else process.stderr.write(`"${command}" is no command\n${HELP[language]}`);
    return isHelp ? 0 : 2;
  }
  const values = readOptions(command, args);
  const output = { json: values.json === true, language };
  const document = await loadDocument(readRequired(values, 'document'), values['allow-refs']);
  if (command === 'propose') return propose(document, output);
  const select = readChoice('select', values.select, SELECTS);
  const options = { document, tables: await loadTables(readRequired(values, 'tables')), select };
  if (command === 'check') return check(options, output);
  const { serve } = await import('./serve.ts');
  await serve(readServeOptions(values, options));
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
