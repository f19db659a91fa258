import { describe, expect, test } from 'vitest';
import { useApp } from '../../support/app/app.ts';

const cars = [
  { identifier: 'one', brand: 'Citroën', model: 'C3', year: 2008, doors: 5, clima: true, ac: false, fuel: 'Diésel' },
  { identifier: 'Dós', brand: 'CITROEN', model: 'C4', year: 2010, doors: 3, clima: false, version: 'A & B' },
  { identifier: 'x/3', brand: 'citroe\u0308n', model: 'c3', year: 2008, enginePower: 0, ac: true, version: 'a=b' },
  { identifier: 'four', brand: 'Seat', model: 'Ibiza', year: 1886, doors: 0, fuel: '100% eléctrico', version: '' },
  { identifier: 'five', brand: 'Seat', model: 'León', year: 2100, doors: 20, version: 'C# + VTI', fuel: 'Gas oil' },
  { identifier: 'six', brand: 'Škoda', model: 'Señal', version: 'ß', fuel: "it's" },
  { identifier: 'seven', brand: 'ŁADA', model: 'Straße', version: '%', fuel: '_' },
] as const;

const oils = [
  { type: 'Aceite nº 1', otherInfo: 'Sintético' },
  { type: '5W-30', otherInfo: 'sintetico' },
  { type: '10W/40' },
];

const { send } = useApp({
  given: [
    ...cars.map((car) => ['/api/cars', car] as const),
    ...oils.map((oil) => ['/api/cars/one/oils', oil] as const),
    ['/api/cars/four/oils', { type: '5W-30', otherInfo: 'of another car' }],
  ],
});

const all = ['one', 'Dós', 'x/3', 'four', 'five', 'six', 'seven'] as const;
const citroens = ['one', 'Dós', 'x/3'] as const;
const huge = '123456789012345678901234567890';

/** The same query in both languages, and the keys of what it finds. */
const rows: readonly (readonly [english: string, spanish: string, found: readonly string[]])[] = [
  // Strings ignore case and accents, however they are composed.
  ['brand=citroen', 'marca=citroen', citroens],
  ['brand=CITRO%C3%8BN', 'marca=CITRO%C3%8BN', citroens],
  ['brand=Citro%C3%ABn', 'marca=Citro%C3%ABn', citroens],
  ['brand=Citroe%CC%88n', 'marca=Citroe%CC%88n', citroens],
  ['brand=Citroën', 'marca=Citroën', citroens],
  ['brand=citro', 'marca=citro', []],
  ['brand=citroen%20', 'marca=citroen+', []],
  ['brand=%25', 'marca=%25', []],
  ['brand=skoda', 'marca=SKODA', ['six']],
  ['model=c3', 'modelo=C3', ['one', 'x/3']],
  ['model=senal', 'modelo=SE%C3%91AL', ['six']],
  ['model=leon', 'modelo=LEO%CC%81N', ['five']],
  ['model=strasse', 'modelo=STRASSE', ['seven']],
  ['version=ss', 'version=%C3%9F', ['six']],
  ['fuel=diesel', 'fuel=DIE%CC%81SEL', ['one']],
  // Keys too.
  ['identifier=ONE', 'identificador=%C3%B3ne', ['one']],
  ['identifier=dos', 'identificador=D%C3%93S', ['Dós']],
  ['identifier=x/3', 'identificador=X%2F3', ['x/3']],
  // Text that the encoding of queries would eat.
  ['version=A+%26+B', 'version=a%20%26%20b', ['Dós']],
  ['version=a%3Db', 'version=a=b', ['x/3']],
  ['version=C%23+%2B+VTI', 'version=c%23%20%2b%20vti', ['five']],
  ['fuel=100%25+el%C3%A9ctrico', 'fuel=100%25%20electrico', ['four']],
  ['fuel=Gas+oil', 'fuel=gas%20oil', ['five']],
  ['fuel=it%27s', "fuel=it's", ['six']],
  ['version=%25', 'version=%25', ['seven']],
  ['fuel=_', 'fuel=_', ['seven']],
  ['version=%22%20OR%201=1', "version=' OR 1=1 --", []],
  // Integers and flags.
  ['year=2008', 'anio=2008', ['one', 'x/3']],
  ['year=002008', 'anio=002008', ['one', 'x/3']],
  ['year=1886', 'anio=1886', ['four']],
  ['year=2100', 'anio=2100', ['five']],
  ['doors=0', 'puertas=-0', ['four']],
  ['enginePower=0', 'cilindrada=00', ['x/3']],
  ['clima=true', 'climatizador=true', ['one']],
  ['clima=false', 'climatizador=false', ['Dós']],
  ['ac=true', 'ac=true', ['x/3']],
  ['ac=false', 'ac=false', ['one']],
  // Outside the limits.
  ['year=1885', 'anio=2101', []],
  ['doors=-1', 'puertas=21', []],
  [`year=${huge}`, `anio=-${huge}`, []],
  [`enginePower=-${huge}`, `cilindrada=${huge}`, []],
  [`year=2008&year=${huge}`, `anio=${huge}&anio=2008`, ['one', 'x/3']],
  [`brand=${'x'.repeat(1_000)}`, `marca=${'x'.repeat(1_000)}`, []],
  // One field repeated is or, several fields are and.
  ['model=c4&model=ibiza', 'modelo=IBIZA&modelo=C4', ['Dós', 'four']],
  ['year=2008&year=2010', 'anio=2010&anio=2008', citroens],
  ['clima=true&clima=false', 'climatizador=false&climatizador=true', ['one', 'Dós']],
  ['brand=citroen&year=2008', 'anio=2008&marca=citroen', ['one', 'x/3']],
  [
    'brand=citroen&brand=seat&year=2008&year=2100',
    'marca=seat&anio=2008&marca=citroen&anio=2100',
    ['one', 'x/3', 'five'],
  ],
  ['brand=citroen&model=ibiza', 'marca=citroen&modelo=ibiza', []],
  ['brand=seat&brand=seat', 'marca=seat&marca=SEAT', ['four', 'five']],
  // Empty is no filter.
  ['brand=', 'marca=', all],
  ['brand', 'marca', all],
  ['year=&clima=', 'anio=&climatizador=', all],
  ['version=', 'version=', all],
  ['brand=&brand=seat', 'marca=seat&marca=', ['four', 'five']],
  ['year=&year=2010', 'anio=2010&anio=', ['Dós']],
  ['', '', all],
  ['&', '&&', all],
  ['&brand=seat&', '&&marca=seat', ['four', 'five']],
  ['br%61nd=seat', 'm%61rca=seat', ['four', 'five']],
];

