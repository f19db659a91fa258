import { createHash } from 'node:crypto';
import type { Language } from '../locale/language.ts';
import type { DocumentOptions } from '../openapi/context.ts';
import { isKnown } from './conditional.ts';
import type { Exchange } from './env.ts';
import type { Methods } from './methods.ts';
import { checkAccept, JSON_TYPE } from './negotiate.ts';
import { refuseQuery } from './read-query.ts';
import { searchIn } from './resource.ts';
import { EVERYWHERE, NEUTRAL, requestIdOf, respond } from './respond.ts';
import { ROOT, type Tree } from './tree.ts';

interface Written {
  readonly text: string;
  readonly ETag: string;
}

/** @returns where the document of a language is; without one, the one that is chosen for the client */
const documentPath = (tag?: string): string => `${ROOT}/openapi.${tag === undefined ? '' : `${tag}.`}json`;

/** Long enough that no two documents of one service share it. */
const TAG_LENGTH = 22;

const write = async (tree: Tree, options: DocumentOptions): Promise<Written> => {
  // Loaded when somebody asks for a document: it costs no start its time and no service its memory.
  const { documentOf } = await import('../openapi/document.ts');
  const text = JSON.stringify(documentOf(tree, options));
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, TAG_LENGTH);
  return { text, ETag: `"${hash}"` };
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
  const written = new Map<string, Promise<Written>>();
  const documentIn = (tree: Tree): Promise<Written> => {
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
    const { text, ETag } = await documentIn(tree);
    const headers = { ETag, ...location, ...NEUTRAL, ...EVERYWHERE, 'X-Request-Id': requestIdOf(c.req.raw) };
    if (isKnown(c.req.raw.headers, ETag)) return new Response(null, { status: 304, headers });
    return respond(c, 200, text, {
      ...headers,
      'Content-Type': JSON_TYPE,
      'Content-Language': tree.language.tag,
    });
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
