/** What the URL of a database on a server may say, as libpq reads it: several hosts, folders of sockets, modes of TLS. */

/** One server. */
interface Address {
  /** As the driver takes it. */
  readonly url: string;
  /** As it may be told: no password, no parameters. */
  readonly name: string;
}

/** User and password; hosts with their ports; the database; parameters. */
const PARTS = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
/** An IPv6 address stands in brackets, a folder's slashes are encoded. */
const HOST = /^(?:\[([\da-f:.]+)\]|((?:[\w.~-]|%2f)*))(?::(\d+))?$/i;

/** These verify nothing, or not all, with libpq; the driver verifies all the same, and warns that it will not for ever. */
const WEAK_TLS: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca']);

const parametersOf = (url: string): URLSearchParams => new URLSearchParams(PARTS.exec(url)?.[4]);

/** @returns the mode of TLS that a URL asks for and that is taken as `verify-full`; `undefined` where it means what it says */
export const strengthened = (url: string): string | undefined => {
  const parameters = parametersOf(url);
  const mode = parameters.get('sslmode') ?? '';
  return WEAK_TLS.has(mode) && parameters.get('uselibpqcompat') !== 'true' ? mode : undefined;
};

type Place = readonly [host: string, port: string];

/** @returns `undefined` where one cannot be read */
const placesOf = (authority: string, parameters: URLSearchParams): readonly Place[] | undefined => {
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

const nameAt = ([host, port]: Place, path: string): string => {
  if (host.startsWith('/')) return `postgres://${path}?host=${host}${port === '' ? '' : `&port=${port}`}`;
  return `postgres://${host.includes(':') ? `[${host}]` : host}${port === '' ? '' : `:${port}`}${path}`;
};

/** @returns each server that a URL names, in its order; `undefined` where it cannot be read */
export const addressesOf = (url: string): readonly Address[] | undefined => {
  const parts = PARTS.exec(url);
  if (!parts) return undefined;
  const [, user, authority = '', path = '/'] = parts;
  const places = placesOf(authority, parametersOf(url));
  if (!places?.every(([, port]) => isPort(port))) return undefined;
  return places.map((place) => {
    const parameters = parametersOf(url);
    const [host, port] = place;
    if (host !== '') parameters.set('host', host);
    if (port !== '') parameters.set('port', port);
    if (strengthened(url) !== undefined) parameters.set('sslmode', 'verify-full');
    return {
      url: `postgres://${user === undefined ? '' : `${user}@`}${path}?${parameters}`,
      name: nameAt(place, path),
    };
  });
};

/** What may be told of a URL: nothing of one that cannot be read. */
export const publicAddress = (url: string): string => (addressesOf(url) ?? []).map(({ name }) => name).join(' or ');
