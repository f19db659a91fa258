import type { Routes } from '../dispatch/methods.ts';
import { HTML_TYPE, JSON_TYPE } from '../http/headers.ts';
import { inLanguage, URLS, urlsIn } from '../http/urls.ts';
import type { Language } from '../locale/language.ts';
import { atTop, indexOf, type ServiceIndex } from './content/service.ts';
import { constantOf, data, json, page, type SiteOptions, shown } from './shown.ts';

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
export const indexRoutes = (options: SiteOptions): Routes => {
  const { catalogue, trees, store, countHooks } = options;
  const languages = trees.map(({ language }) => language);
  const indexIn = async (language: Language): Promise<ServiceIndex> => {
    const counts = atTop(catalogue).map(async (each) => [each.name, await store.countRows(each)] as const);
    return indexOf(options, language, Object.fromEntries(await Promise.all(counts)), await countHooks?.());
  };
  const read = (path: string) =>
    shown(
      options,
      [
        data(async (language) => json(constantOf(await indexIn(language)), language.pages.tag)),
        page(async (language) => {
          const [index, { indexPage }] = await Promise.all([indexIn(language), import('./pages/index-page.ts')]);
          return indexPage(options, path, language, index);
        }),
      ],
      { headers: (language) => ({ Link: linksFrom(path, language, languages) }) },
    );
  return { '/': { GET: read('/') }, [URLS.index]: { GET: read(URLS.index) } };
};
