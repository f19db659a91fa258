import { problemPageSuite } from './problem-pages.ts';
import { scenarioSuite } from './scenarios.ts';
import { foreignWordSuite, slipSuite } from './word-suites.ts';

/** Everything that can be asked of a language without knowing it. */
export const languageSuite = (localesFolder: string, tag: string): void => {
  scenarioSuite(localesFolder, tag);
  foreignWordSuite(localesFolder, tag);
  slipSuite(localesFolder, tag);
  problemPageSuite(localesFolder, tag);
};
