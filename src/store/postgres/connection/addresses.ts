/** The modes of TLS that the driver knows. It ignores all others, and connects without TLS although they ask for it. */
const TLS_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const TLS_NAMES = ['ssl', 'sslcert', 'sslkey', 'sslmode', 'sslnegotiation', 'sslrootcert'];
export const TLS_PARAMETERS: readonly string[] = TLS_NAMES.map((name) =>
  name === 'sslmode' ? `sslmode (${TLS_MODES.join(', ')})` : name,
);

/** @returns the parts of a URL; `undefined` if it does not name one server of PostgreSQL */
function parseAddress(text: string) {
  // A host may be left out behind a user, as by libpq.
  const url = /^postgres(?:ql)?:\/\//.test(text)
    ? URL.parse(text.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#])/, '$1localhost'))
    : null;
  if (!url) return undefined;
  const port = url.searchParams.get('port') ?? url.port;
  if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)) return undefined;
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  // Which of several hosts is the primary is for a proxy to say.
  if (host.includes(',')) return undefined;
  return { host, port, path: url.pathname === '' ? '/' : url.pathname };
}

export const isAddress = (url: string): boolean => parseAddress(url) !== undefined;

/** @returns whether each parameter about TLS is one of `TLS_PARAMETERS` */
export function isTlsKnown(url: string): boolean {
  return [...(URL.parse(url)?.searchParams ?? [])].every(([name, value]) =>
    name === 'sslmode' ? TLS_MODES.includes(value) : !/^ssl/i.test(name) || TLS_NAMES.includes(name),
  );
}

/** @returns the URL as logs may show it, without user, password and parameters; empty if it is malformed */
export function publicAddress(url: string): string {
  const address = parseAddress(url);
  if (!address) return '';
  const { host, port, path } = address;
  if (host.startsWith('/')) return `postgres://${path}?host=${host}${port === '' ? '' : `&port=${port}`}`;
  return `postgres://${host}${port === '' ? '' : `:${port}`}${path}`;
}
