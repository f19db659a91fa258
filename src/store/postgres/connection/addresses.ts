/** Reads a database URL as libpq does: several hosts, folders of sockets, modes of TLS. */

/** One server. */
interface Address {
  /** As the driver takes it. */
  readonly url: string;
  /** For logs: without user, password and parameters. */
  readonly name: string;
}

/** User and password; hosts with their ports; the database; parameters. */
const ADDRESS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
/** An IPv6 address is in brackets; the slashes of a folder are percent-encoded. */
const HOST = /^(?:\[([\da-f:.]+)\]|((?:[\w.~-]|%2f)*))(?::(\d+))?$/i;

/** With libpq these verify nothing, or not everything. The driver verifies everything, and warns that this will change. */
const WEAK_TLS: ReadonlySet<string> = new Set(['allow', 'prefer', 'require', 'verify-ca']);

const TLS_MODES: ReadonlySet<string> = new Set([...WEAK_TLS, 'disable', 'no-verify', 'verify-full']);
/** Those that the driver knows. It ignores all others, and connects without TLS where they were to ask for it. */
export const TLS_PARAMETERS: readonly string[] = [
  'ssl',
  'sslcert',
  'sslkey',
  `sslmode (${[...TLS_MODES].join(', ')})`,
  'sslnegotiation',
  'sslrootcert',
];
const TLS_NAMES: ReadonlySet<string> = new Set(TLS_PARAMETERS.map((parameter) => parameter.replace(/ .*/, '')));

const parametersOf = (url: string): URLSearchParams => new URLSearchParams(ADDRESS.exec(url)?.[4]);

/** @returns the URL's `sslmode` where `verify-full` is used instead of it */
export const strengthened = (url: string): string | undefined => {
  const parameters = parametersOf(url);
  const mode = parameters.get('sslmode') ?? '';
  return WEAK_TLS.has(mode) && parameters.get('uselibpqcompat') !== 'true' ? mode : undefined;
};

/** @returns whether each parameter about TLS is one of `TLS_PARAMETERS` */
export const isTlsKnown = (url: string): boolean =>
  [...parametersOf(url)].every(([name, value]) =>
    name === 'sslmode' ? TLS_MODES.has(value) : !/^ssl/i.test(name) || TLS_NAMES.has(name),
  );

type Host = readonly [host: string, port: string];

/** @returns `undefined` where one of them is malformed */
const hostsOf = (authority: string, parameters: URLSearchParams): readonly Host[] | undefined => {
  const ports = (parameters.get('port') ?? '').split(',');
  const portOf = (at: number): string => ports[at] ?? ports[0] ?? '';
  const named = parameters.get('host');
  if (named) return named.split(',').map((host, at) => [host, portOf(at)]);
  const found = authority.split(',').map((each) => HOST.exec(each));
  if (found.includes(null)) return undefined;
  return found.map((each, at) => [decodeURIComponent(each?.[1] ?? each?.[2] ?? ''), each?.[3] ?? portOf(at)]);
};

const isPort = (port: string): boolean =>
  port === '' || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536);

const nameAt = ([host, port]: Host, path: string): string => {
  if (host.startsWith('/')) return `postgres://${path}?host=${host}${port === '' ? '' : `&port=${port}`}`;
  return `postgres://${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}${path}`;
};

/** @returns each server that a URL names, in its order; `undefined` where it is malformed */
export const addressesOf = (url: string): readonly Address[] | undefined => {
  const parts = ADDRESS.exec(url);
  if (!parts) return undefined;
  const [, user, authority = '', path = '/'] = parts;
  const hosts = hostsOf(authority, parametersOf(url));
  if (!hosts?.every(([, port]) => isPort(port))) return undefined;
  return hosts.map((each) => {
    const parameters = parametersOf(url);
    const [host, port] = each;
    if (host !== '') parameters.set('host', host);
    if (port !== '') parameters.set('port', port);
    if (strengthened(url) !== undefined) parameters.set('sslmode', 'verify-full');
    return {
      url: `postgres://${user === undefined ? '' : `${user}@`}${path}?${parameters}`,
      name: nameAt(each, path),
    };
  });
};

/** @returns the URL as logs may show it; empty where it is malformed */
export const publicAddress = (url: string): string => (addressesOf(url) ?? []).map(({ name }) => name).join(' or ');
