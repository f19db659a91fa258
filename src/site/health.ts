import type { Exchange } from '../http/context.ts';
import type { Methods } from '../http/dispatch/methods.ts';
import { COMMON_HEADERS, JSON_TYPE, requestIdOf, VARY_LANGUAGE } from '../http/headers.ts';
import { URLS } from '../http/urls.ts';
import { respond } from '../http/write/respond.ts';
import { andThen } from '../model/maybe-promise.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { SiteOptions } from './options.ts';

/** Whether the process runs, and whether it can serve. Whoever asks is a machine: any `Accept` and any query will do. */
export const healthRoutes = ({ store, answersIn }: SiteOptions): Readonly<Record<string, Methods>> => {
  const ok = (c: Exchange): Response =>
    respond(c, 200, JSON.stringify({ status: 'ok' }), {
      'Content-Type': JSON_TYPE,
      'Content-Language': answersIn.header(c).tag,
      ...VARY_LANGUAGE,
      ...COMMON_HEADERS,
      'X-Request-Id': requestIdOf(c.req.raw),
    });
  return {
    [URLS.live]: { GET: ok },
    [URLS.ready]: {
      GET: (c) =>
        andThen(store.ready(), (ready) => {
          if (!ready) throw new Problem('unavailable', sentence('store-unavailable', {}));
          return ok(c);
        }),
    },
  };
};
