import { andThen } from '../../util/maybe-promise.ts';
import type { Routes } from '../dispatch/methods.ts';
import type { Exchange } from '../http/context.ts';
import { readQueryText } from '../http/request.ts';
import { JSON_TYPE, NO_STORE, respond, VARY_LANGUAGE } from '../http/respond.ts';
import { URLS } from '../http/urls.ts';
import { sentence } from '../texts/phrase.ts';
import { Problem } from '../texts/problem.ts';
import type { SiteOptions } from './shown.ts';

const OK = JSON.stringify({ status: 'ok' });

/** The parameter of a probe that also asks whether writes succeed. */
const WRITES = 'writes';

/** Liveness and readiness, for probes: any `Accept` and any query is accepted. */
export const healthRoutes = ({ store, isStopping, responseLanguage }: SiteOptions): Routes => {
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
        const toWrite = new URLSearchParams(readQueryText(c)).has(WRITES);
        return andThen(store.ready(toWrite), (ready) => {
          if (ready) return ok(c);
          const phrase = toWrite ? 'store-read-only' : 'store-unavailable';
          throw new Problem('unavailable', sentence(phrase, {}), { headers: NO_STORE });
        });
      },
    },
  };
};
