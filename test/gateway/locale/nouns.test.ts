/** Forms of nouns that only some languages have: a table names them, and its sentences ask for them. */
import { expect, test } from 'vitest';
import { createLanguages } from '../../../src/gateway/locale/language.ts';
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

const speak = (table: LooseTable) => {
  const languages = createLanguages(catalogue, loadLocales(catalogue, folderWith(table), 'en'), 'en');
  const [language] = languages.filter(({ tag }) => tag === 'de');
  if (!language) throw new TypeError('no German');
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
