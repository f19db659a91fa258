import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Fetch } from '../../packages/parity/src/kit/dictionary.ts';
import { openApp, type TestOptions } from '../support/app/app.ts';
import { HOOK } from '../support/conformance/client-keys.ts';
import { everyKind, everyKindTables } from '../support/language/every-kind.ts';
import { folderWith } from '../support/language/new-languages.ts';
import { smallCatalogue, smallTables } from '../support/language/small-catalogue.ts';
import { type Fault, faults } from '../support/parity/faults.ts';
import { openGarage } from '../support/parity/garage.ts';
import { through } from '../support/parity/proxy.ts';
import { createItems, runParity } from '../support/parity/run-parity.ts';
import { temporaryFolder } from '../support/process/folder.ts';

const ORIGIN = 'http://catalogue.test';

let garage: Awaited<ReturnType<typeof openGarage>>;
beforeAll(async () => {
  garage = await openGarage();
});
afterAll(() => garage.close());

/** @returns the exit code, and what is printed */
const parity = (get: Fetch, ...args: readonly string[]) =>
  runParity([`${ORIGIN}/api/cars`, ...args], (url, init) => get(url.slice(ORIGIN.length), init));

const faulty = (fault: Partial<Fault>): Fetch => through(garage.send, fault);
const SEED = ['--seed', '7', '--cases', '80'];

test('languages that say the same: exit code 0, and what was compared', async () => {
  const junit = join(temporaryFolder(), 'junit.xml');
  const { code, text } = await parity(garage.send, ...SEED, '--write', '--junit', junit);
  expect(text).toMatch(/^seed 7$/m);
  expect(text).toMatch(/^parameters: .*marca \d+.*ordenar_por \d+/m);
  expect(text).toMatch(/^statuses: .*200 \d+.*201 \d.*404 \d+/m);
  expect(text).toMatch(/^What cannot be read in both words was not compared: text\/event-stream$/m);
  expect(text).toMatch(
    / in en, es: \d+ the same, 0 not comparable, 0 different \(0 causes\); documents: 0 differences$/m,
  );
  expect(code).toBe(0);
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('<testcase classname="parity" name="en-es: carsGroup: list or item"></testcase>');
  expect(xml).toContain(' failures="0" errors="0">');
});

const boat = {
  ...{ name: 'Aurora', berths: 6, hasEngine: true, price: 12_990.5, launched: '2008-11-30', rig: 'ketch' },
  ...{ surveyed: '2024-05-06T07:08:09Z', page_url: 'https://example.com/a?b=1', port: 'Gijón' },
};
const port = ['/api/ports', { place: 'Gijón', depth: 9 }] as const;
const boats = ['a', 'b/ñ', 'c'].map((code) => ['/api/boats', { ...boat, code }] as const);
const cars = ['a', 'b/ñ', 'c'].map((brand) => ['/api/cars', { identifier: brand, brand, model: 'M' }] as const);
const brands = cars.map(([list, { identifier, brand }]) => [list, { identifier, brand }] as const);

/** @returns what asks a service with some items, which is closed at the end of the test */
const openWith = async (options: TestOptions, ...items: Parameters<typeof createItems>[1]): Promise<Fetch> => {
  const { app, close } = await openApp(options);
  onTestFinished(() => close());
  const get: Fetch = async (url, init) => app.request(url, init);
  await createItems(get, items);
  return get;
};

test.each([
  ['three languages', () => ({ locales: folderWith('en', 'es', 'pt') }), cars, 'en, es, pt'],
  ['another catalogue', () => ({ catalogue: smallCatalogue, locales: smallTables() }), brands, 'en, es'],
  ['fields of every kind', () => ({ catalogue: everyKind, locales: everyKindTables() }), [port, ...boats], 'en, es'],
])('%s', async (_, getOptions, items, tags) => {
  const { code, text } = await parity(await openWith(getOptions(), ...items), ...SEED, '--write');
  expect(text).toMatch(new RegExp(` in ${tags}: \\d+ the same, 0 not comparable, 0 different`));
  expect(text).toMatch(/, write: create \d/);
  expect(text).toMatch(/^statuses: .*\b201 [1-9]/m);
  expect([code, code === 0 ? '' : text]).toEqual([0, '']);
});

test('a decimal point in a Spanish table is found', async () => {
  const send = await openWith({ catalogue: everyKind, locales: everyKindTables() }, port, ...boats);
  const get: Fetch = async (url, init) => {
    const answer = await send(url, init);
    if (!url.includes('/barcos') || !answer.headers.get('content-type')?.startsWith('text/csv')) return answer;
    return new Response(`\uFEFF${(await answer.text()).replaceAll('12990,50', '12990.50')}`, answer);
  };
  const { code, text } = await parity(get, '--seed', '7', '--cases', '300');
  expect([code, text]).toEqual([1, expect.stringContaining('es: "12990.50"')]);
});

