/** The gateway for an app of somebody else: the trees of a catalogue in every language, before a store. */
import { Hono } from 'hono';
import { type AppOptions, createGateway } from './app.ts';
import type { Env } from './http/context.ts';
import { DEFAULT_BODY_LIMIT, DEFAULT_DELETION_SHARE, DEFAULT_IMPORT_LIMIT } from './http/defaults.ts';
import { ROOT, URLS } from './http/urls.ts';
import { checkLocales } from './locale/check.ts';
import { layered, sentencesIn, withDerived } from './locale/layers.ts';
import { allLists } from './model/catalogue.ts';
import { sentences, words } from './texts/packaged.ts';

export interface BilingualOptions
  extends Pick<AppOptions, 'catalogue' | 'store'>,
    Partial<Omit<AppOptions, 'catalogue' | 'store' | 'locales'>> {
  /** The words of each language, by its tag (BCP 47): the content of `locales/<tag>.json`. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** The sentences of each language: the content of `locales/messages/<tag>.json`. English and Spanish are in the package. */
  readonly messages?: Readonly<Record<string, unknown>>;
}

const DEFAULTS = {
  access: 'open',
  assignKey: () => crypto.randomUUID(),
  bodyLimit: DEFAULT_BODY_LIMIT,
  importLimit: DEFAULT_IMPORT_LIMIT,
  deletionShare: DEFAULT_DELETION_SHARE,
  // A day.
  idempotencyTtl: 86_400_000,
  onFault: (error: unknown) => console.error(error),
} as const;

/**
 * @param options.defaultLanguage by default that of the first table
 * @returns an app with the trees below `/api`, their documents, and the documentation at `/docs/`; another mounts it by
 *   `app.route('/', …)`. It decides by itself what is answered there, errors included
 * @throws LocaleError if a table cannot be used, with a line for each fault
 */
export const bilingual = ({
  tables,
  messages = {},
  defaultLanguage = Object.keys(tables)[0] ?? '',
  ...options
}: BilingualOptions): Hono<Env> => {
  const lists = allLists(options.catalogue).map(({ routeId }) => routeId);
  const candidates = Object.entries(tables).map(([tag, own]) => {
    if (sentencesIn(own).length > 0) return { file: tag, tag, content: withDerived(own, lists) };
    // Behind a table is what the package has of its language.
    const packaged = { ...words[tag], ...sentences[tag] };
    const content = layered(packaged, { ...Object(messages[tag] ?? sentences[tag]), ...Object(own) }, lists);
    return { file: tag, tag, content, messages: `messages.${tag}` };
  });
  const locales = checkLocales(options.catalogue, candidates, defaultLanguage);
  const gateway = createGateway({ ...DEFAULTS, ...options, locales, defaultLanguage });
  const app = new Hono<Env>();
  for (const root of [ROOT, URLS.assets]) {
    for (const path of [root, `${root}/*`])
      app.all(path, (c) => gateway.app.fetch(c.req.raw, { ...c.env, mountedBy: c }));
  }
  return app;
};
