import { problemPageSuite } from './problem-pages.ts';
import type { Scenario } from './scenario.ts';
import { scenarioSuite } from './scenarios.ts';
import { foreignWordSuite, slipSuite } from './word-suites.ts';

/**
 * Everything that can be asked of a language without knowing it.
 *
 * @param some the scenarios to play in it; by default all
 */
export const languageSuite = (localesFolder: string, tag: string, some?: readonly Scenario[]): void => {
  scenarioSuite(localesFolder, tag, some);
  foreignWordSuite(localesFolder, tag);
  slipSuite(localesFolder, tag);
  problemPageSuite(localesFolder, tag);
};
