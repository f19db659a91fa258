/** The service as several processes (`TEST_WORKERS`), in the shape of an app: each request goes over a connection of its own. */
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Hono } from 'hono';
import type { Env } from '../../../src/gateway/http/context.ts';
import { serve } from '../process/service.ts';
import type { TestOptions } from './app.ts';

/** Statuses whose responses have no content, not even an empty one. */
const EMPTY = [204, 304];

const agent = new Agent({ keepAlive: false });

const sendTo = async (origin: string, asked: Request, target: string): Promise<Response> => {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const { method, headers } = asked;
  const sent = request(origin, { path: target, method, agent, headers: Object.fromEntries(headers) }, (response) => {
    const { statusCode: status = 0, rawHeaders } = response;
    const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
      rawHeaders[2 * at] ?? '',
      rawHeaders[2 * at + 1] ?? '',
    ]);
    const own = pairs.filter(([name]) => !/^(?:connection|date|transfer-encoding)$/i.test(name));
    buffer(response).then(
      (content) =>
        resolve(new Response(EMPTY.includes(status) ? null : new Uint8Array(content), { status, headers: own })),
      reject,
    );
  });
  sent.on('error', reject);
  const body = new Uint8Array(await asked.arrayBuffer());
  sent.end(body.length === 0 ? undefined : body);
  return promise;
};

/** Has the service make this identifier for each item without one. */
const assigning = (identifier: string): string => {
  const code = `import crypto from 'node:crypto'; import { syncBuiltinESMExports } from 'node:module';
crypto.randomUUID = () => '${identifier}'; syncBuiltinESMExports();`;
  return `--import data:text/javascript,${encodeURIComponent(code)}`;
};

const settingsOf = (options: TestOptions, database: string): Readonly<Record<string, string>> => {
  const { locales, bodyLimit, importLimit, deletionShare, access, defaultLanguage, assignKey, clientShare } = options;
  const settings = {
    DATABASE_URL: database,
    LOCALES_DIR: locales,
    DEFAULT_LANGUAGE: defaultLanguage,
    BODY_LIMIT: bodyLimit,
    IMPORT_LIMIT: importLimit,
    DELETION_SHARE: deletionShare,
    ACCESS: access,
    CLIENT_SHARE: 100 * (clientShare ?? 1),
    NODE_OPTIONS: assignKey && assigning(assignKey()),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
};

/** @returns the app, what it has logged as errors, and what ends its processes */
export const appOfWorkers = async (options: TestOptions, database: string) => {
  const cleanUps: (() => void)[] = [];
  const env = settingsOf(options, database);
  const { origin, end, output } = await serve({ env, whenOver: (cleanUp) => void cleanUps.push(cleanUp) });
  const app = new Hono<Env>();
  app.all('*', (c) => {
    const { pathname, search } = new URL(c.req.url);
    return sendTo(origin, c.req.raw, c.env?.target ?? pathname + search);
  });
  return {
    app,
    faults: () =>
      output()
        .split('\n')
        .filter((line) => / error /.test(line)),
    close: async () => {
      await end('SIGTERM');
      for (const cleanUp of cleanUps) cleanUp();
    },
  };
};
