import type { CountedRequest } from '../../gateway/model/events.ts';
import { counter, type Family, gauge, histogramFamily } from './family.ts';
import { type Histogram, histogram, SECONDS } from './histogram.ts';

/** Methods with a label of their own. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const OTHER = 'other';
/** The label where a path matches no route or belongs to no language, or where no response was sent. */
const NONE = 'none';

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly language: string };
  readonly byStatus: Map<number | undefined, { count: number }>;
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
    const series = { labels: { method, route, language }, byStatus: new Map(), durations: histogram(SECONDS) };
    all.set(key, series);
    return series;
  };
  const count = (request: CountedRequest): void => {
    const { byStatus, durations } = seriesOf(request);
    const { status, duration } = request;
    const same = byStatus.get(status);
    if (same) same.count += 1;
    else byStatus.set(status, { count: 1 });
    if (duration !== undefined) durations.observe(duration / 1_000);
  };

  return {
    /** Called with each request before its response. */
    begin: (): void => {
      inProgress += 1;
    },
    /** Called with each completed request. */
    end: (request: CountedRequest): void => {
      inProgress -= 1;
      count(request);
    },
    families: (): readonly Family[] => [
      counter(
        'catalogue_http_requests_total',
        'Requests by what was requested, the language of its tree, and the status of the response.',
        [...all.values()].flatMap(({ labels, byStatus }) =>
          [...byStatus].map(([status, same]) => [{ ...labels, status: String(status ?? NONE) }, same.count] as const),
        ),
      ),
      histogramFamily(
        'catalogue_http_request_duration_seconds',
        'Seconds from the headers of a request to the end of its response.',
        [...all.values()].flatMap(({ labels, durations }) => durations.samples(labels)),
      ),
      gauge('catalogue_http_requests_in_progress', 'Requests whose response has not ended.', inProgress),
    ],
  };
};
