import type { CountedRequest } from '../log/events.ts';
import { counter, type Family, gauge, type Histogram, histogram, histogramFamily } from './family.ts';

/** Methods with a label of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';
/** The label where a path matches no route or belongs to no language, or where no response was sent. */
const NONE = 'none';

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly language: string };
  readonly byStatus: Map<number | undefined, number>;
  readonly durations: Histogram;
}

/** Labels are bounded: routes and not paths, methods that some resource has, languages of trees. */
export const requestMeter = () => {
  const all = new Map<string, Series>();
  let inProgress = 0;

  const seriesOf = ({ route = NONE, language = NONE, ...request }: CountedRequest): Series => {
    const method = METHODS.includes(request.method) ? request.method : OTHER;
    const key = `${method} ${language} ${route}`;
    const known = all.get(key);
    if (known) return known;
    const series = { labels: { method, route, language }, byStatus: new Map(), durations: histogram() };
    all.set(key, series);
    return series;
  };

  return {
    /** Called with each request before its response. */
    begin: (): void => {
      inProgress += 1;
    },
    /** Called with each completed request. */
    end: (request: CountedRequest): void => {
      inProgress -= 1;
      const { byStatus, durations } = seriesOf(request);
      const { status, duration } = request;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      if (duration !== undefined) durations.observe(duration / 1_000);
    },
    families: (): readonly Family[] => [
      counter(
        'catalogue_http_requests_total',
        'Requests by what was requested, the language of its tree, and the status of the response.',
        [...all.values()].flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, count]) => [{ ...labels, status: String(status ?? NONE) }, count] as const),
        ),
      ),
      histogramFamily(
        'catalogue_http_request_duration_seconds',
        'Seconds from the headers of a request to the end of its response.',
        [...all.values()].map(({ labels, durations }) => [labels, durations]),
      ),
      gauge('catalogue_http_requests_in_progress', 'Requests whose response has not ended.', inProgress),
    ],
  };
};
