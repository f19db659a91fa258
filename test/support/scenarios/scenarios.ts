import { describe, test } from 'vitest';
import { onServer } from '../database/database.ts';
import { tagsIn } from '../language/translate.ts';
import { checkAlternates, checkPages } from './alternates.ts';
import { checkAnswer } from './check.ts';
import { contextOf, type Exchange, play, type ScenarioContext } from './context.ts';
import { itemScenarios } from './items.ts';
import { listScenarios } from './lists.ts';
import { checkMirrors, checkPatches, checkTwins } from './mirror.ts';
import { refusalScenarios } from './refusals.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [...itemScenarios, ...listScenarios, ...refusalScenarios];

/** @returns the scenarios of one of several languages that share them all out: each is played in one, by turns */
export const shareOf = (tag: string, tags: readonly string[]): readonly Scenario[] =>
  scenarios.filter((_, number) => tags[number % tags.length] === tag);

type Check = (context: ScenarioContext, exchange: Exchange) => void | Promise<void>;

const checkOwn: Check = ({ others }, exchange) => checkAnswer(others, exchange);
/** Which words a language has for it does not depend on the database. */
const inEach: readonly Check[] = [checkOwn, checkMirrors];
/** For each scenario in one language, by turns. */
const inOne: readonly Check[] = [...inEach, checkTwins, checkPatches, checkAlternates, checkPages];

/**
 * Declares scenarios in one language of a folder: sent in it, and compared with another language;
 * every link of its share of them is followed.
 */
export const scenarioSuite = (localesFolder: string, tag: string, some = scenarios): void => {
  const own = new Set(shareOf(tag, tagsIn(localesFolder)));
  const checksOf = (scenario: Scenario): readonly Check[] => {
    if (onServer) return [checkOwn];
    return own.has(scenario) ? inOne : inEach;
  };
  const byName = some.map((scenario) => [scenario.name, scenario] as const);
  describe(`scenarios in ${tag}`, () => {
    const withContext = contextOf(localesFolder, tag);
    test.each(byName)('%s', (_, scenario) =>
      withContext((context) =>
        play(context, scenario, async (exchange) => {
          for (const check of checksOf(scenario)) await check(context, exchange);
        }),
      ),
    );
  });
};
