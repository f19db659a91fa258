/** Requests with words that others have replaced: they are read with the new ones, and their responses say so. */
import type { Env, Gateway } from '../http/context.ts';
import { decodeWord, pathOf, targetOf } from '../http/request.ts';
import { ROOT, urlsIn } from '../http/urls.ts';
import { type FormerWord, formerUses, spanOf } from '../locale/former.ts';
import type { Language } from '../locale/language.ts';
import type { Vocabulary } from '../locale/vocabulary.ts';
import type { Catalogue, Collection } from '../model/catalogue.ts';

const nameIn = ({ name }: Vocabulary, segment: string | undefined): string | undefined =>
  name(decodeWord(segment ?? '') ?? '');

/** @returns the segments of a path with the words of today; `undefined` where they lead to no collection of a language */
const renamed = (
  catalogue: Catalogue,
  { views, paths }: Language,
  segments: readonly string[],
): readonly string[] | undefined => {
  const start = [2, 3].find((at) => nameIn(paths(undefined), segments[at]) !== undefined);
  const view = start === 3 ? nameIn(views, segments[2]) : '';
  if (start === undefined || view === undefined) return undefined;
  const words = [...segments];
  if (view !== '') words[2] = encodeURIComponent(views.word(view));
  let parent: Collection | undefined;
  for (let at = start; at < words.length; at += 2) {
    const name = nameIn(paths(parent), words[at]);
    if (name === undefined) break;
    words[at] = encodeURIComponent(paths(parent).word(name));
    parent = catalogue.find((each) => each.name === name);
  }
  return words;
};

/** RFC 9745, RFC 8594: since when the first word is former, and until when the first one is accepted. */
const withHeaders = (response: Response, languages: readonly Language[], uses: readonly FormerWord[]): Response => {
  const spans = uses.map(spanOf);
  const { headers } = response;
  headers.set('Deprecation', `@${Math.min(...spans.map(({ since }) => since)) / 1_000}`);
  headers.set('Sunset', new Date(Math.min(...spans.map(({ end }) => end)) - 1_000).toUTCString());
  const tags = new Set(uses.map(({ language }) => language));
  for (const language of languages.filter(({ tag }) => tags.has(tag)))
    headers.append('Link', `<${urlsIn(language).dictionary}>; rel="deprecation"; type="application/json"`);
  return response;
};

/**
 * @param onUse called with each former word of a request, once
 * @returns the same gateway where no table lists a former word
 */
export const withFormerWords = (
  gateway: Gateway,
  catalogue: Catalogue,
  all: readonly Language[],
  onUse: (former: FormerWord) => void = () => {},
): Gateway => {
  const languages = all.filter(({ former }) => former.length > 0);
  if (languages.length === 0) return gateway;
  const current = (target: string): string => {
    const path = pathOf(target);
    if (!path.startsWith(`${ROOT}/`)) return target;
    const segments = path.split('/');
    const found = languages.map((each) => renamed(catalogue, each, segments)).find((words) => words);
    return found ? found.join('/') + target.slice(path.length) : target;
  };
  const bindings = (request: Request, env: Env['Bindings'] | undefined): Env['Bindings'] => ({
    ...env,
    target: current(targetOf(request, env)),
  });
  const { fetch } = gateway.app;
  gateway.app.fetch = (request, env, context) => {
    const uses = new Map<string, FormerWord>();
    return formerUses.run(uses, async () => {
      const response = await fetch(request, bindings(request, env as Env['Bindings'] | undefined), context);
      if (uses.size === 0) return response;
      for (const each of uses.values()) onUse(each);
      return withHeaders(response, languages, [...uses.values()]);
    });
  };
  return {
    ...gateway,
    refuse: (refusal, request, env) => gateway.refuse(refusal, request, bindings(request, env)),
    routeOf: (sent) => gateway.routeOf(sent.startsWith('/') ? current(sent) : sent),
  };
};
