/** Every document and page, in every language and of every catalogue: no sentence in it lacks one of its values. */
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { catalogue as dealer } from '../../../examples/dealer/catalogue.ts';
import { catalogue as own } from '../../../src/catalogue.ts';
import { fill } from '../../../src/gateway/locale/language.ts';
import { collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, text } from '../../../src/gateway/model/fields.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue as cars } from '../../support/cars/catalogue.ts';
import { dealerTables } from '../../support/language/dealer.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { listedOils, listedOilsTables } from '../../support/language/listed.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { temporaryFolderWith } from '../../support/language/new-languages.ts';
import { smallCatalogue, smallTables } from '../../support/language/small-catalogue.ts';
import { project } from '../../support/process/service.ts';

const FAULT = /.{0,60}(?:undefined|\[object|\bNaN\b).{0,30}/g;
/** The members of JSON that people read. */
const PROSE = ['description', 'summary', 'title', 'detail', 'remedy', 'explanation', 'label'];
const PLACEHOLDER = /.{0,60}\{\w*\}.{0,30}/g;

const faultsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([found]) => found);

// biome-ignore lint/suspicious/noExplicitAny: any JSON is walked
const faultsOf = (json: any, member = ''): readonly string[] => {
  if (typeof json === 'string') {
    return [...faultsIn(json, FAULT), ...(PROSE.includes(member) ? faultsIn(json, PLACEHOLDER) : [])];
  }
  if (json === null || typeof json !== 'object') return [];
  return Object.entries(json).flatMap(([name, value]) => [
    ...faultsIn(name, FAULT),
    ...faultsOf(value, Array.isArray(json) ? member : name),
  ]);
};

const withoutExamples = defineCatalogue(collection('cars', { identifier: key(), brand: text({ max: 9 }) }));

const catalogues = [
  ['the service', own, () => join(project, 'locales')],
  ['the tests', cars, () => temporaryFolderWith('ca', 'en', 'es', 'pt')],
  ['a list across parents', listedOils, () => listedOilsTables(onTestFinished)],
  ['every kind of field', everyKind, () => everyKindTables(onTestFinished)],
  ['one optional text', smallCatalogue, () => smallTables()],
  ['cars without examples', withoutExamples, () => smallTables()],
  ['one language', cars, () => folderOf({ 'en.json': tableOf('en') }, onTestFinished)],
  ['the example of a dealer', dealer, () => dealerTables(onTestFinished)],
] as const;

/** What needs a key, and what has nothing to do with the catalogue, has the same sentences in every catalogue. */
const cases = catalogues.flatMap(([name, ...rest]) =>
  (name === 'the tests' ? (['open', 'write', 'all'] as const) : (['open'] as const)).map(
    (access) => [name, access, ...rest] as const,
  ),
);

test.each(cases)('%s where access is %s: every sentence is whole', async (name, access, catalogue, tables) => {
  const { request, close } = await openApp({ catalogue, locales: tables(), access });
  onTestFinished(close);
  const languages: readonly { readonly tag: string }[] = JSON.parse(await (await request('/api/locales')).text());
  for (const { tag } of languages) {
    const paths = [
      ...['/api', `/api/openapi.${tag}.json`, '/', ...(access === 'open' ? [`/api/locales/${tag}`, '/docs/'] : [])],
      ...(name === 'the tests' && access === 'open'
        ? [
            ...['/api/locales', '/livez', '/readyz', '/nowhere', '/api/nowhere', '/api/problems'],
            ...Object.keys(problems).map((code) => `/api/problems/${code}`),
          ]
        : []),
    ];
    for (const path of paths) {
      for (const accept of ['application/json', 'text/html']) {
        const response = await request(path, { headers: { accept, 'accept-language': tag } });
        const type = response.headers.get('content-type') ?? '';
        const content = await response.text();
        const faults = type.includes('json')
          ? faultsOf(JSON.parse(content))
          : [...faultsIn(content, FAULT), ...faultsIn(content.replaceAll(/ data-[\w-]+="[^"]*"/g, ''), PLACEHOLDER)];
        const isThere = response.status < 500;
        expect([access, tag, path, type, isThere, faults]).toEqual([access, tag, path, type, true, []]);
      }
    }
  }
});

test.each([
  [
    'a text without a value',
    'the {thing} is {state}',
    { thing: 'car' },
    'no value for {state}: the {thing} is {state}',
  ],
  ['a value that is undefined', '{thing}', { thing: undefined }, 'no value for {thing}: {thing}'],
])('%s is an error in tests and development, and elsewhere is said as far as it is known', (_, text, values, fault) => {
  for (const kind of ['test', 'development']) {
    vi.stubEnv('NODE_ENV', kind);
    expect(() => fill(text, values)).toThrow(fault);
  }
  for (const kind of ['production', undefined]) {
    vi.stubEnv('NODE_ENV', kind);
    expect(fill(text, values)).toBe(text.replace('{thing}', values.thing ?? '{thing}'));
  }
  vi.unstubAllEnvs();
});
