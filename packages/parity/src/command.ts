/** The command line: options, what is printed, and the exit code. */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type Fetch, readJson } from './kit/dictionary.ts';
import { createJson, createJunit, createPage, createSarif, summarize } from './report.ts';
import { mergeResults, type Result, run } from './run.ts';
import { openCatalogue } from './trees/catalogue.ts';
import { proposeTable } from './trees/pairing.ts';
import { NotComparable, Trees, type TreesOptions, type Trial } from './trees/trees.ts';
import { Writer } from './trees/writes.ts';

const HELP = `vocabulary-parity URL_A URL_B --document A.json --table es.json [options]
vocabulary-parity URL_A URL_B --document A.json --document B.json [options]
vocabulary-parity URL [options]                       a catalogue that publishes its words

Asks two trees of an API hundreds of things, each in the words of both, and says where they answer otherwise.
The paths of A.json are below URL_A, those of B.json, or of A.json in the words of the table, below URL_B.
It only reads, unless you say --write.

  --document FILE     an OpenAPI document (JSON), or its address; without a table two of them, which are paired
  --table FILE        words for the names of the document, as the package “vocabularies” has them
  --yes               accepts the pairing that is proposed of two documents
  --save-table FILE   writes the table that is proposed
  --language TAG      of the second tree's sentences; by default the name of the table's file
  --languages en,es   of a catalogue: only these; by default every language
  --header 'N: V'     sent with each request; may be repeated
  --key KEY           sent as a bearer token; by default that of PARITY_KEY
  --seed N            the same cases again; by default another number each time, which is printed
  --cases N           how many; by default 1000
  --time N            seconds after which no case is begun; by default 50
  --rate N            the most requests a second
  --write             also creates, changes and deletes items; of a catalogue not where there are web hooks
  --clean             removes what a run with --write has left in a catalogue, and does nothing else
  --junit, --sarif, --json, --html FILE   the results for a CI server, for code scanning, for programs, for people
  --save FILE         writes the cases that differ
  --replay FILE       asks only the cases of such a file

Exit code: 0 they say the same, 1 they differ, 2 too little could be compared.`;

const CASES = 1000;
/** Seconds. */
const TIME = 50;

const TEXTS = ['table', 'save-table', 'language', 'languages', 'key', 'seed', 'cases', 'time', 'rate'] as const;
const FILES = ['junit', 'sarif', 'json', 'html', 'save', 'replay'] as const;
const FLAGS = ['yes', 'write', 'clean', 'help'] as const;
const LISTS = ['document', 'header'] as const;

function declare<N extends string, O>(names: readonly N[], option: O) {
  return Object.fromEntries(names.map((name) => [name, option])) as Record<N, O>;
}

const options = {
  ...declare([...TEXTS, ...FILES], { type: 'string' } as const),
  ...declare(FLAGS, { type: 'boolean' } as const),
  ...declare(LISTS, { type: 'string', multiple: true } as const),
};

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options });
}

type Values = ReturnType<typeof readArguments>['values'];

/** What the command has of a terminal. */
export interface Terminal {
  /** Called with each text for people. */
  readonly print: (text: string) => void;
  /** Asks somebody, who answers yes or no; absent if nobody is there. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** Shows how far it is; absent if nobody looks. */
  readonly showProgress?: ((text: string) => void) | undefined;
}

/** @returns the terminal of this process */
export function openTerminal(): Terminal {
  const { stdin, stderr } = process;
  const confirm = async (question: string): Promise<boolean> => {
    const lines = createInterface({ input: stdin, output: stderr });
    const answer = await lines.question(`${question} [y/N] `);
    lines.close();
    return /^(?:y|yes|s|sí|si)$/i.test(answer.trim());
  };
  return {
    print: console.log,
    confirm: stdin.isTTY && stderr.isTTY ? confirm : undefined,
    showProgress: stderr.isTTY ? (text) => stderr.write(`\r\u001b[2K${text}`) : undefined,
  };
}

function readWholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new NotComparable(`--${name} must be a whole number from 1`);
  return value;
}

function readHeaders({ header = [], key = process.env.PARITY_KEY }: Values): Record<string, string> {
  const headers = header.map((line) => {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === '') throw new NotComparable(`--header “${line}” is not like 'Name: value'`);
    return [name, value] as const;
  });
  return { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...Object.fromEntries(headers) };
}

