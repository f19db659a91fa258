import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const { send } = useApp({
  given: [
    ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza' }],
    ['/api/cars/a-1/oils', { type: '5W-30' }],
  ],
});

test('answers the example of the contract, word for word', async () => {
  const { status, headers, text } = await send(
    'PUT',
    '/api/coches/a-1',
    { brand: 'Seat', puertas: '5' },
    { 'x-request-id': 'r-1' },
  );
  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  expect(headers.get('content-language')).toBe('es');
  expect(JSON.parse(text)).toEqual({
    type: '/api/problems/invalid-body',
    title: 'El contenido enviado no es válido',
    status: 400,
    code: 'invalid-body',
    detail: 'Hay 2 errores en los datos del coche.',
    requestId: 'r-1',
    errors: [
      {
        pointer: '/brand',
        code: 'unknown-field',
        name: 'brand',
        value: '"Seat"',
        detail: '«brand» no es un campo del coche; ¿quería decir «marca»?',
        suggestion: 'marca',
        remedy: 'Use las palabras del idioma de la ruta; el diccionario de cada idioma las enumera.',
      },
      {
        pointer: '/puertas',
        code: 'invalid-value',
        name: 'doors',
        value: '"5"',
        detail: '«puertas» debe ser un número entero entre 0 y 20.',
        suggestion: '5',
        remedy: 'Envíelo sin comillas: 5.',
      },
    ],
  });
});

test.each([
  ['/api/cars/a-1', 'tipo'],
  ['/api/cars/a-1', 'pagina'],
  ['/api/coches/a-1', 'type'],
  ['/api/coches/a-1/aceites/5W-30', 'brand'],
])('%s has no suggestion for %s, a word of something else', async (path, word) => {
  const { json } = await send('PUT', path, { [word]: 'x' });
  expect(json.errors[0].code).toBe('unknown-field');
  expect(json.errors[0]).not.toHaveProperty('suggestion');
});

test.each(['/api/cars', '/api/coches'])('%s shares version, ac and fuel with the other tree', async (cars) => {
  const shared = { version: 'Sport', ac: true, fuel: 'Diésel' };
  const { status, json } = await send('PUT', `${cars}/a-1`, shared);
  expect([status, json]).toEqual([200, expect.objectContaining(shared)]);
});
