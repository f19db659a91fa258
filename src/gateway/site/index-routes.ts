import type { Methods } from '../dispatch/methods.ts';
import { HTML_TYPE, JSON_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import type { Tree } from '../http/tree.ts';
import { inLanguage, URLS, urlsIn } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { autonymOf } from '../locale/names.ts';
import { get } from '../read/get.ts';
import { pageQueryCheck } from '../read/query/page-query.ts';
import { constant, respondConstant } from '../write/static.ts';
import type { SiteOptions } from './options.ts';
import { frameOf, originOf, pageHeaders } from './page.ts';
import type { ServiceIndex } from './pages/index-page.ts';
import type { LanguageIndex } from './pages/links-part.ts';

/** How many items of a list the page shows or links to. */
const SAMPLE = 10;

/** Links by which programs find documents, documentation and health (RFC 8631), and the same in other languages. */
const linksFrom = (path: string, chosen: Language, languages: readonly Language[]): string => {
  const others = languages.filter((each) => each !== chosen);
  const described = [chosen, ...others].flatMap((language) => {
    const { openapi, documentation } = urlsIn(language);
    return [
      `<${openapi}>; rel="service-desc"; type="${JSON_TYPE}"; hreflang="${language.tag}"`,
      `<${documentation}>; rel="service-doc"; type="${HTML_TYPE}"; hreflang="${language.tag}"`,
    ];
  });
  const alternates = others
    .filter(({ tag, pages }) => tag === pages.tag)
    .map(({ tag }) => `<${inLanguage(path, tag)}>; rel="alternate"; hreflang="${tag}"`);
  return [...described, `<${URLS.ready}>; rel="status"`, ...alternates].join(', ');
};

/** The index of the service: a page for people, JSON for programs. */
export const indexRoutes = (options: SiteOptions): Readonly<Record<string, Methods>> => {
  const { catalogue, trees, store, responseLanguage } = options;
  const languages = trees.map(({ language }) => language);
  const atTop = catalogue.filter(({ parent }) => parent === undefined);
  const checkQuery = pageQueryCheck(languages.map(({ tag }) => tag));

  const languageIndex = ({ language, paths }: Tree): LanguageIndex => ({
    tag: language.tag,
    name: autonymOf(language.tag),
    collections: Object.fromEntries(atTop.map((each) => [each.name, paths(each).list([])])),
    ...urlsIn(language),
  });
  const indexIn = async (language: Language): Promise<ServiceIndex> => {
    const counts = await Promise.all(atTop.map(async (each) => [each.name, await store.countRows(each)] as const));
    return {
      title: language.pages.say('title'),
      description: language.pages.say('summary'),
      totals: Object.fromEntries(counts),
      openapi: URLS.openapi,
      documentation: URLS.documentation,
      dictionaries: URLS.dictionaries,
      languages: trees.map(languageIndex),
    };
  };
  const samples = new Map(
    languages.map(({ tag, parameters }) => [tag, encodeURIComponent(parameters.word('number_of_elements'))]),
  );
  const htmlOf = async (path: string, language: Language, index: ServiceIndex, origin: string): Promise<string> => {
    const [{ indexPage }, { exchangeOf }, { wordGroups }, { browsingOf }] = await Promise.all([
      import('./pages/index-page.ts'),
      import('./content/exchange.ts'),
      import('./content/words.ts'),
      import('./content/browsing.ts'),
    ]);
    const [first] = atTop;
    const tree = trees.find((each) => each.language === language);
    return indexPage(frameOf(options, path, language), index, {
      totals: atTop.map((each) => language.pages.total(each, index.totals[each.name] ?? 0)),
      steps: first ? exchangeOf(trees, first, origin) : [],
      browsing: first && tree && browsingOf(tree, first, SAMPLE),
      words: wordGroups(language, trees, catalogue),
      sampleIn: (tag) => `?${samples.get(tag)}=${SAMPLE}`,
    });
  };

  const read = (path: string) =>
    get([{ type: JSON_TYPE }, { type: HTML_TYPE }], checkQuery, async (c, { type }) => {
      const language = responseLanguage.neutral(c);
      const index = await indexIn(language);
      const isPage = type === HTML_TYPE;
      const content = isPage ? await htmlOf(path, language, index, originOf(c)) : JSON.stringify(index);
      const headers = isPage
        ? pageHeaders(language)
        : { 'Content-Type': JSON_TYPE, 'Content-Language': language.pages.tag };
      const links = { Link: linksFrom(path, language, languages) };
      return respondConstant(c, constant(content), { ...headers, ...links }, VARY_TYPE_AND_LANGUAGE);
    });
  return { '/': { GET: read('/') }, [URLS.index]: { GET: read(URLS.index) } };
};
