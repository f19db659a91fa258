import { parseArgs } from 'node:util';

const PROGRAMS = ['reads', 'writes', 'million', 'postgres', 'imports', 'workers', 'capacity'] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Options {
  readonly programs: readonly Program[];
  readonly rounds: number;
  /** Of a round. */
  readonly seconds: number;
  /** Cars in `reads`, `writes`, `postgres` and `workers`. */
  readonly cars: number;
  /** Cars in `million` and `imports`, and the most in `capacity`. */
  readonly many: number;
  /** Whether RESULTS.md is written. */
  readonly write: boolean;
}

const programs = (given: readonly string[]): readonly Program[] =>
  given.map((each) => {
    const found = PROGRAMS.find((one) => one === each);
    if (!found) throw new Error(`"${each}" is none of ${PROGRAMS.join(', ')}`);
    return found;
  });

const positive = (name: string, text: string): number => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a positive number`);
  return value;
};

/** @returns what the command line asks for, and the settings of a real run where it is silent */
export const readOptions = (args: readonly string[]): Options => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '2' },
      cars: { type: 'string', default: '20000' },
      many: { type: 'string', default: '1000000' },
      write: { type: 'boolean', default: false },
    },
  });
  return {
    programs: positionals.length > 0 ? programs(positionals) : PROGRAMS,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    cars: positive('cars', values.cars),
    many: positive('many', values.many),
    write: values.write,
  };
};
