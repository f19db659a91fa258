import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';
import { tryAll } from '../../support/app/tries.ts';
import { sharedOut } from '../../support/database/database.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'golf', brand: 'Volkswagen', model: 'Golf', year: 2004, version: 'TDI Ibiza' }],
    [
      '/api/cars',
      { identifier: 'ibiza', brand: 'Seat', model: 'Ibiza', year: 2006, version: '1.9 TDI', fuel: 'Diésel' },
    ],
    ['/api/cars', { identifier: 'c4', brand: 'Citroën', model: 'C4', year: 2008, fuel: 'gasóleo' }],
    ['/api/cars', { identifier: 'c5', brand: 'Citroën', model: 'C5' }],
    ['/api/cars', { identifier: 'Stock/7731 ñ', brand: 'Opel', model: 'Astra' }],
    ['/api/cars/c4/oils', { type: '10W-40', otherInfo: 'not 5W' }],
    ['/api/cars/c4/oils', { type: '5W-30' }],
  ],
});

const MANY = Array.from({ length: 17 }, (_, at) => `w${at}`).join('+');

describe.each(sharedOut(trees, 1, trees.length))('$cars', (tree) => {
  const { search, identifier, brand, total, number_of_elements: size, page } = tree;
  const read = (query: string) => send('GET', `${tree.cars}?${query}`);
  const keysOf = (json: readonly Record<string, string>[]): readonly (string | undefined)[] =>
    json.map((each) => each[identifier]);

  test.each([
    ['words wherever they are, the best first', `${search}=ibiza%20tdi`, ['golf', 'ibiza']],
    ['one word in its best place first', `${search}=IBIZA`, ['ibiza', 'golf']],
    ['without accents, and a plus sign for a space', `${search}=citroen+c4`, ['c4']],
    ['beginnings', `${search}=ci+c`, ['c4', 'c5']],
    ['in another order', `${search}=ci&${tree.sort_by}=${tree.model}&${tree.order}=${tree.desc}`, ['c5', 'c4']],
    ['keys', `${search}=stock+77`, ['Stock/7731 ñ']],
    ['with a filter', `${search}=tdi&${brand}=seat`, ['ibiza']],
    ['on a page', `${search}=tdi&${size}=1&${page}=2`, ['ibiza']],
    ['nothing', `${search}=tdi+c4`, []],
    ['nothing by what means something in a query', `${search}=${encodeURIComponent('"ibiza" OR NEAR(c4) * :')}`, []],
    ['nothing by words that follow no separator', `${search}=biza`, []],
  ])('finds %s', async (_, query, keys) => {
    const { status, json, headers } = await read(query);
    expect([status, keysOf(json)]).toEqual([200, keys]);
    if (!query.includes(size)) expect(headers.get('x-total-count')).toBe(String(keys.length));
  });

  test('counts what is found by a field', async () => {
    const { json } = await read(`${search}=c&${tree.group_by}=${brand}`);
    expect(json).toEqual([{ [brand]: 'Citroën', [total]: 2 }]);
  });

  test('finds oils', async () => {
    const { json } = await send('GET', `${tree.cars}/c4/${tree.oils}?${search}=5w`);
    expect(json.map((oil: Record<string, string>) => oil[tree.type])).toEqual(['5W-30', '10W-40']);
  });
});

tryAll(`
GET /api/cars?search=-
400 invalid-parameter “search” contains no word: only letters and digits are searched for.
GET /api/coches?buscar=%22*%22
400 invalid-parameter «buscar» no contiene ninguna palabra: solo se buscan letras y cifras.
GET /api/cars?search=${MANY}
400 invalid-parameter “search” can have at most 16 words.
GET /api/coches?buscar=${MANY}
400 invalid-parameter «buscar» puede tener 16 palabras como máximo.
GET /api/coches?search=x → buscar
GET /api/cars?buscar=x → search
`);
