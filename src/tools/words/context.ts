import type { WholeTable } from '../../gateway/locale/chain.ts';
import type { Findings } from '../../gateway/locale/check.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Config } from '../../host/settings/config.ts';
import type { Say } from '../commands/command-error.ts';
import type { Arguments } from '../commands/options.ts';

/** The argument of a subcommand of `words`. */
export interface Context extends Pick<Arguments, 'operands' | 'flags' | 'options'> {
  readonly say: Say;
  readonly print: (line: string) => void;
  readonly config: Config;
  readonly catalogue: Catalogue;
  readonly findings: Findings;
  /** The table of the language that the command line names, or all of them. */
  readonly chosenTables: readonly WholeTable[];
}
