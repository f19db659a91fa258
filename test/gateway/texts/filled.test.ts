/** Every document and page, in every language and of every catalogue: no sentence in it lacks one of its values. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { catalogue as dealer } from '../../../examples/dealer/catalogue.ts';
import { catalogue as own } from '../../../src/catalogue.ts';
import { fill } from '../../../src/gateway/locale/language.ts';
import { problems } from '../../../src/gateway/texts/problem.ts';
import { openApp } from '../../support/app/app.ts';
import { catalogue as cars } from '../../support/cars/catalogue.ts';
import { dealerTables } from '../../support/language/dealer.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { listedOils, listedOilsTables } from '../../support/language/listed.ts';
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

const catalogues = [
  ['the service', own, () => join(project, 'locales')],
  ['the tests', cars, () => temporaryFolderWith('ca', 'en', 'es', 'pt')],
  ['a list across parents', listedOils, () => listedOilsTables(onTestFinished)],
  ['every kind of field', everyKind, () => everyKindTables(onTestFinished)],
  ['one optional text', smallCatalogue, () => smallTables()],
  ['the example of a dealer', dealer, () => dealerTables(onTestFinished)],
] as const;

describe.each(catalogues)('the catalogue of %s', (name, catalogue, tables) => {
  // What needs a key has the same sentences in every catalogue.
  test.each(name === 'the tests' ? (['open', 'write', 'all'] as const) : (['open'] as const))(
    'is described in whole sentences where access is %s',
    async (access) => {
      const { request, close } = await openApp({ catalogue, locales: tables(), access });
      try {
        const languages: readonly { readonly tag: string }[] = JSON.parse(await (await request('/api/locales')).text());
        expect(languages.length).toBeGreaterThan(1);
        for (const { tag } of languages) {
          const ofAccess = ['/api', `/api/openapi.${tag}.json`, '/'];
          const others = [
            ...['/api/locales', `/api/locales/${tag}`, '/livez', '/readyz', '/docs/', '/nowhere', '/api/nowhere'],
            ...['/api/problems', '/api/problems/not-found'],
            // What a problem is has nothing to do with the catalogue.
            ...(name === 'the tests' ? Object.keys(problems).map((code) => `/api/problems/${code}`) : []),
          ];
          for (const path of access === 'open' ? [...ofAccess, ...others] : ofAccess) {
            for (const accept of ['application/json', 'text/html']) {
              const response = await request(path, { headers: { accept, 'accept-language': tag } });
              const type = response.headers.get('content-type') ?? '';
              const text = await response.text();
              const faults = type.includes('json')
                ? faultsOf(JSON.parse(text))
                : [...faultsIn(text, FAULT), ...faultsIn(text.replaceAll(/ data-[\w-]+="[^"]*"/g, ''), PLACEHOLDER)];
              expect([access, tag, path, type, faults]).toEqual([access, tag, path, type, []]);
            }
          }
        }
      } finally {
        await close();
      }
    },
  );
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
