/** Forms of nouns that only some languages have, such as a dative: a table lists them, and its sentences use them. */
import { expect, test } from 'vitest';
import { createLanguages } from '../../../src/gateway/locale/language.ts';
import { withDerived } from '../../../src/gateway/locale/layers.ts';
import { sentence } from '../../../src/gateway/texts/phrase.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { localeFaults } from '../../support/language/locale-faults.ts';
import { apart, folderOf, type LooseTable, tableOf } from '../../support/language/locale-folder.ts';

/** German words are the English ones with an umlaut here: only sentences matter. */
const german = (edit: (table: LooseTable) => void = () => {}): LooseTable => {
  const table = {
    extends: 'en',
    paths: { cars: 'autos' },
    nouns: {
      cars: { the: 'das Auto', of: 'des Autos', within: 'in diesem Auto', from: 'vom Auto', plural: 'Autos' },
      oils: { the: 'das Öl', of: 'des Öls', from: 'vom Öl', plural: 'Öle' },
    },
    phrases: {
      'field-suggested': '„{word}“ ist kein Feld {from}; meinten Sie „{suggestion}“?',
      'item-missing': '{plural} mit dem Schlüssel „{key}“ gibt es nicht.',
    },
  };
  edit(table);
  return table;
};

const folderWith = (table: LooseTable): string => folderOf(apart({ 'en.json': tableOf('en'), 'de.json': table }));

const speak = (table: LooseTable, tag = 'de') => {
  const folder = folderOf(apart({ 'en.json': tableOf('en'), [`${tag}.json`]: table }));
  const languages = createLanguages(catalogue, loadLocales(catalogue, folder, 'en'), 'en');
  const language = languages.find((other) => other.tag === tag);
  if (!language) throw new TypeError('no such language');
  const [cars, oils] = ['cars', 'oils'].map((name) => language.nouns(language.collection(name)));
  return { language, cars: cars ?? { the: '', of: '' }, oils: oils ?? { the: '', of: '' } };
};

test('a sentence has the form that it asks for, of the noun that its values have in another one', () => {
  const { language, cars, oils } = speak(german());
  const unknown = (of: string) => language.format(sentence('field-suggested', { word: 'x', of, suggestion: 'y' }));
  expect([unknown(cars.of), unknown(oils.of)]).toEqual([
    '„x“ ist kein Feld vom Auto; meinten Sie „y“?',
    '„x“ ist kein Feld vom Öl; meinten Sie „y“?',
  ]);
  expect(language.format(sentence('item-missing', { the: oils.the, key: 'a' }))).toBe(
    'Öle mit dem Schlüssel „a“ gibt es nicht.',
  );
});

/** Polish where it differs from English: a negation has the genitive, a transitive verb the accusative, and a number one of three plurals. */
const polish = {
  extends: 'en',
  paths: { cars: 'samochody' },
  nouns: {
    cars: {
      ...{ the: 'samochód', of: 'samochodu', within: 'w tym samochodzie' },
      ...{ accusative: 'ten samochód', instrumental: 'samochodem', many: 'samochodów' },
    },
    oils: { the: 'olej', of: 'oleju', accusative: 'ten olej', instrumental: 'olejem', many: 'olejów' },
  },
  phrases: {
    'item-missing': 'Nie ma {of} „{key}”.',
    'nested-missing': 'Nie ma {of} „{key}” {within}.',
    'item-exists': 'Nie można utworzyć {of} „{key}”: już istnieje.',
    'row-stale': 'Od czasu utworzenia pliku zmieniono lub usunięto {accusative} „{key}”.',
    'value-taken': '„{word}” nie może mieć wartości „{value}”, zajętej już przez {accusative} „{key}”.',
    'field-missing': 'Brakuje pola „{word}”.',
    'body-errors': {
      one: 'Dane {of} zawierają {count} błąd.',
      few: 'Dane {of} zawierają {count} błędy.',
      many: 'Dane {of} zawierają {count} błędów.',
      other: 'Dane {of} zawierają {count} błędu.',
    },
    'item-in-use': {
      one: 'Nie można usunąć {of} „{key}”: odwołuje się do niego {count} element listy „{list}”.',
      few: 'Nie można usunąć {of} „{key}”: odwołują się do niego {count} elementy listy „{list}”.',
      many: 'Nie można usunąć {of} „{key}”: odwołuje się do niego {count} elementów listy „{list}”.',
      other: 'Nie można usunąć {of} „{key}”: odwołuje się do niego {count} elementu listy „{list}”.',
    },
  },
  pages: {
    totals: {
      cars: {
        ...{ one: '{count} samochód', few: '{count} samochody' },
        ...{ many: '{count} samochodów', other: '{count} samochodu' },
      },
    },
  },
};

