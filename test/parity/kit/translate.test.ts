import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listNames } from '../../../packages/parity/src/kit/dictionary.ts';
import { translate } from '../../../packages/parity/src/kit/translate.ts';
import { listWords } from '../../../packages/parity/src/kit/words.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';
import { allTags } from '../../support/language/new-languages.ts';
import { useLanguages, useService } from '../../support/parity/dictionaries.ts';
import { boatRequests, requests } from '../../support/parity/requests.ts';

const { dictionary } = useLanguages(...allTags);
const boats = useService((whenOver) => ({ catalogue: everyKind, locales: everyKindTables(whenOver) }));

describe.each([
  ['cars', requests, dictionary],
  ['boats', boatRequests, boats.dictionary],
])('requests about %s in English and in Spanish', (_, rows, find) => {
  test.each(rows)('%s', (__, english, spanish) => {
    expect(translate(english, find('en'), find('es'))).toEqual(spanish);
    expect(translate(spanish, find('es'), find('en'))).toEqual(english);
  });
});

test('accents that are characters of their own are those of the word, as the service reads them', () => {
  const url = `/api/${encodeURIComponent('automóveis'.normalize('NFD'))}/a?${encodeURIComponent('versão'.normalize('NFD'))}=x`;
  expect(translate({ url }, dictionary('pt'), dictionary('en')).url).toBe('/api/cars/a?version=x');
});

test('a member of a request that is a word of reports is none', () => {
  const request = { url: '/api/coches', body: { created: 1, creados: 2 } };
  const english = { url: '/api/cars', body: { created: 1, creados: 2 } };
  expect(translate(request, dictionary('es'), dictionary('en'))).toEqual(english);
  expect(translate(english, dictionary('en'), dictionary('es'))).toEqual(request);
});

test('to names and back', () => {
  const es = dictionary('es');
  const spanish = { url: '/api/coches/x/aceites?ordenar_por=tipo&orden=descendente', body: { otros_datos: 1 } };
  const names = { url: '/api/cars/x/oils?sort_by=type&order=desc', body: { otherInfo: 1 } };
  expect(translate(spanish, es, listNames(es))).toEqual(names);
  expect(translate(names, listNames(es), es)).toEqual(spanish);
});

const others = allTags.filter((tag) => tag !== 'es').map((tag) => [tag] as const);

describe.each(others)('whatever a client sends in Spanish, translated to %s and back', (tag) => {
  const arbitrary = () => {
    const words = [...listWords(dictionary('es')), ...listWords(dictionary(tag))];
    const word = fc.oneof(fc.constantFrom(...words), fc.string({ unit: anyCharacter, maxLength: 8 }));
    const encoded = word.map(encodeURIComponent);
    const path = fc.array(encoded, { maxLength: 5 }).map((segments) => ['/api', ...segments].join('/'));
    const pair = fc.tuple(encoded, fc.array(encoded, { maxLength: 3 })).map(([name, values]) => `${name}=${values}`);
    const query = fc.array(pair, { maxLength: 4 }).map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
    // JSON has no −0.
    const body = fc
      .jsonValue({ maxDepth: 1 })
      .map((value) => JSON.parse(JSON.stringify(value)))
      .chain((value) =>
        fc.oneof(
          fc.constant(value),
          fc.dictionary(word, fc.oneof(fc.constant(value), fc.array(fc.dictionary(word, fc.string())))),
        ),
      );
    return fc.record({
      method: fc.constantFrom('GET', 'POST'),
      url: fc.tuple(path, query).map(([a, b]) => a + b),
      body,
    });
  };
  test('is the same request', () => {
    const [es, other] = [dictionary('es'), dictionary(tag)];
    fc.assert(
      fc.property(arbitrary(), (request) => {
        expect(translate(translate(request, es, other), other, es)).toEqual(request);
      }),
      { numRuns: 1000 },
    );
  });
});
