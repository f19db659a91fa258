/**
 * Sentences of responses, by name. `{the}`, `{of}` and `{within}` are forms of a collection's noun ("the car", "of the car", "for
 * this car"), `{word}` is a word of the tree, `{known}` a list of words, `{limit}` a size with its unit; `{count}` selects the
 * plural form.
 */
import type { phrases } from './shown-text.ts';

export type PhraseName = keyof typeof phrases;
type Placeholders = Readonly<Record<string, string | number>>;

/** A sentence whose language is not known yet. */
export interface Sentence {
  readonly phrase: PhraseName;
  readonly values: Placeholders;
}

/**
 * @param phrase name of the sentence
 * @param values one value for each of its placeholders
 */
export const sentence = (phrase: PhraseName, values: Placeholders): Sentence => ({ phrase, values });

/**
 * @param kind what is unknown: the phrases are `<kind>-unknown` and `<kind>-suggested`
 * @param values for the placeholders of both phrases, beside the suggestion
 * @param suggestion the word that was probably intended
 */
export const unknownSentence = (
  kind:
    | 'path'
    | 'parameter'
    | 'field'
    | 'column'
    | 'sort'
    | 'order'
    | 'include'
    | 'format'
    | 'preference'
    | 'preference-name',
  values: Placeholders,
  suggestion: string | undefined,
): Sentence =>
  suggestion === undefined
    ? { phrase: `${kind}-unknown`, values }
    : { phrase: `${kind}-suggested`, values: { ...values, suggestion } };

/**
 * A sentence about one item. It mentions the parent of a nested item, because another parent may have an item with the same
 * key.
 *
 * @param within the noun of the parent, if there is one
 */
export const itemSentence = (
  kind: 'missing' | 'exists',
  values: { readonly the: string; readonly key: string },
  within: string | undefined,
): Sentence =>
  within === undefined
    ? { phrase: `item-${kind}`, values }
    : { phrase: `nested-${kind}`, values: { ...values, within } };
