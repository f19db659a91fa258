/** What a hostile service says leads nowhere else, has an end, and commands no terminal. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fetch } from '../../packages/parity/src/kit/dictionary.ts';
import { openGarage } from '../support/parity/garage.ts';
import { runParity } from '../support/parity/run-parity.ts';

const ORIGIN = 'http://catalogue.test';
const KEY = 'secret-key';

let garage: Awaited<ReturnType<typeof openGarage>>;
beforeAll(async () => {
  garage = await openGarage();
});
afterAll(() => garage.close());

/** Runs against a service whose answers are changed. @returns the exit code, what is printed, and the hosts that were asked */
async function run(change: (path: string, answer: Response) => Response | Promise<Response>, ...args: string[]) {
  const hosts = new Set<string>();
  const get: Fetch = async (url, init) => {
    hosts.add(new URL(url).host);
    expect(init?.redirect).toMatch(/^(?:manual|error)$/);
    const path = new URL(url).pathname + new URL(url).search;
    return change(path, await garage.send(path, init));
  };
  return { ...(await runParity([ORIGIN, '--key', KEY, ...args], get)), hosts: [...hosts] };
}

const elsewhere = ['https://evil.test/api/locales/en', '//evil.test/api/locales/en', '@evil.test/x', '.evil.test/x'];

test.each(elsewhere)('a dictionary at %s is not asked for', async (url) => {
  const links = [
    { tag: 'en', url },
    { tag: 'es', url: '/api/locales/es' },
  ];
  const { code, text, hosts } = await run((path, answer) => (path === '/api/locales' ? Response.json(links) : answer));
  expect([code, hosts]).toEqual([2, ['catalogue.test']]);
  expect(text).toContain('of the service');
});

test.each(elsewhere)('a next page at %s is not asked for', async (url) => {
  const { hosts, text } = await run(
    (path, answer) => {
      if (/number_of_elements|numero_de_elementos/.test(path)) answer.headers.set('link', `<${url}>; rel="next"`);
      return answer;
    },
    ...['--seed', '7', '--cases', '80'],
  );
  expect(hosts).toEqual(['catalogue.test']);
  expect(text).not.toContain(KEY);
});

const faults: readonly (readonly [fault: string, change: (dictionary: Record<string, unknown>) => object])[] = [
  ['a tag that is no language', (dictionary) => ({ ...dictionary, tag: '..' })],
  ['a tag with a path', (dictionary) => ({ ...dictionary, tag: 'en/../../x' })],
  [
    'a separator that is a pattern',
    (dictionary) => ({ ...dictionary, csv: { delimiter: '(a+)+$', byteOrderMark: false } }),
  ],
  ['no collections', ({ collections: _, ...dictionary }) => dictionary],
  [
    'a path on another host',
    (dictionary) => ({
      ...dictionary,
      collections: {
        cars: { word: 'cars', fields: {}, paths: { list: '@evil.test/cars', item: '@evil.test/cars/{cars}' } },
      },
    }),
  ],
];

test.each(faults)('a dictionary is refused for %s', async (_, change) => {
  const { code, text, hosts } = await run(async (path, answer) =>
    path === '/api/locales/en' ? Response.json(change((await answer.json()) as Record<string, unknown>)) : answer,
  );
  expect([code, hosts]).toEqual([2, ['catalogue.test']]);
  expect(text).toMatch(/dictionary/);
});

test('an answer without an end has one', async () => {
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode('['.repeat(1 << 20))) });
  for (const at of ['/api/locales/en', '/api/openapi.en.json', '/api/cars']) {
    const { code, text } = await run((path, answer) =>
      path === at ? new Response(endless(), { headers: { 'content-type': 'application/json' } }) : answer,
    );
    expect([code, text]).toEqual([2, expect.stringContaining('longer than')]);
  }
});

test('what would command a terminal is printed as text', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u009b\u202e';
  const { code, text } = await run(
    async (path, answer) => {
      if (!path.startsWith('/api/coches') || answer.status !== 200) return answer;
      const body = await answer.text();
      return new Response(body.replaceAll('"Seat"', JSON.stringify(`Seat${evil}`)), answer);
    },
    ...['--seed', '7', '--cases', '80'],
  );
  expect(code).toBe(1);
  expect(text).toContain('owned');
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});
