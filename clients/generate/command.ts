/** The command line: options, what is printed, and the exit code. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Fetch } from '../../kit/src/dictionary.ts';
import { readDeployments } from './deployment.ts';
import { type Made, makePackage, writePackage } from './package.ts';
import { clientWords, englishWords, readWords } from './words.ts';

const HELP = `npm run clients -- URL [options]

Makes a client of a running service for each of its languages, as a package without dependencies.

  --languages en,es   only these; by default every language
  --out FOLDER        where, in a folder for each language; by default clients
  --name NAME         how the packages are called, before their language; by default catalogue-client
  --words FILE        words of methods and types for one language; clients/words/en.json has all of them
  --key KEY           an API key

Exit code: 0 they are written, 2 they are not.`;

const options = {
  languages: { type: 'string' },
  out: { type: 'string' },
  name: { type: 'string' },
  words: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const NAME = 'catalogue-client';
const own = fileURLToPath(new URL('..', import.meta.url));

const withKey = (get: Fetch, key: string | undefined): Fetch =>
  key === undefined
    ? get
    : (url, init) => get(url, { ...init, headers: { ...init?.headers, Authorization: `Bearer ${key}` } });

interface Client {
  readonly tag: string;
  readonly folder: string;
  readonly name: string;
  readonly made: Made;
  readonly hasWords: boolean;
}

const make = async (args: readonly string[], print: (text: string) => void, get: Fetch): Promise<number> => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [url, ...more] = positionals;
  if (values.help) {
    print(HELP);
    return 0;
  }
  if (url === undefined || more.length > 0 || !URL.canParse(url))
    throw new Error('give one URL; --help explains the options');
  const { origin } = new URL(url);
  const deployments = await readDeployments(origin, values.languages?.split(','), withKey(get, values.key));
  if (values.words !== undefined && deployments.length > 1) throw new Error('--words is for one of the --languages');
  const all: Client[] = [];
  for (const deployment of deployments) {
    const { tag } = deployment.dictionary;
    const words = values.words === undefined ? clientWords(tag) : readWords(values.words);
    const name = `${values.name ?? NAME}-${tag.toLowerCase()}`;
    const folder = join(values.out ?? own, tag);
    all.push({
      tag,
      folder,
      name,
      made: await makePackage(deployment, words ?? englishWords, name, folder),
      hasWords: words !== undefined,
    });
  }
  // All or none.
  for (const { tag, folder, name, made, hasWords } of all) {
    writePackage(folder, made);
    print(`${name} ${made.version}: ${folder}`);
    if (!hasWords)
      print(`  clients/words has no ${tag}.json: methods and types have English words; --words FILE gives others`);
    for (const each of made.breaking) print(`  ${each}`);
  }
  return 0;
};

/**
 * @param args without the program's name
 * @param print called with each text for people
 * @param get what asks; by default `fetch`
 * @returns the exit code; whatever keeps it from making clients is printed, too
 */
export const command = async (
  args: readonly string[],
  print: (text: string) => void,
  get: Fetch = fetch,
): Promise<number> => {
  try {
    return await make(args, print, get);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // `fetch` has what went wrong in its cause, the compiler in what it printed.
    const more = [
      error.cause instanceof Error ? error.cause.message : '',
      'stdout' in error ? String(error.stdout) : '',
    ];
    print([error.message, ...more.filter((each) => each !== '')].join(': '));
    return 2;
  }
};
