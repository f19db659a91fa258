import type { Exchange } from '../http/context.ts';
import type { Methods } from '../http/dispatch/methods.ts';
import { JSON_TYPE, NO_STORE, VARY_LANGUAGE } from '../http/headers.ts';
import { URLS } from '../http/urls.ts';
import { respond } from '../http/write/respond.ts';
import { andThen } from '../model/maybe-promise.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { SiteOptions } from './options.ts';

const OK = JSON.stringify({ status: 'ok' });

/** Liveness and readiness, for probes: any `Accept` and any query is accepted. */
export const healthRoutes = ({
  store,
  isStopping,
  responseLanguage,
}: SiteOptions): Readonly<Record<string, Methods>> => {
  const ok = (c: Exchange): Response =>
    respond(c, 200, OK, {
      'Content-Type': JSON_TYPE,
      'Content-Language': responseLanguage.neutral(c).tag,
      ...VARY_LANGUAGE,
      ...NO_STORE,
    });
  return {
    [URLS.live]: { GET: ok },
    [URLS.ready]: {
      GET: (c) => {
        if (isStopping()) throw new Problem('unavailable', sentence('service-stopping', {}), { headers: NO_STORE });
        return andThen(store.ready(), (ready) => {
          if (ready) return ok(c);
          throw new Problem('unavailable', sentence('store-unavailable', {}), { headers: NO_STORE });
        });
      },
    },
  };
};