test.each(rows)('?%s and ?%s find the same cars', async (english, spanish, found) => {
  const cars = await send('GET', `/api/cars?${english}`);
  const coches = await send('GET', `/api/coches?${spanish}`);
  const keys = cars.json.map(({ identifier }: { identifier: string }) => identifier);
  const claves = coches.json.map(({ identificador }: { identificador: string }) => identificador);
  expect([keys, claves]).toEqual([found, found]);
  expect(cars.headers.get('x-total-count')).toBe(String(keys.length));
  expect(coches.headers.get('x-total-count')).toBe(String(claves.length));
});

test.each([
  ['type=5w-30', 'tipo=5W-30', ['5W-30']],
  ['type=ACEITE+N%C2%BA+1', 'tipo=aceite+n%C2%BA+1', ['Aceite nº 1']],
  ['type=10w%2F40', 'tipo=10W/40', ['10W/40']],
  ['otherInfo=SINT%C3%89TICO', 'otros_datos=sintetico', ['Aceite nº 1', '5W-30']],
  ['otherInfo=of+another+car', 'otros_datos=of+another+car', []],
  ['type=5w-30&type=10w/40', 'tipo=10w/40&tipo=5w-30', ['5W-30', '10W/40']],
  ['type=5w-30&otherInfo=x', 'tipo=5w-30&otros_datos=x', []],
] as const)('?%s and ?%s find the same oils', async (english, spanish, found) => {
  const { json: oils } = await send('GET', `/api/cars/one/oils?${english}`);
  const { json: aceites } = await send('GET', `/api/coches/one/aceites?${spanish}`);
  expect(oils.map(({ type }: { type: string }) => type)).toEqual(found);
  expect(aceites.map(({ tipo }: { tipo: string }) => tipo)).toEqual(found);
});

/** A comma that means “or” in other services is a part of the value here: the list is empty, and says what to send. */
describe('a comma', () => {
  const { send } = useApp({
    given: [
      ['/api/cars', { identifier: 'a-1', brand: 'Seat', model: 'Ibiza', fuel: 'Diésel' }],
      ['/api/cars', { identifier: 'b-1', brand: 'Citroën', model: 'C4' }],
      ['/api/cars', { identifier: 'c-1', brand: 'Rolls, Royce & Co', model: 'R' }],
      ['/api/cars/a-1/oils', { type: '5W-30' }],
      ['/api/cars/a-1/oils', { type: '10W-40' }],
    ],
  });

  test.each([
    ['/api/cars?brand=seat,citroen', 'brand=seat&brand=citroen'],
    ['/api/coches?marca=seat,citro%C3%ABn', 'marca=seat&marca=citro%C3%ABn'],
    ['/api/coches?marca=SEAT,+Citroen&numero_de_elementos=5', 'marca=SEAT&marca=Citroen'],
    ['/api/cars?brand=seat,citroen&format=csv', 'brand=seat&brand=citroen'],
    ['/api/cars/a-1/oils?type=5w-30,10w-40', 'type=5w-30&type=10w-40'],
    ['/api/coches/a-1/aceites?tipo=5w-30,10w-40', 'tipo=5w-30&tipo=10w-40'],
  ])('%s says what to send: %s', async (path, hint) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await send(method, path);
      expect([status, headers.get('x-total-count'), headers.get('x-hint')]).toEqual([200, '0', hint]);
    }
    const [list] = path.split('?');
    expect((await send('GET', `${list}?${hint}`)).json).toHaveLength(2);
  });

  test.each([
    // Found as it is.
    '/api/cars?brand=rolls,+royce+%26+co',
    // One of its parts finds nothing.
    '/api/cars?brand=seat,audi',
    '/api/cars?brand=seat,',
    '/api/coches?marca=,',
    '/api/coches?marca=audi',
    // Several values are sent already.
    '/api/cars?brand=seat,citroen&brand=audi',
    // Each finds something, but not with the other filter.
    '/api/cars?brand=seat,citroen&fuel=diesel',
    '/api/cars?brand=seat,seat,seat,seat,seat,seat',
  ])('%s says nothing', async (path) => {
    expect((await send('GET', path)).headers.get('x-hint')).toBeNull();
  });
});
