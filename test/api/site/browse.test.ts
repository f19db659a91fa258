/** The pages of a list and of an item, as they are without scripts: the address says what there is to see. */
import { expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';
import { textOf } from '../../support/app/html.ts';

const HOSTILE = '<script>alert(1)</script>';

const { request, send } = useApp({
  given: [
    ['/api/coches', { identificador: 'seat/1', marca: 'Seat', modelo: 'Ibiza', anio: 2008, climatizador: true }],
    ['/api/coches/seat%2F1/aceites', { tipo: '5W-30', otros_datos: 'VW 504 00' }],
    ['/api/coches', { identificador: 'citroen', marca: 'Citroën', modelo: HOSTILE, anio: 2006 }],
    ...Array.from(
      { length: 10 },
      (_, at) =>
        ['/api/coches', { identificador: `audi-${at}`, marca: 'Audi', modelo: `A${at}`, anio: 1990 + at }] as const,
    ),
  ],
});

const pageAt = async (address: string, language = 'en') => {
  const response = await request(address, { headers: { accept: 'text/html', 'accept-language': language } });
  const text = await response.text();
  const cells = [...text.matchAll(/<td class="key"[^>]*><a href="([^"]*)"[^>]*>([^<]*)/g)];
  return {
    status: response.status,
    language: response.headers.get('content-language'),
    text,
    links: cells.map(([, url = '']) => textOf(url)),
    keys: cells.map(([, , key = '']) => textOf(key)),
    href: (label: string) => textOf(new RegExp(`href="([^"]*)"[^>]*>${label}</a>`).exec(text)?.[1] ?? ''),
  };
};

const audis = Array.from({ length: 10 }, (_, at) => `audi-${at}`);

test.each([
  ['/?marca=seat', 'es', ['seat/1']],
  ['/?brand=SEAT', 'en', ['seat/1']],
  ['/?marca=seat&marca=citroen', 'es', ['seat/1', 'citroen']],
  ['/?marca=&modelo=&anio_desde=2007', 'es', ['seat/1']],
  ['/?year_from=2006&sort_by=year', 'en', ['citroen', 'seat/1']],
  ['/?ordenar_por=anio&orden=descendente&numero_de_elementos=2', 'es', ['seat/1', 'citroen']],
  ['/?pagina=2', 'es', ['audi-8', 'audi-9']],
  ['/?page=2&number_of_elements=4', 'en', audis.slice(2, 6)],
  ['/?search=ibi', 'en', ['seat/1']],
  ['/?%2Fcoches=&marca=audi&lang=es', 'es', audis],
  ['/api?marca=seat', 'es', ['seat/1']],
])('%s is a list in %s', async (address, language, keys) => {
  // What a colleague with a browser in another language sees.
  for (const other of ['en', 'es', 'fr'])
    expect(await pageAt(address, other)).toMatchObject({ status: 200, language, keys });
});

test('links keep the filters, in another language, too', async () => {
  const { href, text } = await pageAt('/?marca=audi&marca=seat', 'es');
  expect(href('Siguiente')).toBe('/?marca=audi&marca=seat&pagina=2&lang=es#items');
  expect(href('English')).toBe('/?brand=audi&brand=seat&lang=en');
  const inputs = [...text.matchAll(/<input name="marca" value="(\w+)"/g)].map(([, value]) => value);
  expect(inputs).toEqual(['audi', 'seat']);
});

test('the way back from an item leads to the list as it was', async () => {
  const { links } = await pageAt('/?marca=audi&ordenar_por=anio&pagina=1&lang=es');
  expect(links[0]).toBe('/?/coches/audi-0&marca=audi&ordenar_por=anio&pagina=1&lang=es');
  expect((await pageAt(links[0] ?? '')).href('← Coches')).toBe('/?marca=audi&ordenar_por=anio&pagina=1&lang=es');
});

test('a car is a page, with its oils', async () => {
  const address = '/?/coches/seat%2F1&lang=es';
  expect((await pageAt('/?marca=seat')).links).toEqual([address.replace('&', '&marca=seat&')]);
  const { status, text, href, language } = await pageAt('/?/coches/seat%2F1', 'en');
  expect([status, language]).toEqual([200, 'es']);
  expect(text).toContain('<h1 dir="auto">Seat Ibiza</h1>');
  expect(text).toContain('<dt>Climatizador</dt><dd class="flag">Sí</dd>');
  expect(text).toMatch(/<h2[^>]*>Aceites<\/h2>.*VW 504 00/s);
  expect(href('English')).toBe('/?/cars/seat%2F1&lang=en');
});

test.each([
  ['/?/coches/none', 404, 'No encontrado'],
  ['/?/coches/none/aceites/x', 404, 'No encontrado'],
  ['/?/nada&lang=es', 404, 'Ruta inexistente'],
  ['/?anio_desde=abc', 400, 'Parámetro no válido'],
  ['/?numero_de_elementos=100', 200, '12 coches'],
  ['/?numero_de_elementos=101', 400, '«numero_de_elementos» debe ser un número entero entre 1 y 100.'],
  ['/?marca=%zz&lang=es', 200, 'Ningún coche cumple estos filtros.'],
  ['/?/cars/%zz', 404, 'Not found'],
])('%s is %i, and says so as a page', async (address, status, said) => {
  const page = await pageAt(address);
  expect([page.status, textOf(page.text).includes(said)]).toEqual([status, true]);
});

test('what only programs read is answered by the API', async () => {
  for (const query of ['agrupar_por=marca', 'formato=csv', 'cambiado_desde=0']) {
    const { status, headers } = await request(`/?${query}`, { headers: { accept: 'text/html' } });
    expect([status, headers.get('location')]).toEqual([307, `/api/coches?${query}&numero_de_elementos=10&pagina=1`]);
  }
});

test('an item of the API is no page, and the index for programs has no filters', async () => {
  const { status } = await send('GET', '/api/coches/citroen', undefined, { accept: 'text/html' });
  expect([status, (await send('GET', '/?marca=seat')).status]).toEqual([406, 400]);
});

test.each([
  ['/?/coches/citroen', "img-src 'self' data: https:"],
  ['/?/coches/none', "img-src 'self' data:"],
  ['/', "img-src 'self' data:"],
  ['/api/problems', "img-src 'self' data:"],
  ['/docs/', "img-src 'self' data:"],
])(
  '%s may show pictures of elsewhere only if an item may have them, and nothing else is allowed',
  async (path, images) => {
    const { headers } = await request(path, { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      images,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  },
);

test('a hostile value stays text', async () => {
  for (const address of ['/?/coches/citroen', '/?marca=citroen', `/?modelo=${encodeURIComponent(HOSTILE)}`]) {
    const { text } = await pageAt(address);
    expect([address, text.includes(HOSTILE), text.includes('&lt;script&gt;')]).toEqual([address, false, true]);
  }
});
