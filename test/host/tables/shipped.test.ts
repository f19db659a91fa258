/** The languages in `locales/more`, which LANGUAGES names. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue as dealerCatalogue } from '../../../examples/dealer/catalogue.ts';
import { catalogue } from '../../../src/catalogue.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { describeSentences, examineFolder, loadChosenLocales } from '../../../src/host/tables/load.ts';
import { surveySentences } from '../../../src/host/tables/survey.ts';
import { project } from '../../support/process/service.ts';

const folder = join(project, 'locales');
const ALL = ['en', 'es', 'pt', 'ca', 'es-MX'];

const load = (LANGUAGES: string | undefined, CATALOGUE?: string) => {
  const warnings: string[] = [];
  const config = readConfig({ ...(LANGUAGES && { LANGUAGES }), ...(CATALOGUE && { CATALOGUE }) });
  const locales = loadChosenLocales(CATALOGUE ? dealerCatalogue : catalogue, config, {
    warn: (line) => warnings.push(line),
  });
  return { locales, warnings };
};

test('are served if they are named, and only then', () => {
  const tags = (languages?: string) => load(languages).locales.map(({ tag }) => tag);
  expect(tags()).toEqual(['en', 'es']);
  expect(tags('en,es,pt')).toEqual(['en', 'es', 'pt']);
  expect(tags('pt,en')).toEqual(['pt', 'en']);
});

test('have no fault, and nothing to warn of', () => {
  expect(load(ALL.join(',')).warnings).toEqual([]);
});

test('Catalan says problems itself, and the rest falls back', () => {
  const { locales } = load('en,ca');
  expect(describeSentences(examineFolder(catalogue, folder, 'en', { languages: ['en', 'ca'] }), 'en')).toEqual([
    expect.stringMatching(/^ca: \d+ sentences of its own, \d+ in en$/),
  ]);
  const catalan = locales.find(({ tag }) => tag === 'ca');
  expect(catalan?.table.problems['not-found'].title).toBe('No s’ha trobat');
  expect(catalan?.borrowed?.get('phrases.internal')).toBe('en');
});

test.each(['es', 'pt'])(
  '%s says every sentence that English says today (if not: translate, and npm run words -- accept)',
  (tag) => {
    const table = examineFolder(catalogue, folder, 'en', { languages: ALL }).tables.find((each) => each.tag === tag);
    const states = Map.groupBy(table ? surveySentences(table) : [], ({ state }) => state);
    const places = (['stale', 'missing'] as const).flatMap((state) =>
      (states.get(state) ?? []).map(({ place }) => `${state}: ${place}`),
    );
    expect(places).toEqual([]);
    expect(states.get('translated')?.length).toBeGreaterThan(650);
  },
);

test('a language that there is not is named', () => {
  expect(() => load('en,xx')).toThrow(`LANGUAGES: there is no table xx.json in ${folder}`);
});

test('a dialect of the project serves another catalogue, too', () => {
  const { locales } = load('en,es,es-MX', join(project, 'examples/dealer'));
  const [, spanish, mexican] = locales;
  expect(mexican?.table.fields).toEqual(spanish?.table.fields);
  expect(mexican?.table.csv).toMatchObject({ decimals: 'point' });
});
