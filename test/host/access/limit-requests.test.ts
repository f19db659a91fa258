/** Requests that follow each other on one connection. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../../../src/host/access/client.ts';
import { limitRequests, RequestCounter } from '../../../src/host/access/policies.ts';
import type { Admission } from '../../../src/host/server/server.ts';

interface Sender {
  readonly from: string;
  readonly key?: string;
}

/** @returns a function that sends a request and returns what is left of its sender's quota */
const connect = () => {
  const socket = new Socket();
  let address = '';
  const limit = limitRequests({ quota: 10, window: 60 }, () => address);
  return ({ from, key }: Sender): number => {
    address = from;
    const incoming = new IncomingMessage(socket);
    const admission: Admission = { kind: 'tree' };
    limit(incoming, admission, key === undefined ? undefined : { id: key, name: key, scopes: [] });
    return Number(/;r=(\d+)/.exec(admission.policyHeaders?.RateLimit ?? '')?.[1]);
  };
};

test.each<readonly [what: string, one: Sender, other: Sender]>([
  ['addresses', { from: '192.0.2.1' }, { from: '192.0.2.2' }],
  ['keys', { from: '192.0.2.1', key: 'a' }, { from: '192.0.2.1', key: 'b' }],
  ['an address and a key', { from: '192.0.2.1' }, { from: '192.0.2.1', key: 'a' }],
  ['subnets', { from: '2001:db8::1' }, { from: '2001:db8:0:1::1' }],
])('%s are counted apart', (_what, one, other) => {
  const send = connect();
  expect([send(one), send(other), send(one), send(other)]).toEqual([9, 9, 8, 8]);
});

test('other quotas are those of a key, or else the greatest of its scopes; who has none of these has the general one', () => {
  const others = new Map([
    ['read', 20],
    ['write', 30],
    ['small', 2],
  ]);
  const limit = limitRequests({ quota: 10, window: 60, others }, () => '192.0.2.1');
  const ask = (client?: Client): string => {
    const admission: Admission = { kind: 'tree' };
    limit(new IncomingMessage(new Socket()), admission, client);
    return `${admission.policyHeaders?.['RateLimit-Policy']} ${admission.policyHeaders?.RateLimit?.split(';')[1]}`;
  };
  const policies = [
    undefined,
    { id: 'a', name: 'shop', scopes: [] },
    { id: 'b', name: 'shop', scopes: ['constructor'] },
    { id: 'c', name: 'shop', scopes: ['read'] },
    { id: 'd', name: 'shop', scopes: ['read', 'write'] },
    { id: 'small', name: 'shop', scopes: ['read', 'write'] },
  ].map(ask);
  expect(policies).toEqual([
    '"default";q=10;w=60 r=9',
    '"default";q=10;w=60 r=9',
    '"default";q=10;w=60 r=9',
    '"default";q=20;w=60 r=19',
    '"default";q=30;w=60 r=29',
    '"default";q=2;w=60 r=1',
  ]);
});

test('addresses of one subnet are counted together', () => {
  const send = connect();
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::1'];
  expect(addresses.map((from) => send({ from }))).toEqual([9, 8, 7]);
});

test('a new window begins on a connection that stays open', () => {
  vi.useFakeTimers({ now: 60_000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const send = connect();
  expect([send({ from: '192.0.2.1' }), send({ from: '192.0.2.1' })]).toEqual([9, 8]);
  vi.setSystemTime(119_999);
  expect(send({ from: '192.0.2.1' })).toBe(7);
  vi.setSystemTime(120_000);
  expect(send({ from: '192.0.2.1' })).toBe(9);
});

test('a client has its count in each window, whatever others do', () => {
  const counter = new RequestCounter(60);
  const start = 60_000_000;
  const requests: readonly (readonly [client: string, time: number, count: number])[] = [
    ['a', start, 1],
    ['a', start, 2],
    ['b', start, 1],
    ['a', start + 59_999, 3],
    ['a', start + 60_000, 1],
    ['b', start + 60_000, 1],
    ['b', start + 60_000, 2],
    // The clock was set back.
    ['b', start - 1, 1],
  ];
  for (const [client, time, count] of requests)
    expect(counter.count(client, time).count, `${client} ${time}`).toBe(count);
  expect(counter.count('c', 61_000)).toEqual({ count: 1, end: 120_000 });
});

test('however many addresses are made up, a client that sends on is not forgotten', () => {
  const counter = new RequestCounter(60);
  const times = [];
  for (let at = 0; at < 120_000; at++) {
    counter.count(`address ${at}`, 0);
    if (at % 1_000 === 0) times.push(counter.count('client', 0).count);
  }
  expect(times).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
  expect(counter.count('address 119999', 0).count).toBe(2);
  expect(counter.count('address 0', 0).count).toBe(1);
});
