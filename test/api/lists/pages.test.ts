import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const brandOf = (at: number): string => (at < 45 ? 'Citroën' : 'A&B, "C"');

const cars = Array.from({ length: 50 }, (_, at) => ({ identifier: `k${at + 1}`, brand: brandOf(at), model: 'M' }));
const { send } = useApp({ given: cars.map((car) => ['/api/cars', car]) });

const range = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => `k${first + at}`);

const huge = '9'.repeat(30);

/** Page size and page, either absent; which of 50 cars are there. */
const windows = [
  [undefined, undefined, range(1, 50)],
  [undefined, '1', range(1, 20)],
  [undefined, '2', range(21, 40)],
  [undefined, '3', range(41, 50)],
  [undefined, '4', []],
  ['1', undefined, ['k1']],
  ['7', undefined, range(1, 7)],
  ['50', undefined, range(1, 50)],
  ['51', undefined, range(1, 50)],
  [huge, undefined, range(1, 50)],
  ['7', '1', range(1, 7)],
  ['7', '8', ['k50']],
  ['7', '9', []],
  ['007', '08', ['k50']],
  ['50', '2', []],
  ['7', huge, []],
  [undefined, huge, []],
  [huge, '2', []],
  [huge, huge, []],
  ['7', '9007199254740993', []],
] as const;

test.each(windows)('of size %s the page %s is the right one', async (size, page, found) => {
  const parts = [
    ...(size === undefined ? [] : [`numero_de_elementos=${size}`]),
    ...(page === undefined ? [] : [`pagina=${page}`]),
  ];
  const { status, json, headers } = await send('GET', `/api/coches?${parts.join('&')}`);
  expect(status).toBe(200);
  expect(json.map((car: Record<string, string>) => car.identificador)).toEqual(found);
  expect(headers.get('x-total-count')).toBe('50');
  expect((headers.get('link') ?? '').includes('rel="first"')).toBe(parts.length > 0);
});

/** An address, and below it its whole `Link`, one link a line. */
const links = `
/api/cars
  </api/coches>; rel="alternate"; hreflang="es"
/api/coches/
  </api/cars>; rel="alternate"; hreflang="en"
/api/coches?marca=citroen&orden=descendente
  </api/cars?brand=citroen&order=desc>; rel="alternate"; hreflang="en"
/api/cars?page=2
  </api/cars?page=1>; rel="first"
  </api/cars?page=1>; rel="prev"
  </api/cars?page=3>; rel="next"
  </api/cars?page=3>; rel="last"
  </api/coches?pagina=2>; rel="alternate"; hreflang="es"
/api/coches?numero_de_elementos=20&pagina=3
  </api/coches?numero_de_elementos=20&pagina=1>; rel="first"
  </api/coches?numero_de_elementos=20&pagina=2>; rel="prev"
  </api/coches?numero_de_elementos=20&pagina=3>; rel="last"
  </api/cars?number_of_elements=20&page=3>; rel="alternate"; hreflang="en"
/api/cars?number_of_elements=30
  </api/cars?number_of_elements=30&page=1>; rel="first"
  </api/cars?number_of_elements=30&after=…>; rel="next"
  </api/cars?number_of_elements=30&page=2>; rel="last"
  </api/coches?numero_de_elementos=30>; rel="alternate"; hreflang="es"
/api/coches?marca=CITRO%C3%8BN&marca=seat&modelo=&ordenar_por=cilindrada&orden=ascendente&numero_de_elementos=10&pagina=2
  </api/coches?marca=CITRO%C3%8BN&marca=seat&ordenar_por=cilindrada&orden=ascendente&numero_de_elementos=10&pagina=1>; rel="first"
  </api/coches?marca=CITRO%C3%8BN&marca=seat&ordenar_por=cilindrada&orden=ascendente&numero_de_elementos=10&pagina=1>; rel="prev"
  </api/coches?marca=CITRO%C3%8BN&marca=seat&ordenar_por=cilindrada&orden=ascendente&numero_de_elementos=10&pagina=3>; rel="next"
  </api/coches?marca=CITRO%C3%8BN&marca=seat&ordenar_por=cilindrada&orden=ascendente&numero_de_elementos=10&pagina=5>; rel="last"
  </api/cars?brand=CITRO%C3%8BN&brand=seat&sort_by=enginePower&order=asc&number_of_elements=10&page=2>; rel="alternate"; hreflang="en"
/api/cars?brand=a%26b,+%22c%22&page=1&number_of_elements=3
  </api/cars?brand=a%26b%2C%20%22c%22&number_of_elements=3&page=1>; rel="first"
  </api/cars?brand=a%26b%2C%20%22c%22&number_of_elements=3&page=2>; rel="next"
  </api/cars?brand=a%26b%2C%20%22c%22&number_of_elements=3&page=2>; rel="last"
  </api/coches?marca=a%26b%2C%20%22c%22&numero_de_elementos=3&pagina=1>; rel="alternate"; hreflang="es"
/api/cars?brand=nobody&page=1
  </api/cars?brand=nobody&page=1>; rel="first"
  </api/cars?brand=nobody&page=1>; rel="last"
  </api/coches?marca=nobody&pagina=1>; rel="alternate"; hreflang="es"
/api/coches/k1/aceites?tipo=x&pagina=1
  </api/coches/k1/aceites?tipo=x&pagina=1>; rel="first"
  </api/coches/k1/aceites?tipo=x&pagina=1>; rel="last"
  </api/cars/k1/oils?type=x&page=1>; rel="alternate"; hreflang="en"
`
  .trim()
  .split(/\n(?=\/)/)
  .map((lines) => lines.split(/\n +/))
  .map(([address = '', ...expected]) => [address, expected] as const);

describe('the links of a list', () => {
  test.each(links)('%s', async (address, expected) => {
    const { status, headers } = await send('GET', address);
    const link = headers.get('link')?.replace(/(?<=after=)[\w-]+/, '…');
    expect([status, link]).toEqual([200, expected.join(', ')]);
  });

  test('lead back from beyond the end to where there is something', async () => {
    const { headers } = await send('GET', '/api/coches?pagina=9');
    expect(headers.get('link')).toContain('</api/coches?pagina=3>; rel="prev"');
    expect(headers.get('link')).not.toContain('rel="next"');
  });
});
