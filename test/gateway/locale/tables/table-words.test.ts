import { describe, expect, test } from 'vitest';
import { loadLocales } from '../../../../src/host/tables/load.ts';
import { catalogue } from '../../../support/cars/catalogue.ts';
import { edited, localeFaults, withSpanish } from '../../../support/language/locale-faults.ts';
import { folderOf, type LooseTable } from '../../../support/language/locale-folder.ts';

const unusable = [
  ...['', ' ', '.', '..', '...', 'a/b', 'a,b', '/', ' a', 'a ', '\u00a0a', 'a\t', 'a\nb', 'número de puertas'],
  ...['a\u00a0b', 'a\0b', '\u007f', '\u0085', 'a\ud800'],
];
const kinds: readonly (readonly [kind: string, place: (table: LooseTable, word: string) => void])[] = [
  ['paths.cars', (table, word) => Object.assign(table.paths, { cars: word })],
  ['paths.oils', (table, word) => Object.assign(table.paths, { oils: word })],
  ['fields.cars.brand', (table, word) => Object.assign(table.fields.cars, { brand: word })],
  ['parameters.page', (table, word) => Object.assign(table.parameters, { page: word })],
  ['suffixes.to', (table, word) => Object.assign(table.suffixes, { to: word })],
  ['values.asc', (table, word) => Object.assign(table.values, { asc: word })],
];

/** Tables take long to check: a word stands in all of these places at once. */
const placed = (wordOf: (at: number) => string): string =>
  withSpanish((table) => {
    for (const [at, [, place]] of kinds.entries()) place(table, wordOf(at));
  });

test.each(unusable)('a word cannot be %j', (word) => {
  const faults = localeFaults(placed(() => word));
  for (const [key] of kinds) expect(faults).toContainEqual(expect.stringContaining(`es.json: ${key}: `));
});

test.each(['автомобили', '汽车', 'número_de_ruedas', 'a.b', "l'auto", 'a%2Fb', 'a?b#c', 'a&b=c+d', '__proto__'])(
  'a word may be %j',
  (word) => {
    expect(localeFaults(placed((at) => (at === 2 ? word : `${word}${at}`)))).toEqual([]);
  },
);

describe('a path at the top', () => {
  test('cannot be one that stands for every path', () => {
    const found = localeFaults(withSpanish((table) => Object.assign(table.paths, { cars: '*' })));
    expect(found).toEqual([expect.stringContaining('es.json: paths.cars: ')]);
  });

  test.each(['problems', 'docs', 'locales', 'openapi', 'openapi.json', 'openapi.en.json', 'openapi.es.json'])(
    'cannot be the service’s own %s',
    (path) => {
      const found = localeFaults(withSpanish((table) => Object.assign(table.paths, { cars: path })));
      expect(found).toEqual([expect.stringContaining(`es.json: paths.cars: "${path}"`)]);
    },
  );

  test('cannot be that of another language', () => {
    const found = localeFaults(withSpanish((table) => Object.assign(table.paths, { cars: 'cars' })));
    expect(found).toEqual([expect.stringMatching(/^es\.json: paths\.cars: "cars" .*en\.json/)]);
  });

  test('cannot be that of its sibling', () => {
    const twoRoots = catalogue.map((each) => ({ ...each, parent: undefined }));
    const counted = (tag: string, word?: string) =>
      edited(tag, ({ nouns, pages, paths }) => {
        delete nouns.cars.within;
        pages.totals.oils = pages.totals.cars;
        paths.oils = word ?? paths.oils;
      });
    const folder = folderOf({ 'en.json': counted('en'), 'es.json': counted('es', 'coches') });
    expect(() => loadLocales(twoRoots, folder, 'en')).toThrow(/es\.json: paths\.oils: "coches"/);
  });
});

test('a nested path may be that of another language, of the service, or of what is around it', () => {
  for (const path of ['oils', 'problems', 'coches', 'cars']) {
    expect(localeFaults(withSpanish((table) => Object.assign(table.paths, { oils: path })))).toEqual([]);
  }
});

test.each([
  [
    'a collection’s word in its own table',
    'coches',
    'es.json: paths.imports: "coches" is already the word of es.json: paths.cars',
  ],
  ['one in another table', 'cars', 'es.json: paths.imports: "cars" is already the word of en.json: paths.cars'],
  ['a path of the service', 'docs', 'es.json: paths.imports: "docs" is a path of the service itself'],
  ['a word for something else', 'grupos', 'es.json: paths.groups: "grupos" is already the word of paths.imports'],
])('what there is beside a list cannot be %s', (_, imports, fault) => {
  expect(localeFaults(withSpanish((table) => Object.assign(table.paths, { imports })))).toEqual([fault]);
});

test('but it may be called as in another language, because a collection’s word follows', () => {
  expect(
    localeFaults(withSpanish((table) => Object.assign(table.paths, { imports: 'imports', groups: 'exports' }))),
  ).toEqual([]);
});

test.each([
  [
    { equivalents: { cars: { fuel: { petrol: ['Gasolina'], diesel: ['gasolína'] } } } },
    'es.json: equivalents.cars.fuel.diesel: "gasolína" is already the word of equivalents.cars.fuel.petrol',
  ],
  [{ equivalents: { cars: { fuel: { Petrol: ['Gasolina'] } } } }, 'es.json: equivalents.cars.fuel.Petrol: '],
  [{ equivalents: { cars: { fuel: { petrol: [] } } } }, 'es.json: equivalents.cars.fuel.petrol: '],
  [{ equivalents: { cars: { fuel: { petrol: ['a,b'] } } } }, 'es.json: equivalents.cars.fuel.petrol.0: '],
  [{ units: { cars: { enginePower: 'PS' } } }, 'es.json: units.cars.enginePower: '],
])('%j is refused', (part, fault) => {
  expect(localeFaults(withSpanish((table) => Object.assign(table, part)))).toEqual([expect.stringContaining(fault)]);
});