/** @returns the JSON of a file or of an address @throws NotComparable if there is none */
async function readDocument(place: string, get: Fetch): Promise<unknown> {
  try {
    return /^https?:/i.test(place) ? await readJson(place, get) : JSON.parse(readFileSync(place, 'utf8'));
  } catch (error) {
    throw new NotComparable(`${place} cannot be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function agreeOnTable(documents: readonly unknown[], values: Values, terminal: Terminal): Promise<unknown> {
  const table = JSON.stringify(proposeTable(documents[0], documents[1]).table, null, 2);
  terminal.print(`These are taken for translations of each other:\n${table}`);
  if (values['save-table'] !== undefined) writeFileSync(values['save-table'], `${table}\n`);
  const isRight = values.yes === true || ((await terminal.confirm?.('Is that right?')) ?? false);
  if (!isRight)
    throw new NotComparable(
      'nobody has said that this is right: --yes accepts it, --save-table writes it, so that you can mend it and give it as --table',
    );
  return JSON.parse(table);
}

/** How every request is sent. */
type Access = Pick<TreesOptions, 'headers' | 'rate' | 'get'>;

async function openTrees(bases: readonly [string, string], values: Values, terminal: Terminal, access: Access) {
  const { document: [place, other, ...more] = [], table: tableFile } = values;
  if (place === undefined || more.length > 0)
    throw new NotComparable('give --document of URL_A, and --table or the --document of URL_B');
  if (tableFile === undefined && other === undefined) throw new NotComparable('give --table, or a second --document');
  const get: Fetch = (url, init) => (access.get ?? fetch)(url, { ...init, headers: { ...access.headers } });
  const document = await readDocument(place, get);
  const otherDocument = other === undefined ? undefined : await readDocument(other, get);
  const table =
    tableFile === undefined
      ? await agreeOnTable([document, otherDocument], values, terminal)
      : await readDocument(tableFile, get);
  const language = values.language ?? /(?:^|[._-])([a-z]{2,3})\.json$/i.exec(basename(tableFile ?? other ?? ''))?.[1];
  return Trees.open({ bases, document, table, language, otherDocument, ...access });
}

async function openLanguages(url: string, values: Values, access: Access): Promise<readonly Trees[]> {
  const { origin } = new URL(url);
  const { hooks, subjects } = await openCatalogue({ origin, languages: values.languages?.split(','), ...access });
  if (values.write && hooks)
    throw new NotComparable(
      `--write is refused: there are web hooks (${hooks}), which would be told of what it writes`,
    );
  return subjects;
}

async function compare(all: readonly Trees[], values: Values, { print, showProgress }: Terminal): Promise<Result> {
  const seed = readWholeNumber('seed', values.seed) ?? randomInt(1, 2 ** 31);
  print(`seed ${seed}`);
  const replayed =
    values.replay === undefined ? undefined : (JSON.parse(readFileSync(values.replay, 'utf8')) as Trial[]);
  const cases = Math.ceil((readWholeNumber('cases', values.cases) ?? CASES) / all.length);
  const time = (1000 * (readWholeNumber('time', values.time) ?? TIME)) / all.length;
  const results: Result[] = [];
  for (const trees of all) {
    const onProgress = (done: number, findings: number): void =>
      showProgress?.(`${trees.tags.join(' and ')}: ${done} cases, ${findings} findings`);
    results.push(await run(trees, { seed, cases, time, writes: values.write === true, onProgress, replayed }));
    showProgress?.('');
  }
  return mergeResults(results);
}

function writeReports(result: Result, values: Values): void {
  const write = (file: string | undefined, text: string): void => {
    if (file !== undefined) writeFileSync(file, text);
  };
  write(values.junit, createJunit(result));
  write(values.sarif, createSarif(result));
  write(values.json, createJson(result));
  write(values.html, createPage(result));
  const trials = result.findings.map(({ trial }) => trial);
  write(values.save, `${JSON.stringify(trials, null, 1)}\n`);
}

async function start(args: readonly string[], terminal: Terminal, get: Fetch): Promise<number> {
  const { values, positionals } = readArguments(args);
  const [url = '', other, ...more] = positionals;
  if (values.help) {
    terminal.print(HELP);
    return 0;
  }
  const areUrls = [url, other ?? url].every((address) => /^https?:/i.test(address) && URL.canParse(address));
  if (more.length > 0 || !areUrls) throw new NotComparable('give one URL, or two; --help explains the options');
  const access = { headers: readHeaders(values), rate: readWholeNumber('rate', values.rate), get };
  const all =
    other === undefined
      ? await openLanguages(url, values, access)
      : [await openTrees([url, other], values, terminal, access)];
  if (values.clean) {
    terminal.print(`${all[0] ? await new Writer(all[0]).clean() : 0} items removed`);
    return 0;
  }
  const result = await compare(all, values, terminal);
  terminal.print(summarize(result));
  writeReports(result, values);
  if (result.findings.length > 0 || result.documents.length > 0) return 1;
  return result.tooLittle === undefined ? 0 : 2;
}

/** Characters that command a terminal, or turn the direction of a text round. */
const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** @returns a text whose control characters are visible: services say what they want */
function escapeControls(text: string): string {
  return text.replaceAll(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
  const print = (text: string): void => own.print(escapeControls(text));
  try {
    return await start(args, { ...own, print }, get);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // `fetch` has what went wrong in its cause.
    print([error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])].join(': '));
    return 2;
  }
}
