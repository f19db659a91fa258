/** Clients: the address or the credential of a request, and as what it is counted and logged. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';
import type { AddressOf } from '../../gateway/http/context.ts';
import type { MaybePromise } from '../../util/maybe-promise.ts';

export interface Client {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Remembers the client of each request for the log, for idempotency keys and for shares. */
export type KnownClients = WeakMap<IncomingMessage, Client>;

/** @returns by what a client is counted: by its key, else by the address of its request */
export function findAccount(client: Client | undefined, address = ''): string {
  return client ? `key ${client.id}` : clientAddress(address);
}

/** Creates the function that names the client to which a request is counted */
export function createAccountReader(clients: KnownClients, readAddress: AddressOf) {
  return (incoming: IncomingMessage): string => findAccount(clients.get(incoming), readAddress(incoming));
}

/** @returns the client that a credential belongs to; `undefined` if it is unknown, expired or revoked */
export type Identify = (credential: string) => MaybePromise<Client | undefined>;

/** RFC 6750 §2.1 */
const BEARER = /^Bearer +([\w\-.~+/]+=*)$/i;

/** @returns the key or token of a request; any other scheme of `Authorization` is ignored, because it may be meant for a proxy */
export function readCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1] ?? (typeof key === 'string' ? key : undefined);
}

const MAPPED = '::ffff:';
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/** @returns the one writing of it, by which addresses are compared; for one that is mapped into IPv6, the IPv4 address */
function normalizeAddress(text: string): string {
  const [address = ''] = text.replace(WITH_PORT, '$1$2').split('%', 1);
  if (isIP(address) !== 6) return address;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  return short.startsWith(MAPPED) && short.includes('.') ? short.slice(MAPPED.length) : short;
}

function addressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

export function createRangeTest(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    if (length === undefined) list.addAddress(address, addressFamily(address));
    else list.addSubnet(address, Number(length), addressFamily(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, addressFamily(address));
}

/** Behind trusted proxies the client is the last address that is none of them: it may have made up those before it. */
export function createAddressReader(isTrusted: (address: string) => boolean = () => false): AddressOf {
  return ({ socket: { remoteAddress }, headers }) => {
    const nearest = remoteAddress && normalizeAddress(remoteAddress);
    if (!nearest || !isTrusted(nearest)) return nearest;
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    const client = hops.map((hop) => normalizeAddress(hop.trim())).findLast((hop) => !isTrusted(hop));
    // If the proxies name no client, or something that is not an address, the nearest proxy counts as the client.
    return client !== undefined && isIP(client) !== 0 ? client : nearest;
  };
}

/** @returns the first four groups of an IPv6 address; one client may own the whole second half */
function findSubnet(address: string): readonly string[] {
  const [front = '', back] = address.toLowerCase().split('::', 2);
  const groups = front.split(':').filter(Boolean);
  const rest = back?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(back === undefined ? 0 : 8 - groups.length - rest.length).fill('0');
  return [...groups, ...zeros, ...rest].slice(0, 4);
}

/** @returns the address by which a client is counted; for an IPv6 address, its subnet (/64) */
export function clientAddress(address: string): string {
  return address.includes(':') ? `${findSubnet(address).join(':')}:` : address;
}

function maskAddress(address: string): string {
  return address.includes(':')
    ? `${findSubnet(address).slice(0, 3).join(':')}::`
    : `${address.slice(0, address.lastIndexOf('.') + 1)}0`;
}

/** @param mode `masked`: without the last part of an IPv4, and all but the first 48 bits of an IPv6 address */
export function createLoggedAddressReader(mode: 'on' | 'masked' | 'off', read: AddressOf): AddressOf {
  if (mode === 'on') return read;
  return (incoming) => {
    const address = mode === 'off' ? undefined : read(incoming);
    return address && maskAddress(address);
  };
}
