import { expect, test } from 'vitest';
import { publicLookup, refuseHost } from '../../../src/host/hooks/addresses.ts';

const special = [
  '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.1 0x7f.1 2130706433 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8',
  '192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255',
  // None, loopback, mapped, NAT64, IPv6-only lists, Teredo, documentation, 6to4, unique local, link-local, multicast.
  '[::] [::1] [::ffff:127.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [100::1] [2001::1]',
  '[2001:db8::1] [2002:7f00:1::] [3fff::1] [5f00::1] [fc00::1] [fd12::1] [fe80::1] [ff02::1]',
].flatMap((line) => line.split(' '));
test.each(special)('%s is not spoken to', (host) => {
  expect(refuseHost(new URL(`https://${host}/`))?.message).toMatch(/ is not a public address$/);
});

test.each([
  ...['8.8.8.8', '1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '[2606:4700:4700::1111]', '[2a00:1450:4003::1]'],
  'shop.example',
])('%s may be spoken to, as far as its text says', (host) => {
  expect(refuseHost(new URL(`https://${host}/`))).toBeUndefined();
});

test.each([true, false])('a name is judged by its addresses; all of them: %s', async (all) => {
  const fault = await new Promise((resolve) => publicLookup('localhost', { all }, resolve));
  expect(fault).toMatchObject({ message: expect.stringMatching(/^(?:127\.0\.0\.1|::1) is not a public address$/) });
});
