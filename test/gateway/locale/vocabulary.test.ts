import { describe, expect, test } from 'vitest';
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';

const english = { brand: 'brand', model: 'model', year: 'year', enginePower: 'enginePower', ac: 'ac' };
const spanish = { brand: 'marca', model: 'modelo', year: 'año', enginePower: 'cilindrada', ac: 'ac' };
const german = { brand: 'Marke', model: 'Modell', year: 'Jahr', enginePower: 'Leistung', ac: 'Klima' };
const own = new WordIndex(spanish, [english, german]);

describe('words and names', () => {
  test('lead to each other', () => {
    for (const [name, word] of Object.entries(spanish)) expect([own.word(name), own.name(word)]).toEqual([word, name]);
    expect(own.names).toEqual(Object.keys(spanish));
  });

  test.each(['brand', 'Marca', 'MARCA', 'ano', '', ' marca', 'constructor', '__proto__', 'toString'])(
    '%j is no word',
    (word) => {
      expect(own.name(word)).toBeUndefined();
    },
  );

  test('are the same in both writings of an accent', () => expect(own.name('an\u0303o')).toBe('year'));

  test.each(['marca', '', 'constructor', '__proto__'])('%j is no name', (name) => {
    expect(() => own.word(name)).toThrow(TypeError);
  });
});

const suggestions: readonly (readonly [what: string, sent: string, word: string | undefined])[] = [
  ['a word of another language', 'brand', 'marca'],
  ['a word of a third language', 'Jahr', 'año'],
  ['a word of another language that is one slip from a wrong one', 'model', 'modelo'],
  ['a letter added in the middle', 'marrca', 'marca'],
  ['a letter added at the start', 'xmarca', 'marca'],
  ['a letter added at the end', 'marcas', 'marca'],
  ['a letter lost at the start', 'arca', 'marca'],
  ['a letter lost in the middle', 'mara', 'marca'],
  ['a letter lost at the end', 'marc', 'marca'],
  ['a letter changed at the start', 'narca', 'marca'],
  ['a letter changed at the end', 'marco', 'marca'],
  ['an accent lost', 'ano', 'año'],
  ['a letter changed beyond two bytes', '🚗arca', 'marca'],
  ['a letter added beyond two bytes', 'marca🚗', 'marca'],
  ['a letter added that is two in lower case', 'marca\u0130', 'marca'],
  ['two letters swapped at the start', 'amrca', 'marca'],
  ['two letters swapped at the end', 'marac', 'marca'],
  ['two letters of a short word swapped', 'ca', 'ac'],
  ['one letter of a short word lost', 'a', 'ac'],
  ['letter case', 'MARCA', 'marca'],
  ['letter case beyond ASCII', 'AÑO', 'año'],
  ['letter case and one slip', 'Marcas', 'marca'],
  ['two letters added', 'marcass', undefined],
  ['two letters lost', 'mar', undefined],
  ['two letters changed', 'mercs', undefined],
  ['two letters that are no neighbours swapped', 'acram', undefined],
  ['a swap and a letter added', 'amrcas', undefined],
  ['nothing like a word', 'precio', undefined],
  ['nothing', '', undefined],
  ['a name of every object', 'constructor', undefined],
  ['another name of every object', '__proto__', undefined],
  ['a method of every object', 'toString', undefined],
];

test.each(suggestions)('%s: %j', (_, sent, word) => {
  expect(own.suggest(sent)).toBe(word);
});

test('a word of another language goes before a slip', () => {
  const words = new WordIndex({ first: 'cat', second: 'dog' }, [{ first: 'x', second: 'cut' }]);
  expect(words.suggest('cut')).toBe('dog');
});

test('another letter case goes before a slip', () => {
  expect(new WordIndex({ first: 'cats', second: 'cat' }, []).suggest('CAT')).toBe('cat');
});