test('Polish has its cases and its plurals', () => {
  const { language, cars, oils } = speak(polish, 'pl');
  const errors = (count: number) => language.format(sentence('body-errors', { count, of: oils.of }));
  expect([1, 2, 4, 5, 12, 21, 22, 25, 100].map(errors)).toEqual([
    'Dane oleju zawierają 1 błąd.',
    'Dane oleju zawierają 2 błędy.',
    'Dane oleju zawierają 4 błędy.',
    'Dane oleju zawierają 5 błędów.',
    'Dane oleju zawierają 12 błędów.',
    'Dane oleju zawierają 21 błędów.',
    'Dane oleju zawierają 22 błędy.',
    'Dane oleju zawierają 25 błędów.',
    'Dane oleju zawierają 100 błędów.',
  ]);
  const { total } = language.pages;
  expect([1, 3, 5, 12_345].map((count) => total(language.collection('cars'), count))).toEqual([
    '1 samochód',
    '3 samochody',
    '5 samochodów',
    '12\u{a0}345 samochodów',
  ]);
  const key = 'a';
  expect([
    language.format(sentence('item-missing', { the: cars.the, key })),
    language.format(sentence('nested-missing', { the: oils.the, key, within: cars.within ?? '' })),
    language.format(sentence('item-exists', { the: oils.the, key })),
    language.format(sentence('row-stale', { the: cars.the, key })),
    language.format(sentence('value-taken', { the: cars.the, key, word: 'x', value: 'y' })),
    language.format(sentence('item-in-use', { the: cars.the, key, count: 3, list: 'oferty' })),
  ]).toEqual([
    'Nie ma samochodu „a”.',
    'Nie ma oleju „a” w tym samochodzie.',
    'Nie można utworzyć oleju „a”: już istnieje.',
    'Od czasu utworzenia pliku zmieniono lub usunięto ten samochód „a”.',
    '„x” nie może mieć wartości „y”, zajętej już przez ten samochód „a”.',
    'Nie można usunąć samochodu „a”: odwołują się do niego 3 elementy listy „oferty”.',
  ]);
});

test('German has an accusative and a dative', () => {
  const cases = german(({ nouns, phrases }) => {
    nouns.cars = { ...nouns.cars, the: 'der Wagen', of: 'des Wagens', accusative: 'Den Wagen', dative: 'dem Wagen' };
    nouns.oils = { ...nouns.oils, accusative: 'Das Öl', dative: 'dem Öl' };
    phrases['item-exists'] = '{accusative} „{key}“ gibt es schon.';
    phrases['row-not-object'] = 'Die Zeile ist kein JSON-Objekt, das zu {dative} passt.';
  });
  const { language, cars, oils } = speak(cases);
  expect([
    language.format(sentence('item-exists', { the: cars.the, key: 'a' })),
    language.format(sentence('row-not-object', { of: oils.of })),
  ]).toEqual(['Den Wagen „a“ gibt es schon.', 'Die Zeile ist kein JSON-Objekt, das zu dem Öl passt.']);
});

test('what is derived has the form that it asks for', () => {
  const table = {
    nouns: { oils: { the: 'das Öl', of: 'des Öls', accusative: 'Das Öl' } },
    derived: { collection: { read: '{accusative} lesen', list: '{name}: Liste' } },
    descriptions: { collections: { oils: { name: 'Öle' } } },
  };
  expect(withDerived(table, ['oils'])).toMatchObject({
    descriptions: { collections: { oils: { read: 'Das Öl lesen', list: 'Öle: Liste' } } },
  });
});

test('an item within one that has such a form itself keeps that of its parent', () => {
  const { language, cars, oils } = speak(german(({ nouns }) => Object.assign(nouns.oils, { within: 'in diesem Öl' })));
  const within = cars.within ?? '';
  const missing = sentence('nested-missing', { the: oils.the, key: 'a', within });
  expect(language.format(missing)).toBe('Cannot find the oil “a” for this car.');
});

test('a borrowed sentence has the nouns of its own language', () => {
  const { language, cars } = speak(german());
  expect(language.format(sentence('field-unknown', { word: 'x', of: cars.of, known: 'y' }))).toContain('of the car');
});

test.each<readonly [what: string, edit: (table: LooseTable) => void, faults: readonly string[]]>([
  ['that one noun lacks', ({ nouns }) => delete nouns.oils.from, ['messages/de.json: nouns.oils.from: missing']],
  [
    'that no noun has',
    ({ phrases }) => Object.assign(phrases, { 'item-missing': '{dative} „{key}“' }),
    [
      'messages/de.json: phrases.item-missing: is missing the placeholder {the}',
      'messages/de.json: phrases.item-missing: has a placeholder {dative} that nothing fills',
    ],
  ],
  [
    'in a sentence without a noun',
    ({ phrases }) => Object.assign(phrases, { internal: '{from}' }),
    ['messages/de.json: phrases.internal: has a placeholder {from} that nothing fills'],
  ],
])('a form %s is a fault', (_, edit, faults) => {
  expect(localeFaults(folderWith(german(edit)))).toEqual(faults);
});
