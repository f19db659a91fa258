import type { LanguageOf } from '../dispatch/language-of.ts';
import type { Methods } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { type HeaderRecord, JSON_TYPE, VARY_TYPE_AND_LANGUAGE } from '../http/headers.ts';
import type { Tree } from '../http/tree.ts';
import { URLS, urlsIn } from '../http/urls.ts';
import type { DocumentOptions } from '../openapi/shared/context.ts';
import { JSON_ONLY } from '../read/accept.ts';
import { get } from '../read/get.ts';
import { refuseQuery } from '../read/query/query-string.ts';
import { type Constant, constant, respondConstant } from '../write/static.ts';

const write = async (tree: Tree, options: DocumentOptions): Promise<Constant> => {
  // Loaded when a document is first requested, to save time at start and memory.
  const { documentOf } = await import('../openapi/document.ts');
  return constant(JSON.stringify(documentOf(tree, options)));
};

/** The OpenAPI documents, one per language, by route pattern. */
export const openapiRoutes = (
  options: DocumentOptions,
  responseLanguage: LanguageOf,
): Readonly<Record<string, Methods>> => {
  const { trees } = options;
  const written = new Map<string, Promise<Constant>>();
  const documentIn = (tree: Tree): Promise<Constant> => {
    const { tag } = tree.language;
    const found = written.get(tag) ?? write(tree, options);
    written.set(tag, found);
    return found;
  };
  const respondIn = async (c: Exchange, tree: Tree, location: HeaderRecord = {}): Promise<Response> => {
    const content = { 'Content-Type': JSON_TYPE, 'Content-Language': tree.language.inDocument };
    return respondConstant(c, await documentIn(tree), content, { ...location, ...VARY_TYPE_AND_LANGUAGE });
  };

  return {
    [URLS.openapi]: {
      GET: get(JSON_ONLY, refuseQuery, (c) => {
        const language = responseLanguage.neutral(c);
        const tree = trees.find((each) => each.language === language);
        if (!tree) throw new TypeError(`no tree in ${language.tag}`);
        return respondIn(c, tree, { 'Content-Location': urlsIn(language).openapi });
      }),
    },
    ...Object.fromEntries(
      trees.map((tree) => [
        urlsIn(tree.language).openapi,
        { GET: get(JSON_ONLY, refuseQuery, (c) => respondIn(c, tree)) },
      ]),
    ),
  };
};
