import type { Language } from '../locale/language.ts';
import type { DocumentOptions } from '../openapi/context.ts';
import type { Exchange } from './env.ts';
import type { Methods } from './methods.ts';
import { checkAccept, JSON_TYPE } from './negotiate.ts';
import { refuseQuery } from './read-pairs.ts';
import { searchIn } from './resource.ts';
import { NEUTRAL } from './respond.ts';
import { type Constant, constant, respondConstant } from './respond-constant.ts';
import { ROOT, type Tree } from './tree.ts';

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
    return respondConstant(c, await documentIn(tree), content, { ...location, ...NEUTRAL });
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
