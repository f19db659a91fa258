import type { IncomingHttpHeaders } from 'node:http';
import { isSafe, REQUESTED_METHOD } from '../../gateway/http/request.ts';
import { type Sentence, sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Policy } from '../server/requests.ts';

export interface BrowserOptions {
  /** Address or name that the service listens on. */
  readonly listensOn: string;
  /** Names of the service, in lower case, that browsers may use beside those of the local machine; `*` is any. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may write beside the service's own; `*` is any. */
  readonly allowedOrigins: readonly string[];
}

const ANY = '*';

/** A host without its port. */
const hostnameOf = (host: string): string => host.replace(/:\d*$/, '').toLowerCase();

/** Names and addresses that always lead to the machine itself (RFC 6761 §6.3); IPv6 with brackets or without. */
const LOOPBACK = /^(?:(?:.*\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

/** @param host an address or a name */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host.toLowerCase());

const forbidden = (detail: Sentence): Problem => new Problem('forbidden', detail);

/** Whether the page is of the service's own origin, by its `Origin`; the scheme is the proxy's business. */
const isOwn = (origin: string, host = ''): boolean => {
  const page = URL.parse(origin);
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
};

/**
 * A foreign page must not write through the browser of somebody who can reach the service: a body without a type needs no
 * permission (CORS). A page of the same site but another origin is foreign, too; `Sec-Fetch-Site` is `none` where the user
 * makes the request. Programs send none of these headers.
 */
const refuseForeignPages =
  ({ allowedOrigins }: BrowserOptions): Policy =>
  ({ method = '', headers }) => {
    // A preflight asks for permission to write.
    const requested = method === 'OPTIONS' ? headers[REQUESTED_METHOD] : undefined;
    if (isSafe(requested ?? method)) return undefined;
    const { origin, host, 'sec-fetch-site': site } = headers;
    if (site === undefined && origin === undefined) return undefined;
    if (site === undefined ? isOwn(origin ?? '', host) : site === 'same-origin' || site === 'none') return undefined;
    if (allowedOrigins.includes(ANY) || allowedOrigins.includes(origin ?? '')) return undefined;
    return forbidden(sentence('origin-foreign', { origin: origin ?? 'null' }));
  };

/** Over plain HTTP to a name that is not local, browsers omit `Sec-Fetch-Site`, and for GET also `Origin`. */
const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] !== undefined ||
  headers.origin !== undefined ||
  headers['user-agent']?.startsWith('Mozilla/') === true;

/** A page may point its own name at this machine (DNS rebinding), and then has the same origin as the service. */
const refuseForeignHosts =
  ({ allowedHosts }: BrowserOptions): Policy =>
  ({ headers }) => {
    if (!isBrowser(headers)) return undefined;
    const { host = '' } = headers;
    const name = hostnameOf(host);
    return isLoopback(name) || allowedHosts.includes(name) ? undefined : forbidden(sentence('host-foreign', { host }));
  };

/** @returns the policies for browsers; other clients are not affected */
export const browserPolicies = (options: BrowserOptions): readonly Policy[] => {
  const isExposed = isLoopback(options.listensOn) && !options.allowedHosts.includes(ANY);
  return [...(isExposed ? [refuseForeignHosts(options)] : []), refuseForeignPages(options)];
};
