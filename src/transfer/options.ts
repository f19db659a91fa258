import { parseArgs } from 'node:util';
import { ConfigError, databaseUrl } from '../config.ts';

export interface Options {
  readonly from: string;
  readonly to: string;
  readonly replace: boolean;
}

export const USAGE = `npm run transfer -- --from <url> --to <url> [--replace]

Copies a whole catalogue from one database to another: sqlite:<path> or postgres://<user>:<password>@<host>:<port>/<database>.
Stop the services that use either. What was interrupted goes on when it is run again.

  --from     the database to read; it stays as it is
  --to       the database to fill, created where it is a file; it must be empty
  --replace  the target's own catalogue, if it has one, is given up
`;

const HELP = 'npm run transfer -- --help tells what there is';

const isName = (name: string): name is keyof Options => name === 'from' || name === 'to' || name === 'replace';

/** No value is told: an address may hold a password. */
const checkUrl = (option: string, url: string | undefined): readonly string[] => {
  if (url === undefined) return [`--${option}: is missing`];
  if (/^sqlite:(?:\/\/)?:memory:$/.test(url)) return [`--${option}: must be a database that lasts, not in memory`];
  const checked = databaseUrl.safeParse(url);
  return checked.success ? [] : [`--${option}: must be "sqlite:<path>" or "postgres://…"`];
};

/**
 * @param args what follows the program on its command line
 * @returns the options, or `undefined` where help is asked for
 * @throws ConfigError with a line for each that is at fault
 */
export const readOptions = (args: readonly string[]): Options | undefined => {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      replace: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    strict: false,
    tokens: true,
  });
  const options = tokens.filter((token) => token.kind === 'option');
  if (options.some(({ name }) => name === 'help')) return undefined;
  const given = new Map(options.map(({ name, value }) => [name, value]));
  const faults = [
    ...options.filter(({ name }) => !isName(name)).map(({ rawName }) => `${rawName}: is not an option`),
    ...(tokens.some(({ kind }) => kind === 'positional') ? ['an argument stands without its option'] : []),
    ...[...given.keys()]
      .filter((name) => options.filter((option) => option.name === name).length > 1)
      .map((name) => `--${name}: is given more than once`),
    ...(given.get('replace') === undefined ? [] : ['--replace: takes no value']),
    ...checkUrl('from', given.get('from')),
    ...checkUrl('to', given.get('to')),
  ];
  if (faults.length > 0) throw new ConfigError([...faults, HELP]);
  return { from: given.get('from') ?? '', to: given.get('to') ?? '', replace: given.has('replace') };
};
