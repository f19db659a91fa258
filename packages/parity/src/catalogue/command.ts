/** The command line: options, what is printed, and the exit code. */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Fetch } from '../kit/dictionary.ts';
import { junit, summary } from './report.ts';
import { type Replayed, type Result, run } from './run.ts';
import { NotComparable, openService, type Service } from './service.ts';
import { clean } from './write.ts';

const HELP = `npm run parity -- URL [options]

Asks a running service hundreds of things in two of its languages each, and says where they answer otherwise.

  --languages en,es   only these; by default every language
  --key KEY           an API key; by default that of PARITY_KEY
  --seed N            the same cases again; by default another number each time, which is printed
  --cases N           how many; by default 400
  --rate N            the most requests a second
  --write             also creates, changes and deletes items, whose keys begin with “parity-”; not where there are web hooks
  --clean             removes what a run with --write has left, and does nothing else
  --junit FILE        writes the results for a CI server
  --save FILE         writes the cases that differ
  --replay FILE       asks only the cases of such a file

Exit code: 0 they say the same, 1 they differ, 2 too little could be compared.`;

/** Milliseconds. */
const TIME = 50_000;
const CASES = 400;

const options = {
  languages: { type: 'string' },
  key: { type: 'string' },
  seed: { type: 'string' },
  cases: { type: 'string' },
  rate: { type: 'string' },
  write: { type: 'boolean' },
  clean: { type: 'boolean' },
  junit: { type: 'string' },
  save: { type: 'string' },
  replay: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const read = (args: readonly string[]) => parseArgs({ args: [...args], allowPositionals: true, options });

type Values = ReturnType<typeof read>['values'];

const wholeNumber = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new NotComparable(`--${name} must be a whole number from 1`);
  return value;
};

const compare = async (service: Service, values: Values, print: (text: string) => void): Promise<Result> => {
  if (values.write && service.hooks)
    throw new NotComparable(
      `--write is refused: there are web hooks (${service.hooks}), which would be told of what it writes`,
    );
  const seed = wholeNumber('seed', values.seed) ?? randomInt(1, 2 ** 31);
  print(`seed ${seed}`);
  const replayed =
    values.replay === undefined
      ? {}
      : { replayed: JSON.parse(readFileSync(values.replay, 'utf8')) as readonly Replayed[] };
  const cases = wholeNumber('cases', values.cases) ?? CASES;
  try {
    return await run(service, { seed, cases, time: TIME, writes: values.write === true, ...replayed });
  } finally {
    if (values.write) await clean(service);
  }
};

const checked = async (args: readonly string[], print: (text: string) => void, get: Fetch): Promise<number> => {
  const { values, positionals } = read(args);
  const [url, ...more] = positionals;
  if (values.help) {
    print(HELP);
    return 0;
  }
  if (url === undefined || more.length > 0 || !/^https?:/i.test(url) || !URL.canParse(url))
    throw new NotComparable('give one URL; --help explains the options');
  const key = values.key ?? process.env.PARITY_KEY;
  const { origin } = new URL(url);
  const service = await openService({
    origin,
    languages: values.languages?.split(','),
    key,
    rate: wholeNumber('rate', values.rate),
    get,
  });
  if (values.clean) {
    print(`${await clean(service)} items removed`);
    return 0;
  }
  const result = await compare(service, values, print);
  print(summary(service, result));
  if (values.junit !== undefined) writeFileSync(values.junit, junit(service, result));
  const different = result.findings.map(({ trial: { asked, one, other } }) => ({
    asked,
    one: one.tag,
    other: other.tag,
  }));
  if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify(different, null, 1)}\n`);
  if (result.findings.length > 0 || result.documents.length > 0) return 1;
  return result.tooLittle === undefined ? 0 : 2;
};

/** Characters that command a terminal, or turn the direction of a text round. */
const CONTROLS = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** @returns a text whose control characters are visible: services say what they want */
const escapeControls = (text: string): string =>
  text.replaceAll(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * @param args without the program's name
 * @param print called with each text for people
 * @param get what asks; by default `fetch`
 * @returns the exit code; whatever keeps it from comparing is printed, too
 */
export const command = async (
  args: readonly string[],
  print: (text: string) => void,
  get: Fetch = fetch,
): Promise<number> => {
  const printText = (text: string): void => print(escapeControls(text));
  try {
    return await checked(args, printText, get);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // `fetch` has what went wrong in its cause.
    printText([error.message, ...(error.cause instanceof Error ? [error.cause.message] : [])].join(': '));
    return 2;
  }
};
