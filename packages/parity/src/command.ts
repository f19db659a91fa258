/** The command line: options, what is printed, and the exit code. */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { escapeControls } from '../../vocabularies/src/serve/texts.ts';
import { type Fetch, readJson } from './kit/dictionary.ts';
import { REPORTS, summarize } from './report.ts';
import { mergeResults, type Result, run } from './run.ts';
import { NotComparable, readTexts, type Say } from './texts.ts';
import { openCatalogue } from './trees/catalogue.ts';
import { proposeTable } from './trees/pairing.ts';
import { Trees, type TreesOptions, type Trial } from './trees/trees.ts';
import { Writer } from './trees/writes.ts';

const CASES = 1000;
/** Seconds. */
const TIME = 50;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const list = { type: 'string', multiple: true } as const;
const options = {
  ...{ document: list, table: text, yes: flag, 'save-table': text, language: text, languages: text, header: list },
  ...{ key: text, seed: text, cases: text, time: text, rate: text, write: flag, clean: flag, help: flag },
  ...{ junit: text, sarif: text, json: text, html: text, save: text, replay: text },
};

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options });
}

type Values = ReturnType<typeof readArguments>['values'];

/** What the command has of a terminal. */
export interface Terminal {
  /** Called with each text for people. */
  readonly print: (text: string) => void;
  /** As `LANG` has it; by default English. */
  readonly language?: string | undefined;
  /** Asks somebody, who answers yes or no; absent if nobody is there. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** Shows how far it is; absent if nobody looks. */
  readonly showProgress?: ((text: string) => void) | undefined;
}

/** A terminal, and what puts texts into its language. */
interface Output extends Terminal {
  readonly say: Say;
}

/** @returns the terminal of this process */
export function openTerminal(): Terminal {
  const { stdin, stderr, env } = process;
  const confirm = async (question: string): Promise<boolean> => {
    const lines = createInterface({ input: stdin, output: stderr });
    const answer = await lines.question(`${question} [y/N] `);
    lines.close();
    return /^(?:y|yes|s|sí|si)$/i.test(answer.trim());
  };
  return {
    print: console.log,
    language: env.LC_ALL || env.LC_MESSAGES || env.LANG,
    confirm: stdin.isTTY && stderr.isTTY ? confirm : undefined,
    showProgress: stderr.isTTY ? (line) => stderr.write(`\r\u001b[2K${line}`) : undefined,
  };
}

function readWholeNumber(values: Values, name: 'seed' | 'cases' | 'time' | 'rate'): number | undefined {
  if (values[name] === undefined) return undefined;
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 1) throw new NotComparable('whole-number', { name });
  return value;
}

function readHeaders({ header = [], key = process.env.PARITY_KEY }: Values): Record<string, string> {
  const headers = header.map((line) => {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === '') throw new NotComparable('header', { line });
    return [name, value] as const;
  });
  return { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...Object.fromEntries(headers) };
}

/** @returns the JSON of a file or of an address @throws NotComparable if there is none */
async function readDocument(place: string, get: Fetch): Promise<unknown> {
  try {
    return /^https?:/i.test(place) ? await readJson(place, get) : JSON.parse(readFileSync(place, 'utf8'));
  } catch (error) {
    throw new NotComparable('not-json', { place, reason: error instanceof Error ? error.message : `${error}` });
  }
}

async function agreeOnTable(one: unknown, other: unknown, values: Values, terminal: Output): Promise<unknown> {
  const { table } = proposeTable(one, other);
  const written = JSON.stringify(table, null, 2);
  terminal.print(terminal.say('proposal', { table: written }));
  if (values['save-table'] !== undefined) writeFileSync(values['save-table'], `${written}\n`);
  if (values.yes || (await terminal.confirm?.(terminal.say('question')))) return table;
  throw new NotComparable('not-accepted');
}

/** How every request is sent. */
type Access = Pick<TreesOptions, 'headers' | 'rate' | 'get'>;

