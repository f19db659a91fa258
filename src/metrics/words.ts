import { counter, type Family } from './family.ts';

export interface WordMeter {
  /** @param tree the language of the tree @param words the language of each word that it refused */
  readonly refuse: (tree: string, words: readonly string[]) => void;
  readonly families: () => readonly Family[];
}

/** @param tags of all languages */
export const wordMeter = (tags: readonly string[]): WordMeter => {
  const pairs = tags.flatMap((language) =>
    tags.filter((each) => each !== language).map((word_language) => ({ language, word_language })),
  );
  const counts = new Map(pairs.map((labels) => [labels, 0]));
  return {
    refuse: (tree, words) => {
      for (const [labels, count] of counts) {
        const { language, word_language } = labels;
        if (language === tree) counts.set(labels, count + words.filter((each) => each === word_language).length);
      }
    },
    families: () => [
      counter(
        'catalogue_foreign_words_total',
        'Words that a tree has refused because they are those of another language.',
        [...counts],
      ),
    ],
  };
};