describe('a fault is found', () => {
  test('although both languages have it: the service fails', async () => {
    const failing: Fetch = async (url, init) =>
      /[?&](?:search|buscar)=/.test(url)
        ? Response.json({ code: 'internal' }, { status: 500 })
        : garage.send(url, init);
    const { code, text } = await parity(failing, ...SEED);
    expect([code, text]).toEqual([1, expect.stringContaining('en and es: status 500 and 500')]);
  });

  test('once for each cause, by the smallest request, as two commands; and is asked again', async () => {
    const file = join(temporaryFolder(), 'cases.json');
    const fault = faults.find(({ name }) => name === 'a number as a text') ?? {};
    const { code, text } = await parity(faulty(fault), ...SEED, '--save', file);
    expect(code).toBe(1);
    const [finding = ''] = text.split('\n\n');
    expect(finding.replaceAll(/k%2F[\w-]+|\d+ requests/g, '…')).toMatchInlineSnapshot(`
      "seed 7
      1. en and es: body/anio (…)
        curl -i 'http://catalogue.test/api/cars'
        curl -i 'http://catalogue.test/api/coches'
        body/1/anio   en: 2003   es: "2003"
        body/2/anio   en: 2006   es: "2006"
        body/3/anio   en: 2009   es: "2009""
    `);
    const again = await parity(faulty(fault), '--replay', file);
    expect([again.code, again.text]).toEqual([1, expect.stringContaining('body/anio')]);
    expect((await parity(garage.send, '--replay', file)).code).toBe(0);
  });
});

test('the results are written for code scanning, for programs and for people', async () => {
  const folder = temporaryFolder();
  const files = ['sarif', 'json', 'html'].map((name) => [`--${name}`, join(folder, name)]);
  const fault = faults.find(({ name }) => name === 'a number as a text') ?? {};
  await parity(faulty(fault), ...SEED, ...files.flat());
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { version, runs } = JSON.parse(read('sarif'));
  expect([version, runs[0].results[0].ruleId]).toEqual(['2.1.0', 'en and es: body/anio']);
  const { findings, notCompared } = JSON.parse(read('json'));
  expect(findings[0]).toMatchObject({
    cause: 'en and es: body/anio',
    commands: [expect.stringMatching(/cars/), expect.stringMatching(/coches/)],
  });
  expect(notCompared).toEqual(['text/event-stream']);
  const page = read('html');
  expect(page).toContain('<html lang="en">');
  expect(page).toContain('<h2>en and es: body/anio</h2>');
  expect(page).toContain('es: &#34;2003&#34;');
  expect(page).toContain('was not compared: text/event-stream.</p>');
});

describe('too little can be compared: exit code 2, and why', () => {
  const limited: Fetch = async (url, init) =>
    /cars|coches/.test(url) && !url.includes('locales') ? new Response(null, { status: 401 }) : garage.send(url, init);
  const broken: Fetch = async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  };
  test.each<readonly [why: string, get: Fetch, args: readonly string[]]>([
    ['the service has no language fr', (...sent) => garage.send(...sent), ['--languages', 'en,fr']],
    ['there is one language only', (...sent) => garage.send(...sent), ['--languages', 'en']],
    ['give a --key that may read', limited, []],
    ['fetch failed: connect ECONNREFUSED', broken, []],
    ['--seed must be a whole number from 1', (...sent) => garage.send(...sent), ['--seed', 'x']],
    ["Unknown option '--writes'", (...sent) => garage.send(...sent), ['--writes']],
    ['give one URL', (...sent) => garage.send(...sent), ['more']],
    ['20 cases were compared, fewer than 50', (...sent) => garage.send(...sent), ['--cases', '20']],
  ])('%s', async (why, get, args) => {
    const { code, text } = await parity(get, ...args);
    expect([code, text]).toEqual([2, expect.stringContaining(why)]);
  });

  test('an empty catalogue', async () => {
    const { code, text } = await parity(await openWith({}), ...SEED);
    expect([code, text]).toEqual([2, expect.stringContaining('no items')]);
  });

  test('a list that is different each time', async () => {
    let count = 0;
    const moving: Fetch = async (url, init) => {
      const answer = await garage.send(url, init);
      answer.headers.set('x-total-count', `${count++}`);
      return answer;
    };
    const { code, text } = await parity(moving, ...SEED, '--languages', 'es,en');
    expect([code, text]).toEqual([2, expect.stringContaining('too little to compare: 0 cases were compared')]);
  });
});

test('nothing is written where there are web hooks', async () => {
  const { app, store, close } = await openApp();
  onTestFinished(() => close());
  const get: Fetch = async (url, init) => app.request(url, init);
  await store.hooks.add(HOOK);
  expect(await parity(get, ...SEED, '--write')).toEqual({
    code: 2,
    text: '--write is refused: there are web hooks (1), which would be told of what it writes',
  });
  const index = await (await get('/api')).text();
  expect(JSON.parse(index).hooks).toBe(1);
  expect(index).not.toContain(HOOK.url);
  await store.hooks.remove(HOOK.id);
  expect(await parity(get, ...SEED, '--write')).toEqual({ code: 2, text: expect.stringMatching(/write: create \d/) });
});

test('what a run that was ended has left is removed, and nothing else', async () => {
  await createItems(garage.send, [['/api/cars', { identifier: 'parity-1-en', brand: 'x', model: 'y' }]]);
  expect(await parity(garage.send, '--clean')).toEqual({ code: 0, text: '1 items removed' });
  expect(await parity(garage.send, '--clean')).toEqual({ code: 0, text: '0 items removed' });
  expect((await garage.send('/api/cars/parity-1-en')).status).toBe(404);
  expect((await garage.send('/api/cars')).headers.get('x-total-count')).toBe('30');
});
