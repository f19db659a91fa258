/** What the service says of itself, as data. */
import { problemPath, type Tree, URLS, urlsIn } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { autonymOf, languageName } from '../../locale/names.ts';
import type { Catalogue } from '../../model/catalogue.ts';
import { type ProblemCode, problems } from '../../texts/problem.ts';

/** What documents and pages are made of. */
export interface Site {
  readonly catalogue: Catalogue;
  readonly trees: readonly Tree[];
}

export const atTop = (catalogue: Catalogue): Catalogue => catalogue.filter((each) => !each.isNested);

/** Those whose lists lie in no item. */
const listed = (catalogue: Catalogue): Catalogue => catalogue.filter(({ parent }) => parent === undefined);

/** @throws TypeError where no tree has this language, which is a bug */
export const treeIn = ({ trees }: Pick<Site, 'trees'>, { tag }: Pick<Language, 'tag'>): Tree => {
  const found = trees.find(({ language }) => language.tag === tag);
  if (!found) throw new TypeError(`no tree in ${tag}`);
  return found;
};

/**
 * @param totals how many items each collection at the top has
 * @param hooks how many addresses are told of changes; `undefined` where that is not known
 */
export const indexOf = (
  { catalogue, trees }: Site,
  { pages }: Language,
  totals: Readonly<Record<string, number>>,
  hooks: number | undefined,
) => ({
  title: pages.say('title'),
  description: pages.say('summary'),
  totals,
  hooks,
  openapi: URLS.openapi,
  documentation: URLS.documentation,
  dictionaries: URLS.dictionaries,
  languages: trees.map(({ language, paths }) => ({
    tag: language.tag,
    name: autonymOf(language.tag),
    collections: Object.fromEntries(listed(catalogue).map((each) => [each.id, paths(each).list([])])),
    imports: Object.fromEntries(listed(catalogue).map((each) => [each.id, paths(each).viewPattern('imports')])),
    ...urlsIn(language),
  })),
});

export type ServiceIndex = ReturnType<typeof indexOf>;

/** @param asked the tag of the language that says what the others are called */
export const dictionaryLinks = ({ trees }: Site, asked: string) =>
  trees.map(({ language: { tag } }) => ({
    tag,
    name: autonymOf(tag),
    translatedName: languageName(tag, asked),
    url: urlsIn({ tag }).dictionary,
  }));

export const explanationOf = (language: Language, code: ProblemCode) => {
  const { title, explanation } = language.problem(code);
  return { type: problemPath(code), title, status: problems[code], code, detail: explanation };
};

export type Explanation = ReturnType<typeof explanationOf>;

/** The explanations of all codes. */
export const explanationsIn = (language: Language): readonly Explanation[] =>
  (Object.keys(problems) as ProblemCode[]).map((code) => explanationOf(language, code));
