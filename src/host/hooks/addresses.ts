import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createRangeTest } from '../access/client.ts';

/** Addresses that are not, or not only, on the internet (IANA's registries of special-purpose and multicast addresses). */
const special4 = createRangeTest([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]);
/** Everything outside 2000::/3, and in it what leads to an IPv4 address or nowhere. In its ranges an IPv4 address is a mapped one. */
const special6 = createRangeTest([
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

function isSpecial(address: string): boolean {
  return (isIP(address) === 4 ? special4 : special6)(address);
}

function refuseAddress(address: string): Error {
  return new Error(`${address} is not a public address`);
}

/** Resolves a name to addresses that are all public: what is connected to is what was judged. */
export const publicLookup: LookupFunction = (name, options, callback) => {
  resolve(name, { ...options, all: true }, (error, addresses) => {
    const special = error ? undefined : addresses.find(({ address }) => isSpecial(address));
    const fault = error ?? (special && refuseAddress(special.address));
    const [first] = addresses ?? [];
    if (fault) callback(fault, []);
    else if (options.all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  });
};

/** @returns why nothing is sent to the host of a URL, if it is a special address, which nobody looks up */
export function refuseHost({ hostname }: URL): Error | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && isSpecial(address) ? refuseAddress(address) : undefined;
}
