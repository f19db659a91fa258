import type { Exchange } from '../http/context.ts';
import type { Methods } from '../http/dispatch/methods.ts';
import { JSON_TYPE, VARY_LANGUAGE } from '../http/headers.ts';
import { checkAccept } from '../http/read/negotiate.ts';
import { refuseQuery } from '../http/read/query-string.ts';
import { searchIn } from '../http/target.ts';
import type { Tree } from '../http/tree.ts';
import { ROOT } from '../http/urls.ts';
import { type Constant, constant, respondConstant } from '../http/write/static.ts';
import type { Language } from '../locale/language.ts';
import type { DocumentOptions } from '../openapi/context.ts';

/** @returns where the document of a language is; without one, the one that is chosen for the client */
const documentPath = (tag?: string): string => `${ROOT}/openapi.${tag === undefined ? '' : `${tag}.`}json`;

const write = async (tree: Tree, options: DocumentOptions): Promise<Constant> => {
  // Loaded when somebody asks for a document: it costs no start its time and no service its memory.
  const { documentOf } = await import('../openapi/document.ts');
  return constant(JSON.stringify(documentOf(tree, options)));
};

/**
 * The OpenAPI documents, one per language, by route pattern.
 *
 * @param languageOf chooses by `Accept-Language`
 */
export const openapiRoutes = (
  options: DocumentOptions,
  languageOf: (c: Exchange) => Language,
): Readonly<Record<string, Methods>> => {
  const written = new Map<string, Promise<Constant>>();
  const documentIn = (tree: Tree): Promise<Constant> => {
    const { tag } = tree.language;
    const found = written.get(tag) ?? write(tree, options);
    written.set(tag, found);
    return found;
  };
  const answer = async (
    c: Exchange,
    tree: Tree,
    location: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    checkAccept(c.req.raw.headers);
    refuseQuery(searchIn(c));
    const content = { 'Content-Type': JSON_TYPE, 'Content-Language': tree.language.tag };
    return respondConstant(c, await documentIn(tree), content, { ...location, ...VARY_LANGUAGE });
  };
  const { trees } = options;

  return {
    [documentPath()]: {
      GET: (c) => {
        const language = languageOf(c);
        const tree = trees.find((each) => each.language === language);
        if (!tree) throw new TypeError(`no tree in ${language.tag}`);
        return answer(c, tree, { 'Content-Location': documentPath(language.tag) });
      },
    },
    ...Object.fromEntries(
      trees.map((tree) => [documentPath(tree.language.tag), { GET: (c: Exchange) => answer(c, tree) }]),
    ),
  };
};
