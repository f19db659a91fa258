import { parseArgs } from 'node:util';
import type { Scenario } from './peers.ts';

/** What a run may be told. */
export interface Options {
  readonly programs: readonly string[];
  readonly rounds: number;
  /** Of a round. */
  readonly seconds: number;
  /** Scenarios of `http` and `postgres`. */
  readonly only: readonly Scenario[];
  /** Records in `http`, `languages` and the duels of `postgres`. */
  readonly cars: number;
  /** Records in `million` and the growth of `postgres`. */
  readonly many: number;
  readonly write: boolean;
}

const PROGRAMS = ['http', 'languages', 'million', 'postgres'] as const;
const SCENARIOS = ['item', 'list', 'post'] as const;

const among = <T extends string>(known: readonly T[], given: readonly string[]): readonly T[] =>
  given.map((each) => {
    const found = known.find((one) => one === each);
    if (!found) throw new Error(`"${each}" is none of ${known.join(', ')}`);
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
      seconds: { type: 'string', default: '3' },
      only: { type: 'string', default: SCENARIOS.join() },
      cars: { type: 'string', default: '10000' },
      many: { type: 'string', default: '1000000' },
      write: { type: 'boolean', default: false },
    },
  });
  return {
    programs: among(PROGRAMS, positionals.length > 0 ? positionals : PROGRAMS),
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    only: among(SCENARIOS, values.only.split(',')),
    cars: positive('cars', values.cars),
    many: positive('many', values.many),
    write: values.write,
  };
};
