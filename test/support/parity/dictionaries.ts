import { afterAll, beforeAll } from 'vitest';
import { type Answer, readAnswer } from '../../../packages/parity/src/kit/canonical.ts';
import { type Dictionary, readDictionaries } from '../../../packages/parity/src/kit/dictionary.ts';
import type { ApiRequest } from '../../../packages/parity/src/kit/translate.ts';
import { openApp, type TestOptions } from '../app/app.ts';
import { folderWith } from '../language/new-languages.ts';
import type { WhenOver } from '../process/folder.ts';

/** A service in some languages, for all tests of a file, and its dictionaries, which are read by the kit. */
export const useLanguages = (...tags: readonly string[]) => useService(() => ({ locales: folderWith(...tags) }));

/** The same of any service. */
export const useService = (options: (whenOver: WhenOver) => TestOptions) => {
  let app: Awaited<ReturnType<typeof openApp>>;
  let all: readonly Dictionary[] = [];
  const cleanUps: (() => void)[] = [];
  const get = (url: string, init?: RequestInit) => Promise.resolve(app.request(url, init));
  beforeAll(async () => {
    app = await openApp(options((cleanUp) => cleanUps.push(cleanUp)));
    all = await readDictionaries('', get);
  });
  afterAll(async () => {
    await app.close();
    for (const cleanUp of cleanUps) cleanUp();
  });
  const dictionary = (tag: string): Dictionary => {
    const found = all.find((each) => each.tag === tag);
    if (!found) throw new TypeError(`no dictionary for ${tag}`);
    return found;
  };
  const ask = async ({ method = 'GET', url, headers, body }: ApiRequest): Promise<Answer> => {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    return readAnswer(
      await get(url, { method, ...(headers && { headers }), ...(sent !== undefined && { body: sent }) }),
      url,
    );
  };
  return { dictionary, ask, all: () => all };
};
