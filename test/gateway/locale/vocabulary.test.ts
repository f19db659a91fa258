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

/** Words that are far from each other, of enough letters for a slip to show which one is meant. */
const far = ['marca', 'modelo', 'cilindrada', 'climatizador', 'numero_de_elementos', 'Übersicht'];

/** One letter that is lost, added, changed, swapped with its neighbour, or in the wrong case; or all are in capitals. */
const slips: readonly ((letters: readonly string[], at: number) => readonly string[])[] = [
  (letters, at) => letters.toSpliced(at, 1),
  ...['q', 'ŵ'].flatMap((letter) => [
    (letters: readonly string[], at: number) => letters.toSpliced(at, 0, letter),
    (letters: readonly string[], at: number) => letters.with(at, letter),
  ]),
  (letters, at) => letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()),
  (letters, at) => letters.with(at, letters[at]?.toUpperCase() ?? ''),
  (letters) => letters.map((letter) => letter.toUpperCase()),
];

test.each(far)('any slip of %j suggests it', (word) => {
  const words = new WordIndex(Object.fromEntries(far.map((each) => [each, each])), []);
  for (const slip of slips)
    for (const at of [...word].keys()) {
      const sent = slip([...word], at).join('');
      if (sent !== word) expect([sent, words.suggest(sent)]).toEqual([sent, word]);
    }
});

test('a word of another language goes before a slip', () => {
  const words = new WordIndex({ first: 'cat', second: 'dog' }, [{ first: 'x', second: 'cut' }]);
  expect(words.suggest('cut')).toBe('dog');
});

test('another letter case goes before a slip', () => {
  expect(new WordIndex({ first: 'cats', second: 'cat' }, []).suggest('CAT')).toBe('cat');
});
