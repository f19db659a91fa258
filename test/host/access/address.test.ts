import { expect, test } from 'vitest';
import { clientAddress, createAddressReader, createRangeTest } from '../../../src/host/access/client.ts';

type Incoming = Parameters<ReturnType<typeof createAddressReader>>[0];

const from = (remoteAddress: string | undefined, forwarded?: string): Incoming =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as Incoming;

const trusting = createAddressReader(createRangeTest(['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8']));

test.each([
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['2001:db8::1', undefined, '2001:db8::1'],
  // Not from a proxy.
  ['192.0.2.1', '198.51.100.1', '192.0.2.1'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['fd12::1', '2001:db8::1', '2001:db8::1'],
  // What the client has made up.
  ['127.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '10.0.0.9, 198.51.100.1, 10.0.0.1, ::ffff:10.0.0.2', '198.51.100.1'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '', '127.0.0.1'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
  ['127.0.0.1', '10.0.0.1, 10.0.0.2', '127.0.0.1'],
  [undefined, '198.51.100.1', undefined],
  // As proxies write it.
  ['127.0.0.1', '2001:DB8::1', '2001:db8::1'],
  ['127.0.0.1', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['127.0.0.1', '[2001:db8:0::1]:51234', '2001:db8::1'],
  ['127.0.0.1', 'fe80::1%eth0', 'fe80::1'],
  ['127.0.0.1', '[fe80::1%25eth0]:443', 'fe80::1'],
  ['127.0.0.1', '198.51.100.1:51234', '198.51.100.1'],
  ['127.0.0.1', '::FFFF:198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '::ffff:c633:6401', '198.51.100.1'],
  ['127.0.0.1', '0:0:0:0:0:ffff:198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '198.51.100.1, [::ffff:10.0.0.2]:80', '198.51.100.1'],
  ['0:0:0:0:0:0:0:1', '198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '[198.51.100.1', '127.0.0.1'],
  ['127.0.0.1', '198.51.100.1:99:1', '127.0.0.1'],
])('a request from %s by way of %s is from %s', (address, forwarded, client) => {
  expect(trusting(from(address, forwarded))).toBe(client);
});

test('nobody is trusted who is not named', () => {
  expect(createAddressReader()(from('127.0.0.1', '198.51.100.1'))).toBe('127.0.0.1');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
  ['2001:DB8:1:2::6', '2001:db8:1:2:'],
  ['2001:db8::6', '2001:db8:0:0:'],
  ['::1', '0:0:0:0:'],
  ['', ''],
])('%s is counted as %s', (address, counted) => expect(clientAddress(address)).toBe(counted));
