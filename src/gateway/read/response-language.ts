/** The language of a response, by a request's path, its query and `Accept-Language`. */

import { chooseLanguage, tagFinder } from '../../../packages/vocabularies/src/accept-language.ts';
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import type { Asked } from '../http/context.ts';
import { readQueryText, splitPath, targetPath } from '../http/exchange.ts';
import { LANG, ROOT } from '../http/urls.ts';
import { type Language, subresourceWords } from '../locale/language.ts';
import { sentence } from '../texts/phrase.ts';
import type { LazyError } from '../texts/problem.ts';
import { invalid, once, throwAny, unknown } from './query/parameter.ts';
import { parseQuery } from './query/query.ts';

const parameters = new WordIndex({ [LANG]: LANG });

export class LanguageSelector {
  readonly #byTag: ReadonlyMap<string, Language>;
  /** The trees' languages, by the first segment of their lists. */
  readonly #byRoot: ReadonlyMap<string, Language>;
  readonly #views: ReadonlySet<string>;
  readonly #fallback: Language;
  readonly #tags: readonly string[];
  readonly #findTag: (text: string) => string | undefined;
  readonly #checkTag: ReturnType<typeof once<LazyError | undefined>>;

  /**
   * @param defaultLanguage the tag of the language for clients that ask for none of them
   * @throws TypeError if there is no such language
   */
  constructor(languages: readonly Language[], defaultLanguage: string) {
    this.#byTag = new Map(languages.map((language) => [language.tag, language]));
    this.#byRoot = new Map(languages.flatMap((language) => listRoots(language).map((word) => [word, language])));
    this.#views = subresourceWords(languages);
    const fallback = this.#byTag.get(defaultLanguage);
    if (!fallback) throw new TypeError(`no language "${defaultLanguage}"`);
    this.#fallback = fallback;
    this.#tags = [...new Set([defaultLanguage, ...this.#byTag.keys()])];
    this.#findTag = tagFinder(this.#tags);
    const known = [...this.#byTag.keys()].join(', ');
    this.#checkTag = once(LANG, (value) =>
      this.#findTag(value) === undefined ? invalid(LANG, sentence('language-unknown', { value, known })) : undefined,
    );
  }

  /** @returns the tree's language: the path alone decides, even if it matches no route; `undefined` outside every tree */
  readonly tree = (target: string): Language | undefined => {
    if (!target.startsWith(`${ROOT}/`)) return undefined;
    const [first = '', second = ''] = splitPath(targetPath(target), this.#views).slice(2);
    return this.#byRoot.get(this.#views.has(first) ? second : first);
  };

  /** @returns the language of the query, or else of `Accept-Language`; `undefined` if neither names one. Errors are ignored */
  readonly requested = (c: Asked): Language | undefined => {
    const search = readQueryText(c);
    const named = search.includes(LANG) ? this.#findTag(parseQuery(search).values.get(LANG)?.[0] ?? '') : undefined;
    const tag = named ?? chooseLanguage(c.req.raw.headers.get('accept-language'), this.#findTag, this.#tags);
    return tag === undefined ? undefined : this.#byTag.get(tag);
  };

  /** @returns the language of what is outside the trees: that which is asked for, or the default one */
  readonly neutral = (c: Asked): Language => this.requested(c) ?? this.#fallback;

  /** Checks the query of a page, which may name its language. @throws Problem with all its errors */
  readonly checkQuery = (search: string): void => {
    if (search === '') return;
    const { values, errors } = parseQuery(search);
    for (const [word, sent] of values) {
      const error =
        word === LANG
          ? this.#checkTag(sent, values)
          : () => unknown(word, parameters, { suggestion: parameters.suggest(word) });
      if (error) errors.push(error);
    }
    throwAny(errors);
  };
}

function listRoots({ paths }: Language): readonly string[] {
  const { names, word, former } = paths(undefined);
  return [...names.map(word), ...former().map((each) => each.word)];
}
