import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { tryAll } from '../../support/app/tries.ts';

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

const read = (query: string) => send('GET', `/api/coches?${query}`);
const keysOf = (json: readonly Record<string, string>[]): readonly (string | undefined)[] =>
  json.map((each) => each.identificador);

test.each([
  ['words wherever they are, the best first', 'buscar=ibiza%20tdi', ['golf', 'ibiza']],
  ['one word in its best place first', 'buscar=IBIZA', ['ibiza', 'golf']],
  ['without accents, and a plus sign for a space', 'buscar=citroen+c4', ['c4']],
  ['beginnings', 'buscar=ci+c', ['c4', 'c5']],
  ['in another order', 'buscar=ci&ordenar_por=modelo&orden=descendente', ['c5', 'c4']],
  ['keys', 'buscar=stock+77', ['Stock/7731 ñ']],
  ['with a filter', 'buscar=tdi&marca=seat', ['ibiza']],
  ['on a page', 'buscar=tdi&numero_de_elementos=1&pagina=2', ['ibiza']],
  ['nothing', 'buscar=tdi+c4', []],
  ['nothing by what means something in a query', `buscar=${encodeURIComponent('"ibiza" OR NEAR(c4) * :')}`, []],
  ['nothing by words that follow no separator', 'buscar=biza', []],
])('finds %s', async (_, query, keys) => {
  const { status, json, headers } = await read(query);
  expect([status, keysOf(json)]).toEqual([200, keys]);
  if (!query.includes('numero_de_elementos')) expect(headers.get('x-total-count')).toBe(String(keys.length));
});

test('counts what is found by a field', async () => {
  const { json } = await read('buscar=c&agrupar_por=marca');
  expect(json).toEqual([{ marca: 'Citroën', total: 2 }]);
});

test('finds oils', async () => {
  const { json } = await send('GET', '/api/coches/c4/aceites?buscar=5w');
  expect(json.map((oil: Record<string, string>) => oil.tipo)).toEqual(['5W-30', '10W-40']);
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
