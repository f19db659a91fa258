import { WordIndex } from '../../../packages/vocabularies/src/words.ts';

/** Letters; shorter settings are like variables of other programs. */
const SHORTEST = 6;

const bare = (name: string): string => name.replaceAll('_', '').toUpperCase();

/**
 * @param names of variables
 * @param known names of settings
 * @returns a line for each variable that is no setting, but one slip away from one, or lacks underscores
 */
export const misspeltIn = (names: readonly string[], known: readonly string[]): readonly string[] => {
  const long = known.filter((name) => name.length >= SHORTEST);
  const settings = new WordIndex(Object.fromEntries(long.map((name) => [name, name])));
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = settings.suggest(name) ?? long.find((each) => bare(each) === bare(name));
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
};
