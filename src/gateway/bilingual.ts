/** The gateway for an app of somebody else: the trees of a catalogue in every language, before a store. */
import { Hono } from 'hono';
import { type AppOptions, createGateway } from './app.ts';
import type { Env } from './http/context.ts';
import { DEFAULT_BODY_LIMIT, DEFAULT_DELETION_SHARE, DEFAULT_IMPORT_LIMIT } from './http/defaults.ts';
import { ROOT, URLS } from './http/urls.ts';
import { checkLocales } from './locale/tables/check.ts';

/** What has a default may be left out; the rest is described where the service uses it. */
export interface BilingualOptions
  extends Pick<AppOptions, 'catalogue' | 'store'>,
    Partial<Omit<AppOptions, 'catalogue' | 'store' | 'locales'>> {
  /** The content of each language's table, by its tag (BCP 47). */
  readonly tables: Readonly<Record<string, unknown>>;
}

const DAY = 86_400_000;

const DEFAULTS = {
  access: 'open',
  assignKey: () => crypto.randomUUID(),
  bodyLimit: DEFAULT_BODY_LIMIT,
  importLimit: DEFAULT_IMPORT_LIMIT,
  deletionShare: DEFAULT_DELETION_SHARE,
  idempotencyTtl: DAY,
  onFault: (error: unknown) => console.error(error),
} as const;

/**
 * @param options.defaultLanguage by default that of the first table
 * @returns an app with the trees below `/api`, their documents, and the documentation at `/docs/`; another mounts it by
 *   `app.route('/', …)`. It decides by itself what is answered there, errors included
 * @throws LocaleError where a table cannot be used, with a line for each fault
 */
export const bilingual = ({
  tables,
  defaultLanguage = Object.keys(tables)[0] ?? '',
  ...options
}: BilingualOptions): Hono<Env> => {
  const candidates = Object.entries(tables).map(([tag, content]) => ({ file: tag, tag, content }));
  const locales = checkLocales(options.catalogue, candidates, defaultLanguage);
  const gateway = createGateway({ ...DEFAULTS, ...options, locales, defaultLanguage });
  const app = new Hono<Env>();
  for (const root of [ROOT, URLS.assets]) {
    for (const path of [root, `${root}/*`]) app.all(path, (c) => gateway.app.fetch(c.req.raw, c.env));
  }
  return app;
};