async function openTrees(bases: readonly [string, string], values: Values, terminal: Output, access: Access) {
  const { document: [place, other, ...more] = [], table: tableFile } = values;
  if (place === undefined || more.length > 0) throw new NotComparable('documents');
  if (tableFile === undefined && other === undefined) throw new NotComparable('table');
  const get: Fetch = (url, init) => (access.get ?? fetch)(url, { ...init, headers: { ...access.headers } });
  const document = await readDocument(place, get);
  const otherDocument = other === undefined ? undefined : await readDocument(other, get);
  const table =
    tableFile === undefined
      ? await agreeOnTable(document, otherDocument, values, terminal)
      : await readDocument(tableFile, get);
  const language = values.language ?? /(?:^|[._-])([a-z]{2,3})\.json$/i.exec(basename(tableFile ?? other ?? ''))?.[1];
  return Trees.open({ bases, document, table, language, otherDocument, ...access });
}

async function openLanguages(url: string, values: Values, access: Access): Promise<readonly Trees[]> {
  const { origin } = new URL(url);
  const { hooks, subjects } = await openCatalogue({ origin, languages: values.languages?.split(','), ...access });
  if (values.write && hooks) throw new NotComparable('hooks', { hooks });
  return subjects;
}

async function compare(all: readonly Trees[], values: Values, { print, say, showProgress }: Output): Promise<Result> {
  const seed = readWholeNumber(values, 'seed') ?? randomInt(1, 2 ** 31);
  print(say('seed', { seed }));
  const replayed =
    values.replay === undefined ? undefined : (JSON.parse(readFileSync(values.replay, 'utf8')) as Trial[]);
  const cases = Math.ceil((readWholeNumber(values, 'cases') ?? CASES) / all.length);
  const time = (1000 * (readWholeNumber(values, 'time') ?? TIME)) / all.length;
  const results: Result[] = [];
  for (const trees of all) {
    const onProgress = (done: number, findings: number): void =>
      showProgress?.(say('progress', { trees: trees.tags.join(', '), cases: done, findings }));
    results.push(await run(trees, { seed, cases, time, writes: values.write === true, onProgress, replayed }));
    showProgress?.('');
  }
  return mergeResults(results);
}

async function start(args: readonly string[], help: string, terminal: Output, get: Fetch): Promise<number> {
  const { values, positionals } = readArguments(args);
  const { print, say } = terminal;
  if (values.help) {
    print(help);
    return 0;
  }
  const [url = '', other, ...more] = positionals;
  const areUrls = [url, other ?? url].every((address) => /^https?:/i.test(address) && URL.canParse(address));
  if (more.length > 0 || !areUrls) throw new NotComparable('urls');
  const access = { headers: readHeaders(values), rate: readWholeNumber(values, 'rate'), get };
  const all =
    other === undefined
      ? await openLanguages(url, values, access)
      : [await openTrees([url, other], values, terminal, access)];
  if (values.clean) {
    print(say('removed', { count: all[0] ? await new Writer(all[0]).clean() : 0 }));
    return 0;
  }
  const result = await compare(all, values, terminal);
  print(summarize(result, say));
  for (const [name, create] of REPORTS)
    if (values[name] !== undefined) writeFileSync(values[name], create(result, say));
  if (result.findings.length > 0 || result.documents.length > 0) return 1;
  return result.tooLittle === undefined ? 0 : 2;
}

/**
 * @param args without the program's name
 * @param terminal what prints, or a whole terminal
 * @param get what asks; by default `fetch`
 * @returns the exit code; whatever keeps it from comparing is printed, too
 */
export async function command(
  args: readonly string[],
  terminal: Terminal | Terminal['print'],
  get: Fetch = fetch,
): Promise<number> {
  const own = typeof terminal === 'function' ? { print: terminal } : terminal;
  const { help, say } = readTexts(own.language);
  // Services say what they want, which could command a terminal.
  const print = (line: string): void => own.print(escapeControls(line));
  try {
    return await start(args, help, { ...own, print, say }, get);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof NotComparable ? say(error.text, error.values) : error.message;
    // `fetch` has what went wrong in its cause.
    print([reason, ...(error.cause instanceof Error ? [error.cause.message] : [])].join(': '));
    return 2;
  }
}
