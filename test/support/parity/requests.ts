import type { ApiRequest } from '../../../packages/parity/src/kit/translate.ts';

/** The same requests in two languages, each word typed out. */
export const requests: readonly (readonly [what: string, english: ApiRequest, spanish: ApiRequest])[] = [
  ['a list', { url: '/api/cars' }, { url: '/api/coches' }],
  ['an item with a key', { url: '/api/cars/a%2Fb%20c/' }, { url: '/api/coches/a%2Fb%20c/' }],
  ['a nested item', { url: '/api/cars/brand/oils/type' }, { url: '/api/coches/brand/aceites/type' }],
  [
    'filters, whose values are free text',
    { url: '/api/cars?brand=brand&year_from=2008&doors_to=5&brand=sort_by' },
    { url: '/api/coches?marca=brand&anio_desde=2008&puertas_hasta=5&marca=sort_by' },
  ],
  ['a search', { url: '/api/cars?search=year+brand' }, { url: '/api/coches?buscar=year+brand' }],
  [
    'several fields and directions',
    { url: '/api/cars?sort_by=year,brand&order=desc%2Casc&group_by=doors' },
    { url: '/api/coches?ordenar_por=anio,marca&orden=descendente%2Cascendente&agrupar_por=puertas' },
  ],
  [
    'parts, pages and a format',
    { url: '/api/cars?fields=model&include=oils&page=2&number_of_elements=3&after=abc&format=csv' },
    { url: '/api/coches?campos=modelo&incluir=aceites&pagina=2&numero_de_elementos=3&despues_de=abc&formato=csv' },
  ],
  [
    'an item',
    { method: 'PUT', url: '/api/cars/1', body: { year: 2008, brand: 'year', doors: null, clima: true } },
    { method: 'PUT', url: '/api/coches/1', body: { anio: 2008, marca: 'year', puertas: null, climatizador: true } },
  ],
  [
    'items with others inside',
    { method: 'POST', url: '/api/cars', body: [{ model: 'x', oils: [{ type: 'y', otherInfo: 'type' }] }] },
    { method: 'POST', url: '/api/coches', body: [{ modelo: 'x', aceites: [{ tipo: 'y', otros_datos: 'type' }] }] },
  ],
  [
    'a table',
    {
      method: 'POST',
      url: '/api/cars',
      headers: { 'Content-Type': 'text/csv' },
      body: 'brand,model,clima,ac\r\n"Seat, S.A.",a;b,yes,true\r\n',
    },
    {
      method: 'POST',
      url: '/api/coches',
      headers: { 'Content-Type': 'text/csv' },
      body: '\uFEFFmarca;modelo;climatizador;ac\r\nSeat, S.A.;"a;b";sí;true\r\n',
    },
  ],
  [
    'lines of JSON',
    { url: '/api/cars', headers: { 'content-type': 'application/x-ndjson' }, body: '{"year":1}\n{"brand":"a"}\n' },
    { url: '/api/coches', headers: { 'content-type': 'application/x-ndjson' }, body: '{"anio":1}\n{"marca":"a"}\n' },
  ],
  [
    'words of the other language: each refuses the other’s',
    { url: '/api/cars?marca=x&ordenar_por=anio&orden=descendente' },
    { url: '/api/coches?brand=x&sort_by=year&order=desc' },
  ],
  [
    'words of no language, and what no URL may be',
    { method: 'DELETE', url: '/api/cars/%/x?yeer=1&%ZZ=2&&=&sort_by=' },
    { method: 'DELETE', url: '/api/coches/%/x?yeer=1&%ZZ=2&&=&ordenar_por=' },
  ],
  ['a path of both languages', { url: '/api/cars/1/aceites?type=x' }, { url: '/api/coches/1/oils?tipo=x' }],
  [
    'what there is beside lists',
    { url: '/api/groups/cars/a%2Fb/oils?group_by=type' },
    { url: '/api/grupos/coches/a%2Fb/aceites?agrupar_por=tipo' },
  ],
  ['what there is beside no list', { url: '/api/changes/brand?marca=x' }, { url: '/api/cambios/brand?marca=x' }],
  ['what belongs to no language', { url: '/api/problems/gone?lang=es' }, { url: '/api/problems/gone?lang=es' }],
];

/** The same of a catalogue whose values have words, too, and decimals. */
export const boatRequests: typeof requests = [
  [
    'filters, whose values have words where there are few',
    { url: '/api/boats?rig=sloop&rig=catboat&name=sloop&sort_by=rig&price_from=1.5' },
    { url: '/api/barcos?aparejo=balandra&aparejo=ketch&nombre=sloop&ordenar_por=aparejo&precio_desde=1.5' },
  ],
  [
    'a value that has words',
    { method: 'POST', url: '/api/boats', body: { name: 'sloop', rig: 'motor', price: 1.5, trips: [{ fare: 2 }] } },
    {
      method: 'POST',
      url: '/api/barcos',
      body: { nombre: 'sloop', aparejo: 'a motor', precio: 1.5, viajes: [{ tarifa: 2 }] },
    },
  ],
  [
    'what is included: nested items, and those that fields refer to',
    { url: '/api/boats?include=trips,port%2Chome&fields=port', body: [{ port: { place: 'a', depth: 1 }, home: 'a' }] },
    {
      url: '/api/barcos?incluir=viajes,puerto%2Cbase&campos=puerto',
      body: [{ puerto: { lugar: 'a', calado: 1 }, base: 'a' }],
    },
  ],
  [
    'a table with decimals',
    {
      method: 'POST',
      url: '/api/boats',
      headers: { 'Content-Type': 'text/csv' },
      body: 'name,price,rig,hasEngine\r\n1.5,1.5,ketch,yes\r\n',
    },
    {
      method: 'POST',
      url: '/api/barcos',
      headers: { 'Content-Type': 'text/csv' },
      body: '\uFEFFnombre;precio;aparejo;con_motor\r\n1.5;1,5;queche;sí\r\n',
    },
  ],
];
