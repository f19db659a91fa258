/** The options of the commands. */
import { BlockList, isIPv6 } from 'node:net';
import { parseArgs } from 'node:util';
import type { Options } from '../translator.ts';
import { StartError } from './texts.ts';

const COMMON = { document: { type: 'string' }, 'allow-refs': { type: 'string' } } as const;
const TABLES = { tables: { type: 'string' }, select: { type: 'string', default: 'path' } } as const;
const JSON_OUTPUT = { json: { type: 'boolean', default: false } } as const;
const SERVE = {
  api: { type: 'string' },
  port: { type: 'string', default: '3000' },
  host: { type: 'string', default: '127.0.0.1' },
  'metrics-port': { type: 'string' },
  language: { type: 'string' },
  foreign: { type: 'string', default: 'refuse' },
  signatures: { type: 'string' },
  trust: { type: 'string' },
  timeout: { type: 'string', default: '30' },
  'max-time': { type: 'string', default: '900' },
  'max-body': { type: 'string', default: '104857600' },
  'max-answer': { type: 'string', default: '1073741824' },
  'max-connections': { type: 'string', default: '1024' },
} as const;
const OPTIONS = { ...COMMON, ...TABLES, ...JSON_OUTPUT, ...SERVE };
export const COMMANDS: Readonly<Record<string, object>> = {
  serve: { ...COMMON, ...TABLES, ...SERVE },
  check: { ...COMMON, ...TABLES, ...JSON_OUTPUT },
  propose: { ...COMMON, ...JSON_OUTPUT },
};

export function readOptions(command: string, args: string[]) {
  return parseArgs({ args, options: COMMANDS[command] as typeof OPTIONS }).values;
}

type Values = ReturnType<typeof readOptions>;

export function readRequired(values: Values, option: 'document' | 'tables' | 'api'): string {
  const value = values[option];
  if (value === undefined) throw new StartError('missing', { option });
  return value;
}

function readNumber<T extends keyof Values>(values: Values, option: T, least: number, most: number): number {
  const [text, number] = [String(values[option]), Number(values[option])];
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new StartError('number', { option, least, most });
}

export function readChoice<T extends string>(values: Values, option: 'select' | 'foreign', choices: readonly T[]): T {
  const choice = choices.find((text) => text === values[option]);
  if (choice === undefined) throw new StartError('choice', { option, choices: choices.join(', ') });
  return choice;
}

function readApi(values: Values): URL {
  const url = URL.parse(readRequired(values, 'api'));
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new StartError('api');
}

function readTrusted(text: string | undefined): BlockList {
  const list = new BlockList();
  for (const part of text?.split(',') ?? []) {
    const [address = '', prefix] = part.trim().split('/');
    const isLong = isIPv6(address);
    try {
      const bits = prefix === undefined ? (isLong ? 128 : 32) : Number(prefix || Number.NaN);
      list.addSubnet(address, bits, isLong ? 'ipv6' : 'ipv4');
    } catch {
      throw new StartError('trust', { part });
    }
  }
  return list;
}

/** How a process stands before an API; times are in milliseconds. */
export type ServeOptions = ReturnType<typeof readServeOptions>;

export function readServeOptions(values: Values, translation: Options) {
  const { host, language, signatures, trust, 'metrics-port': metricsPort } = values;
  const api = readApi(values);
  const foreign = readChoice(values, 'foreign', ['refuse', 'pass']);
  return {
    translation: {
      ...translation,
      api: api.origin,
      foreign,
      signatures: signatures?.split(/[\s,]+/) ?? [],
      ...(language === undefined ? {} : { language }),
    },
    api,
    host,
    port: readNumber(values, 'port', 0, 65_535),
    metricsPort: metricsPort === undefined ? undefined : readNumber(values, 'metrics-port', 0, 65_535),
    trusted: readTrusted(trust),
    /** The longest silence of the API or a client. */
    timeout: readNumber(values, 'timeout', 1, 86_400) * 1000,
    /** The longest time from a request to the end of its answer. */
    longest: readNumber(values, 'max-time', 1, 86_400) * 1000,
    largestBody: readNumber(values, 'max-body', 1, 2 ** 40),
    largestAnswer: readNumber(values, 'max-answer', 1, 2 ** 40),
    connections: readNumber(values, 'max-connections', 1, 2 ** 31 - 1),
  };
}
