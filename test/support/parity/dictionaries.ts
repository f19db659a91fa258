import { afterAll, beforeAll } from 'vitest';
import { type Answer, readAnswer } from '../../../packages/parity/src/kit/canonical.ts';
import { type Dictionary, readDictionaries } from '../../../packages/parity/src/kit/dictionary.ts';
import { type ApiRequest, writeRequest } from '../../../packages/parity/src/kit/translate.ts';
import { openApp, type TestOptions } from '../app/app.ts';
import { folderWith } from '../language/new-languages.ts';
import type { WhenOver } from '../process/folder.ts';

/** A service in some languages, for all tests of a file, and its dictionaries, which are read by the kit. */
export const useLanguages = (...tags: readonly string[]) => useService(() => ({ locales: folderWith(...tags) }));

/** Any service, for all tests of a file, and its dictionaries. */
export const useService = (options: (whenOver: WhenOver) => TestOptions) => {
  let app: Awaited<ReturnType<typeof openApp>>;
  let all: readonly Dictionary[] = [];
  const cleanUps: (() => void)[] = [];
  const get = async (url: string, init?: RequestInit) => app.request(url, init);
  beforeAll(async () => {
    app = await openApp(options((cleanUp) => cleanUps.push(cleanUp)));
    all = await readDictionaries('', get);
  });
  afterAll(async () => {
    await app.close();
    for (const cleanUp of cleanUps) cleanUp();
  });
  const dictionary = (tag: string): Dictionary => {
    const match = all.find((each) => each.tag === tag);
    if (!match) throw new TypeError(`no dictionary for ${tag}`);
    return match;
  };
  const ask = async ({ method = 'GET', url, ...request }: ApiRequest): Promise<Answer> =>
    readAnswer(await get(url, { method, ...writeRequest(request) }), url);
  return { dictionary, ask, all: () => all };
};
