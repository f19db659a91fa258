import { describe, expect, test } from 'vitest';
import { queryReader } from '../../../src/gateway/read/query/query.ts';
import { Links } from '../../../src/gateway/write/links.ts';
import { cars, en, es, oils, trees } from '../../support/language/spoken.ts';

const inEnglish = new Links(en, trees, cars);
const inSpanish = new Links(es, trees, cars);
const oilsInEnglish = new Links(en, trees, oils);
const oilsInSpanish = new Links(es, trees, oils);
const english = queryReader(en.language, [es.language], cars);
const spanish = queryReader(es.language, [en.language], cars);
const englishOils = queryReader(en.language, [es.language], oils);
const spanishOils = queryReader(es.language, [en.language], oils);

/** An item's keys, and its whole `Link`. */
const items = [
  [inEnglish, ['a-1'], '</api/coches/a-1>; rel="alternate"; hreflang="es"'],
  [inSpanish, ['a-1'], '</api/cars/a-1>; rel="alternate"; hreflang="en"'],
  [inSpanish, ['a/ñ%'], '</api/cars/a%2F%C3%B1%25>; rel="alternate"; hreflang="en"'],
  [oilsInEnglish, ['a-1', '5W-30'], '</api/coches/a-1/aceites/5W-30>; rel="alternate"; hreflang="es"'],
  [oilsInSpanish, ['a-1', '10W/40'], '</api/cars/a-1/oils/10W%2F40>; rel="alternate"; hreflang="en"'],
  [inEnglish, ['🚗'.repeat(128)], `</api/coches/${'%F0%9F%9A%97'.repeat(128)}>; rel="alternate"; hreflang="es"`],
  [
    oilsInEnglish,
    ['🚗'.repeat(128), '🚗'.repeat(128)],
    `</api/coches/${'%F0%9F%9A%97'.repeat(128)}/aceites/${'%F0%9F%9A%97'.repeat(128)}>; rel="alternate"; hreflang="es"`,
  ],
] as const;

test.each(items)('item %#', (links, keys, expected) => {
  expect(links.forItem(keys)).toBe(expected);
});

/** A list's query, its total, and its whole `Link`. */
const lists = [
  [inEnglish, [], english(''), 50, ['</api/coches>; rel="alternate"; hreflang="es"']],
  [inSpanish, [], spanish('marca='), 50, ['</api/cars>; rel="alternate"; hreflang="en"']],
  [
    inSpanish,
    [],
    spanish('orden=descendente&puertas=05&climatizador=true&marca=a%26b&marca=%C3%B1'),
    50,
    ['</api/cars?brand=a%26b&brand=%C3%B1&doors=5&clima=true&order=desc>; rel="alternate"; hreflang="en"'],
  ],
  [
    inSpanish,
    [],
    spanish('ordenar_por=cilindrada&pagina=2&numero_de_elementos=10'),
    50,
    [
      '</api/coches?ordenar_por=cilindrada&numero_de_elementos=10&pagina=1>; rel="first"',
      '</api/coches?ordenar_por=cilindrada&numero_de_elementos=10&pagina=1>; rel="prev"',
      '</api/coches?ordenar_por=cilindrada&numero_de_elementos=10&pagina=3>; rel="next"',
      '</api/coches?ordenar_por=cilindrada&numero_de_elementos=10&pagina=5>; rel="last"',
      '</api/cars?sort_by=enginePower&number_of_elements=10&page=2>; rel="alternate"; hreflang="en"',
    ],
  ],
  [
    inEnglish,
    [],
    english('number_of_elements=50'),
    50,
    [
      '</api/cars?number_of_elements=50&page=1>; rel="first"',
      '</api/cars?number_of_elements=50&page=1>; rel="last"',
      '</api/coches?numero_de_elementos=50>; rel="alternate"; hreflang="es"',
    ],
  ],
  [
    inEnglish,
    [],
    english('page=9'),
    41,
    [
      '</api/cars?page=1>; rel="first"',
      '</api/cars?page=3>; rel="prev"',
      '</api/cars?page=3>; rel="last"',
      '</api/coches?pagina=9>; rel="alternate"; hreflang="es"',
    ],
  ],
  [
    inEnglish,
    [],
    english('page=1'),
    0,
    [
      '</api/cars?page=1>; rel="first"',
      '</api/cars?page=1>; rel="last"',
      '</api/coches?pagina=1>; rel="alternate"; hreflang="es"',
    ],
  ],
  [
    oilsInEnglish,
    ['a/1'],
    englishOils('type=5W-30&otherInfo=x'),
    1,
    ['</api/coches/a%2F1/aceites?tipo=5W-30&otros_datos=x>; rel="alternate"; hreflang="es"'],
  ],
  [
    oilsInSpanish,
    ['a-1'],
    spanishOils('ordenar_por=otros_datos&orden=ascendente'),
    1,
    ['</api/cars/a-1/oils?sort_by=otherInfo&order=asc>; rel="alternate"; hreflang="en"'],
  ],
] as const;

test.each(lists)('list %#', (links, parents, query, total, expected) => {
  expect(links.forList(parents, query, { total, change: 1 })).toBe(expected.join(', '));
});

describe('longer than 6 KB', () => {
  /** Characters of a filter, and which links of the second of three pages are left. */
  const long = [
    [1_100, ['first', 'prev', 'next', 'last', 'alternate']],
    [1_300, ['first', 'prev', 'next', 'last']],
    [1_800, ['first', 'prev', 'next']],
    [2_500, ['prev', 'next']],
    [4_000, ['next']],
    [6_107, ['next']],
  ] as const;

  test.each(long)('a filter of %i characters leaves %j', (length, expected) => {
    const link = inEnglish.forList([], english(`brand=${'x'.repeat(length)}&page=2`), { total: 50, change: 1 });
    expect(link.length).toBeLessThanOrEqual(6_144);
    expect([...link.matchAll(/rel="(\w+)"/g)].map((match) => match[1])).toEqual(expected);
  });

  test('never are there more than 6,144 characters, and never is `next` left out', () => {
    for (let length = 0; length < 7_000; length += 7) {
      const query = spanish(`marca=${'x'.repeat(length)}&pagina=2`);
      const list = () => inSpanish.forList([], query, { total: 50, change: 1 });
      if (length > 6_100) expect(list).toThrow('uri-too-long');
      else expect([list().length <= 6_144, list().includes('rel="next"')]).toEqual([true, true]);
    }
    expect(inSpanish.forList([], spanish(`marca=${'x'.repeat(7_000)}&pagina=3`), { total: 50, change: 1 })).toBe('');
  });
});
