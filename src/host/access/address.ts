import { BlockList, isIP, SocketAddress } from 'node:net';
import type { AddressOf } from '../../gateway/http/context.ts';

const MAPPED = '::ffff:';

/** An address in brackets, or an IPv4 address, and its port. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * @param text an address in any writing: in brackets, with a port or a zone, with leading zeros or in capital letters (RFC 5952 §2)
 * @returns the one writing of it, by which addresses are compared; for one that is mapped into IPv6, the IPv4 address
 */
function normalizeAddress(text: string): string {
  const [bare = ''] = text.replace(WITH_PORT, '$1$2').split('%', 1);
  if (isIP(bare) !== 6) return bare;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/**
 * @param ranges addresses, or subnets such as `10.0.0.0/8`
 * @returns a function that tells whether an address is in one of the ranges
 */
export const inRanges = (ranges: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    if (length === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(length), familyOf(address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
};

/**
 * Behind trusted proxies the client is the last address in `X-Forwarded-For` that is not one of them: the client may have made
 * up those before it.
 *
 * @param isTrusted tells whether an address is one of those proxies; without it, every peer is a client
 * @returns a function that reads the address of a request's client
 */
export const addressReader = (isTrusted?: (address: string) => boolean): AddressOf => {
  const own: AddressOf = ({ socket: { remoteAddress } }) => remoteAddress && normalizeAddress(remoteAddress);
  if (!isTrusted) return own;
  return (incoming) => {
    const nearest = own(incoming);
    if (nearest === undefined || !isTrusted(nearest)) return nearest;
    const { 'x-forwarded-for': forwarded = '' } = incoming.headers;
    const hops = String(forwarded)
      .split(',')
      .map((hop) => normalizeAddress(hop.trim()))
      .reverse();
    const first = hops.findIndex((hop) => !isTrusted(hop));
    // Where the proxies name no client, or something that is not an address, the nearest proxy counts as the client.
    const client = hops[first];
    return client !== undefined && isIP(client) !== 0 ? client : nearest;
  };
};

/** The first half of an IPv6 address; one client may own the whole second half. */
const SUBNET = /^(?:[0-9a-f]{1,4}:){4}/;

const subnetOf = (address: string): string => {
  const [front = '', back] = address.toLowerCase().split('::', 2);
  const zeros = back === undefined ? 0 : 8 - [front, back].join(':').split(':').filter(Boolean).length;
  const full = `${[...front.split(':').filter(Boolean), ...Array<string>(zeros).fill('0')].join(':')}:${back ?? ''}:`;
  return SUBNET.exec(full)?.[0] ?? address;
};

/** @returns the address by which requests are counted; for an IPv6 address, its subnet (/64) */
export function rateLimitAddress(address: string): string {
  return address.includes(':') ? subnetOf(address) : address;
}

/** What the log says of addresses: all of them, or without the last part of an IPv4 and all but the first 48 bits of an IPv6 one. */
type AddressMode = 'on' | 'masked' | 'off';

function maskAddress(address: string): string {
  return address.includes(':')
    ? `${subnetOf(address).split(':', 3).join(':')}::`
    : `${address.slice(0, address.lastIndexOf('.') + 1)}0`;
}

/** @returns a function that reads the address of a request's client as it is logged */
export const loggedAddressOf = (mode: AddressMode, addressOf: AddressOf): AddressOf => {
  if (mode === 'off') return () => undefined;
  if (mode === 'on') return addressOf;
  return (incoming) => {
    const address = addressOf(incoming);
    return address && maskAddress(address);
  };
};
