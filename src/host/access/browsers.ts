/** Policies against pages that use the browser of somebody who can reach the service; programs are not affected. */
import type { IncomingHttpHeaders } from 'node:http';
import { isSafe } from '../../gateway/http/exchange.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import type { Policy } from '../server/server.ts';

export interface BrowserOptions {
  readonly listensOn: string;
  /** Names of the service, in lower case, that browsers may use beside those of the local machine; `*` is any. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const ANY = '*';
/** Names and addresses that always lead to the machine itself (RFC 6761 §6.3); IPv6 with brackets or without. */
const LOOPBACK = /^(?:(?:.*\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.toLowerCase());
}

/** A page may point its own name at this machine (DNS rebinding), and then has the same origin as the service. */
export function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return isLoopback(name) || allowedHosts.includes(name) || allowedHosts.includes(ANY);
}

function isOwnOrigin(origin: string, host = ''): boolean {
  const page = URL.parse(origin);
  return page !== null && page.host !== '' && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}

/** A body without a type needs no permission (CORS). `Sec-Fetch-Site` is `none` if the user makes the request; programs send neither header. */
function mayWrite({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders, allowedOrigins: readonly string[]) {
  if (site === undefined && origin === undefined) return true;
  if (site === undefined ? isOwnOrigin(origin ?? '', host) : site === 'same-origin' || site === 'none') return true;
  return allowedOrigins.includes(ANY) || allowedOrigins.includes(origin ?? '');
}

/** Over plain HTTP to a name that is not local, browsers omit `Sec-Fetch-Site`, and for GET also `Origin`. */
function isBrowser(headers: IncomingHttpHeaders): boolean {
  return (
    headers['sec-fetch-site'] !== undefined ||
    headers.origin !== undefined ||
    headers['user-agent']?.startsWith('Mozilla/') === true
  );
}

export function createBrowserPolicies({ listensOn, allowedHosts, allowedOrigins }: BrowserOptions): readonly Policy[] {
  const refuseForeignHosts: Policy = ({ headers }) => {
    const { host = '' } = headers;
    if (!isLoopback(listensOn) || !isBrowser(headers) || isAllowedHost(host, allowedHosts)) return undefined;
    return new Problem('forbidden', sentence('host-foreign', { host }));
  };
  const refuseForeignPages: Policy = ({ method = '', headers }) => {
    // A preflight asks for permission to write.
    const requested = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
    if (isSafe(requested ?? method) || mayWrite(headers, allowedOrigins)) return undefined;
    return new Problem('forbidden', sentence('origin-foreign', { origin: headers.origin ?? 'null' }));
  };
  return [refuseForeignHosts, refuseForeignPages];
}
