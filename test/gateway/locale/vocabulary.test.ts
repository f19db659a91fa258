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

/** Slips of every kind in every word: `test/support/language/suites.ts`. */
test.each([
  ['brand', 'marca'],
  ['Jahr', 'año'],
  ['model', 'modelo'],
  ['ca', 'ac'],
  ['🚗arca', 'marca'],
  ['marca🚗', 'marca'],
  ['marca\u0130', 'marca'],
  ['a', 'ac'],
  ['AÑO', 'año'],
  ['Marcas', 'marca'],
] as const)('%j suggests %j', (sent, word) => {
  expect(own.suggest(sent)).toBe(word);
});

test.each([...['marcass', 'mar', 'mercs', 'acram', 'amrcas', 'precio', '', 'constructor', '__proto__', 'toString']])(
  '%j suggests nothing',
  (sent) => {
    expect(own.suggest(sent)).toBeUndefined();
  },
);

test('a word of another language goes before a slip', () => {
  const words = new WordIndex({ first: 'cat', second: 'dog' }, [{ first: 'x', second: 'cut' }]);
  expect(words.suggest('cut')).toBe('dog');
});

test('another letter case goes before a slip', () => {
  expect(new WordIndex({ first: 'cats', second: 'cat' }, []).suggest('CAT')).toBe('cat');
});
