import { describe, expect, test } from 'vitest';
import { checkAlternates, checkPages } from './alternates.ts';
import { checkAnswer } from './check.ts';
import { checkMirrors, checkTwins } from './mirror.ts';
import type { Scenario } from './scenario.ts';
import { itemScenarios } from './scenarios/items.ts';
import { listScenarios } from './scenarios/lists.ts';
import { refusalScenarios } from './scenarios/refusals.ts';
import { type Exchange, play, type World, worldOf } from './world.ts';

export const scenarios: readonly Scenario[] = [...itemScenarios, ...listScenarios, ...refusalScenarios];

type Check = (world: World, exchange: Exchange) => void | Promise<void>;

const checks: readonly Check[] = [
  ({ others }, exchange) => checkAnswer(others, exchange),
  ({ leaks }, { answer }) => expect(leaks(answer)).toEqual([]),
  checkTwins,
  checkMirrors,
  checkAlternates,
  checkPages,
];

const byName = scenarios.map((scenario) => [scenario.name, scenario] as const);

/**
 * Declares every scenario in one language of a folder: sent in it, searched for other languages' words, read back in
 * each of them, and every link followed.
 */
export const scenarioSuite = (localesFolder: string, tag: string): void => {
  describe(`scenarios in ${tag}`, () => {
    const inWorld = worldOf(localesFolder, tag);
    test.each(byName)('%s', (_, scenario) =>
      inWorld((world) =>
        play(world, scenario, async (exchange) => {
          for (const check of checks) await check(world, exchange);
        }),
      ),
    );
  });
};
