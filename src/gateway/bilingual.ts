/** The gateway for an app of somebody else: the trees of a catalogue in every language, before a store. */
import { type Context, Hono } from 'hono';
import { basePath, baseRoutePath } from 'hono/route';
import { type AppOptions, createGateway } from './app.ts';
import type { Env, Gateway } from './http/context.ts';
import { DEFAULT_BODY_LIMIT, DEFAULT_DELETION_SHARE, DEFAULT_IMPORT_LIMIT } from './http/defaults.ts';
import { PREFLIGHT, requestTarget } from './http/exchange.ts';
import { ROOT, URLS } from './http/urls.ts';
import { examineTables, LocaleError } from './locale/check.ts';
import { layered, listSentenceParts, overlay } from './locale/layers.ts';
import { sentences, words } from './texts/packaged.ts';
import { type Sentence, sentence } from './texts/phrase.ts';
import { Problem, type ProblemCode } from './texts/problem.ts';

export { layered, sentence };

export interface BilingualOptions
  extends Pick<AppOptions, 'catalogue' | 'store'>,
    Partial<Omit<AppOptions, 'catalogue' | 'store' | 'locales' | 'mount'>> {
  /** The words of each language, by its tag (BCP 47): the content of `locales/<tag>.json`. */
  readonly tables: Readonly<Record<string, unknown>>;
  /** The sentences of each language: the content of `locales/messages/<tag>.json`. English and Spanish are in the package. */
  readonly messages?: Readonly<Record<string, unknown>>;
  /** What a proxy or `app.mount` takes away from the start of every path, such as `/dealer`: links begin with it. */
  readonly prefix?: string;
  /** Whether pages of every origin may read; by default the app that mounts this one says so, or not. */
  readonly cors?: boolean;
}

type RequestContext = Pick<Context, 'req' | 'env'>;

interface ProblemOptions {
  readonly detail?: Sentence;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Bilingual extends Hono<Env> {
  /** Ends streams of events, before a server stops. */
  readonly end: () => void;
  /** @returns the tag of the language of a request: that of its path, else the one that it asks for */
  readonly language: (c: RequestContext) => string;
  /**
   * @param detail by default that a key is needed; `sentence(…)` names another one of the tables
   * @returns the response to a request that the app itself refuses, such as 401, in the language of the request
   */
  readonly problem: (c: RequestContext, code: ProblemCode, options?: ProblemOptions) => Promise<Response>;
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

/** Where the trees or the documentation begin in a path. */
const BEGINNINGS = new RegExp(`(?=(?:${ROOT}|${URLS.assets})(?:[/?]|$))`, 'g');

const ORIGIN_HEADERS = [
  ...['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Access-Control-Allow-Methods'],
  ...Object.keys(PREFLIGHT),
];

/**
 * @param options.defaultLanguage by default that of the first table
 * @returns an app with the trees below `/api`, their documents, and the documentation at `/docs/`; another mounts it by
 *   `app.route('/', …)` or at any other path without parameters. It decides by itself what is answered there, errors included
 * @throws LocaleError if a table cannot be used, with a line for each fault
 */
export const bilingual = ({
  tables,
  messages = {},
  defaultLanguage = Object.keys(tables)[0] ?? '',
  prefix = '',
  cors = false,
  ...options
}: BilingualOptions): Bilingual => {
  const candidates = Object.entries(tables).map(([tag, own]) => {
    if (listSentenceParts(own).length > 0) return { file: tag, tag, content: own };
    // What the table lacks is taken from the package, if that has the language.
    const packaged = { ...words[tag], ...sentences[tag] };
    const content = overlay(packaged, { ...Object(messages[tag] ?? sentences[tag]), ...Object(own) });
    return { file: tag, tag, content, messages: `messages.${tag}` };
  });
  const { locales, faults } = examineTables(options.catalogue, candidates, defaultLanguage);
  if (faults.length > 0) throw new LocaleError(faults);
  const gateways = new Map<string, Gateway>();
  const gatewayAt = (base: string): Gateway => {
    const mount = prefix + base;
    const gateway = gateways.get(base) ?? createGateway({ ...DEFAULTS, ...options, locales, defaultLanguage, mount });
    gateways.set(base, gateway);
    return gateway;
  };
  // The languages are those of all of them.
  const anyGateway = (): Gateway => gateways.values().next().value ?? gatewayAt('');
  const bindings = (c: RequestContext, base: string): Env['Bindings'] => {
    const whole = requestTarget(c.req.raw, c.env);
    const target = prefix !== '' && whole.startsWith(`${prefix + base}/`) ? whole.slice(prefix.length) : whole;
    // However the segments of the base are encoded.
    const segments = target.split('/').toSpliced(1, base.split('/').length - 1);
    return { ...c.env, target: segments.join('/') };
  };
  const withOrigins = (response: Response): Response => {
    if (!cors) for (const name of ORIGIN_HEADERS) response.headers.delete(name);
    return response;
  };
  /** A middleware of the app does not know where the trees are mounted: the path says it, if they have no prefix. */
  const findBase = (c: RequestContext): string => {
    const target = requestTarget(c.req.raw, c.env);
    const starts = [...target.matchAll(BEGINNINGS)].map(({ index }) => target.slice(0, index));
    const known = starts.find((start) => gateways.has(start)) ?? starts[0] ?? '';
    return known.startsWith(prefix) ? known.slice(prefix.length) : known;
  };
  const respond = async (c: Context<Env>): Promise<Response> => {
    const base = basePath(c).replace(/\/$/, '');
    if (/[:*]/.test(baseRoutePath(c)))
      throw new TypeError(`${base}: the path at which bilingual is mounted has a parameter`);
    return withOrigins(await gatewayAt(base).app.fetch(c.req.raw, { ...bindings(c, base), mountedBy: c }));
  };
  const app = new Hono<Env>();
  for (const root of [ROOT, URLS.assets]) for (const path of [root, `${root}/*`]) app.all(path, respond);
  return Object.assign(app, {
    end: () => {
      for (const gateway of gateways.values()) gateway.end();
    },
    language: (c: RequestContext) => anyGateway().language(c.req.raw, bindings(c, findBase(c))),
    problem: async (
      c: RequestContext,
      code: ProblemCode,
      { detail = sentence('key-missing', {}), headers }: ProblemOptions = {},
    ) => {
      const base = findBase(c);
      const env = { ...bindings(c, base), base: prefix + base };
      return withOrigins(await anyGateway().refuse(new Problem(code, detail, { headers }), c.req.raw, env));
    },
  });
};
